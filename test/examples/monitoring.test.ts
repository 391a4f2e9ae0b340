/** examples/monitoring as its reader would run it; docs/page.md and the alerts name metrics that exist. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import parseMetrics from 'parse-prometheus-text-format';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import type { TreeReport } from '../../src/control/report.ts';
import { exposition } from '../../src/observe/metrics/exposition.ts';
import { teamFamilies } from '../../src/observe/metrics/from-team.ts';
import { treeFamilies } from '../../src/observe/metrics/from-tree.ts';
import { Rig } from '../rig.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = join(ROOT, 'examples', 'monitoring');
const example = (name: string) => readFileSync(join(FOLDER, name), 'utf8');

const TEAM = {
  host: 'db.example.com',
  away_since: null,
  away_because: null,
  as_of: '2026-11-01T00:00:00.000Z',
  waiting_answers: 3,
  runners: [],
  billed_characters: 100,
  possibly_billed_twice: 20,
  open: { requests: 2, characters: 40 },
};

const TREE: TreeReport = {
  name: 'website',
  as_of: '2026-11-01T00:00:00.000Z',
  leader: 'one-1',
  daemons: [
    {
      name: 'one-1',
      host: 'one',
      role: 'both',
      state: 'leads',
      version: '1.0.0',
      since: '2026-11-01T00:00:00.000Z',
      seen: '2026-11-01T00:00:00.000Z',
      silent_s: 1,
      is_this: true,
      lanes: [{ lane: 'text', places: 10, running: 3 }],
      work: [],
      epoch: 1,
      trouble: null,
      settled: 4,
    },
  ],
};

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

test('the daemon of the example serves its page, and every metric of alerts and documentation', async () => {
  await using rig = await Rig.start({ config: 'projects: {}' });
  // Another daemon may have the port of the example while tests run: then the page takes a free one.
  rig.write(
    'dragoman.yaml',
    example('dragoman.yaml').replace(/\$\{DRAGOMAN_URL\}/, rig.sandbox.url),
  );
  rig.write('locales/en/app.json', example('locales/en/app.json'));
  const daemon = await rig.daemon();
  await daemon.until(
    () => daemon.lines.filter(({ kind }) => kind === 'job-delivered').length === 2,
  );
  const { stdout } = await rig.run('dashboard');
  const response = await fetch(new URL('/metrics', stdout.trim()));
  // The example has no database.
  const ofTeam = parseMetrics(exposition([...teamFamilies(TEAM), ...treeFamilies(TREE)]));
  const served = new Set(
    [...parseMetrics(await response.text()), ...ofTeam].map(({ name }) => name),
  );
  const { groups } = parse(example('alerts.yml')) as Rules;
  const alerts = groups.flatMap(({ rules }) => rules.flatMap(({ expr }) => namesIn(expr)));
  const documented = namesIn(readFileSync(join(ROOT, 'docs', 'page.md'), 'utf8'));
  expect(alerts.length).toBeGreaterThan(4);
  expect([...alerts, ...documented].filter((name) => !served.has(name))).toEqual([]);
  expect([...served].filter((name) => !documented.includes(name))).toEqual([]);
});

function namesIn(text: string): string[] {
  return text.match(/\b(dragoman|process|nodejs)_[a-z_]+\b/g) ?? [];
}

test('metrics show when a team has no runner, and when its database is away', () => {
  const values = (away_since: string | null) =>
    Object.fromEntries(
      parseMetrics(exposition(teamFamilies({ ...TEAM, away_since }))).map(({ name, metrics }) => [
        name.replace('dragoman_team_', ''),
        Number(metrics[0]?.value),
      ]),
    );
  const figures = {
    runners: 0,
    open_requests: 2,
    waiting_answers: 3,
    possibly_twice_characters: 20,
  };
  expect(values(null)).toEqual({ up: 1, ...figures });
  expect(values('2026-11-01T00:00:00.000Z')).toEqual({ up: 0, ...figures });
});
