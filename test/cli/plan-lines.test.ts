import { expect, test } from 'vitest';
import {
  blockerLines,
  languageTable,
  nextCommand,
  planTable,
  projectTable,
} from '../../src/cli/plan-lines.ts';
import type { PlanLine } from '../../src/control/plan-report.ts';

const WIDE = { width: Number.POSITIVE_INFINITY, rows: 'largest' } as const;
const FROM = { cwd: '/repo', roots: new Map([['app', '/repo/apps/web']]) };

function line(source: string, language: string, changes: Partial<PlanLine> = {}): PlanLine {
  const about = { project: 'app', lane: 'text', source, target: `${language}/${source}` } as const;
  return { ...about, language, reason: 'new', estimated_characters: 12, ...changes };
}

test('languages that lack the same texts share one row, with their common price', () => {
  const jobs = ['de', 'fr'].flatMap((language) => [line('a.json', language)]);
  jobs.push(line('a.json', 'ja', { reason: 'target missing', estimated_characters: 0 }));
  expect(planTable(jobs, FROM, WIDE)).toEqual([
    'project  lane  source           languages  reason          characters',
    'app      text  apps/web/a.json  de fr      new                     24',
    'app      text  apps/web/a.json  ja         target missing           0',
  ]);
});

test('the ten files that bill most are shown, the largest first', () => {
  const jobs = Array.from({ length: 12 }, (_, nth) =>
    line(`${nth}.json`, 'de', { estimated_characters: nth }),
  );
  const cut = planTable(jobs, FROM, WIDE);
  expect(cut).toHaveLength(12);
  expect(cut[1]).toMatch(/^app .*11\.json .* 11$/);
  expect(cut.at(-1)).toBe('and 2 rows more that bill less; --verbose lists them');
  expect(planTable(jobs, FROM, { ...WIDE, rows: 'all' })).toHaveLength(13);
});

test('texts that were bought before and texts that are bought now are listed separately', () => {
  const texts = { adopted: 0, bought: 3, from_memory: 4, held: 0, conflicts: 0 };
  const [, row] = planTable([line('a.json', 'de', { texts })], FROM, WIDE);
  expect(row).toContain('buys 3, 4 from memory');
});

test('the seconds of a recording are shown once, for any number of languages', () => {
  const jobs = ['de', 'fr'].map((language) =>
    line('a.wav', language, { lane: 'voice', estimated_seconds: 20, would_hold: 'no budget' }),
  );
  expect(planTable(jobs, FROM, WIDE).at(-1)).toMatch(/ 20$/);
});

test('many languages are counted, and a narrow screen cuts the path first', () => {
  const languages = ['cs', 'da', 'de', 'el', 'es', 'fr', 'it', 'ja'];
  const jobs = languages.map((language) => line(`${'deep/'.repeat(12)}a.json`, language));
  const [, row = ''] = planTable(jobs, FROM, { width: 80, rows: 'all' });
  expect(row).toContain('cs da de el es fr +2');
  expect(row).toContain('…');
  expect(row.length).toBeLessThanOrEqual(80);
});

test('files that would fail for the same reason in all languages are one line each, and only the first lines are shown', () => {
  const broken = (nth: number) =>
    ['de', 'fr'].map((language) =>
      line(`${nth}.json`, language, { would_fail: `/repo/apps/web/${nth}.json:1:2: no` }),
    );
  const jobs = Array.from({ length: 12 }, (_, nth) => broken(nth)).flat();
  const lines = blockerLines(jobs, FROM);
  expect(lines[0]).toBe('apps/web/0.json -> de fr would fail: apps/web/0.json:1:2: no');
  expect(lines).toHaveLength(11);
  expect(lines.at(-1)).toBe('and 2 sources more would fail');
});

test('each language has a row where there are several, or where something is not simply bought', () => {
  const row = (language: string, changes: object = {}) => ({
    ...{ language, adopted: 0, bought: 3, from_memory: 0, held: 0, would_fail: 0 },
    estimated_characters: 20,
    ...changes,
  });
  expect(languageTable([row('de')], 80)).toEqual([]);
  expect(languageTable([row('de', { adopted: 2 }), row('fr', { would_fail: 1 })], 80)).toEqual([
    'language  adopted  bought  from memory  held  files that would fail  characters',
    'de              2       3            0     0                      0          20',
    'fr              0       3            0     0                      1          20',
  ]);
});

test('several projects have separate rows for each language', () => {
  const counts = { adopted: 0, bought: 1, from_memory: 0, held: 0, would_fail: 0 };
  const row = { ...counts, estimated_characters: 12 };
  const languages = [{ language: 'de', ...row }];
  const projects = ['app', 'docs'].map((project) => ({ project, language: 'de', ...row }));
  expect(projectTable({ languages, projects }, 200).map((each) => each.split(/ +/)[0])).toEqual([
    'project',
    'app',
    'docs',
  ]);
  expect(projectTable({ languages, projects: projects.slice(0, 1) }, 200)).toEqual([]);
});

test('the plan ends with the command to type', () => {
  const next = (...jobs: PlanLine[]) => nextCommand({ jobs, state: 'not running' });
  expect(next()).toBeUndefined();
  expect(next(line('a.json', 'de'), line('b.json', 'de', { would_fail: 'x' }))).toBe(
    'dragoman once',
  );
  expect(next(line('a.json', 'de', { would_fail: 'x' }))).toBe('dragoman check');
});

test('while a daemon works, the next command starts no run beside it', () => {
  const jobs = [line('a.json', 'de')];
  expect(nextCommand({ jobs: [], state: 'running' })).toBeUndefined();
  expect(nextCommand({ jobs, state: 'running' })).toContain('dragoman status');
  expect(nextCommand({ jobs, state: 'paused' })).toMatch(/^dragoman resume/);
  expect(nextCommand({ jobs, state: 'stopped' })).toMatch(/^dragoman status/);
});
