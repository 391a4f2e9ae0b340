/** The plan of a project follows from config, sources and the states of jobs. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../../src/config/parse.ts';
import { type Hash, type JobState, jobId, sourceId } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type {
  JobRecord,
  LedgerTables,
  LedgerView,
  SourceRecord,
  TableName,
} from '../../src/ledger.ts';
import { Planner, type PlannerOptions } from '../../src/plan/planner.ts';
import { emptyTables } from '../../src/state/tables.ts';
import { loadTerminology } from '../../src/terminology/load-project-terms.ts';
import { jobRecord, sourceRecord } from '../contracts/ledger.ts';
import { loopUseOf } from '../loop-turns.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const AT = '2026-10-19T10:00:00.000Z';
const DE = 'de' as LanguageTag;
const PATH = 'en/a.json';
const DONE: JobState = { kind: 'done', at: AT };
const WROTE = { path: 'de/a.json', hash: 'w' as Hash, stat: '1:1:1:1' as SourceRecord['stat'] };

interface Given {
  readonly sources?: readonly string[];
  readonly jobs?: readonly JobRecord[];
  readonly routes?: string;
  /** Further settings of the project. */
  readonly project?: string;
  /** The folder of the config. */
  readonly folder?: string;
  readonly options?: Partial<PlannerOptions>;
}

const source = (path: string): SourceRecord => ({
  ...sourceRecord(sourceId('app', path)),
  path,
});

const AS_LEFT = { deviation: () => undefined, isLeaving: () => false, movedTo: () => undefined };

function plannerOf(given: Given = {}): Planner {
  const { sources = [PATH], jobs = [], project = '', folder = '/repo', options } = given;
  const routes =
    given.routes ??
    '{ from: "{locale}/**/*.json" }, { from: "in/*.docx", to: "{locale}/{name}.docx" }';
  const text = `version: 1
service: { url: "http://127.0.0.1:1" }
projects:
  app: { source: en, targets: [de, fr],${project} routes: [${routes}] }
`;
  const setup = parseConfig(text, { file: join(folder, 'dragoman.yaml'), env: {} });
  if (setup.faults !== undefined) throw new Error(JSON.stringify(setup.faults));
  return new Planner({
    setup,
    ledger: viewOf(sources.map(source), jobs),
    monitor: { intake: AS_LEFT },
    serviceDigest: 'service',
    languageSupport: {
      needsDocument: () => false,
      isUntagged: () => false,
      lack: () => undefined,
      lackingIn: () => [],
    },
    terminology: { files: { glossaries: new Map(), styles: new Map() } as never },
    ...options,
  });
}

function viewOf(sources: readonly SourceRecord[], jobs: readonly JobRecord[]): LedgerView {
  const tables = emptyTables();
  for (const each of sources) tables.sources.set(each.id, each);
  for (const job of jobs) tables.jobs.set(job.id, job);
  return {
    condition: 'intact',
    get: <T extends TableName>(table: T, key: string) =>
      tables[table].get(key) as LedgerTables[T] | undefined,
    all: <T extends TableName>(table: T) =>
      tables[table].values() as IterableIterator<LedgerTables[T]>,
    size: (table) => tables[table].size,
  };
}

/** The German job of the source as it is after a delivery, with changes. */
function job(changes: Partial<JobRecord> = {}): JobRecord {
  const fingerprint = plannerOf().fingerprint(source(PATH), DE);
  if (fingerprint === undefined) throw new Error('no route matches the source');
  return jobRecord(jobId('app', DE, PATH), {
    source: PATH,
    targets: { file: 'de/a.json' },
    fingerprint,
    delivered: fingerprint,
    wrote: [WROTE],
    state: DONE,
    ...changes,
  });
}

/** The planned work of the German job. */
function reasonOf(given: Given): string | undefined {
  const { work } = plannerOf(given).plan('passing');
  return work.find(({ job: { language } }) => language === DE)?.reason;
}

const deviating = (how: 'missing' | 'edited') => ({
  monitor: { intake: { ...AS_LEFT, deviation: () => how } },
});

const LEAVING = {
  monitor: { intake: { ...AS_LEFT, isLeaving: () => true, movedTo: () => undefined } },
};

test('a source without a job is new in every language of its project', () => {
  const { work, unchanged } = plannerOf().plan('passing');
  expect(work.map(({ job: { id }, reason }) => [id, reason])).toEqual([
    ['app/de/en/a.json', 'new'],
    ['app/fr/en/a.json', 'new'],
  ]);
  expect(unchanged).toBe(0);
});

test('a delivered job whose target is as it was left has nothing to do', () => {
  const plan = plannerOf({ jobs: [job()] }).plan('passing');
  expect(plan.unchanged).toBe(1);
  expect(plan.work.map(({ job: { language } }) => language)).toEqual(['fr']);
});

test('new content, another recipe, a missing target and an edited target have different reasons', () => {
  const { fingerprint } = job();
  const [, recipe] = fingerprint.split('.', 2);
  const other = (name: string) => name as JobRecord['fingerprint'];
  expect(reasonOf({ jobs: [job({ fingerprint: other(`bb.${recipe}`) })] })).toBe('source changed');
  expect(reasonOf({ jobs: [job({ fingerprint: other('aa.other') })] })).toBe('recipe changed');
  expect(reasonOf({ jobs: [job()], options: deviating('missing') })).toBe('target missing');
  expect(reasonOf({ jobs: [job()], options: deviating('edited') })).toBe('target edited');
});

test('a glossary or style list with a fault is no change of terms: what was bought with its earlier content stays', async () => {
  const folder = await temporaryFolder();
  const project =
    ' retranslate_on: [glossary, style], glossary: { name: g, csv: "{source}-{locale}.csv" }, style: { de: de.yaml },';
  const plan = async (given: Given = {}) => {
    const text = `version: 1
service: { url: "http://127.0.0.1:1" }
projects: { app: { source: en, targets: [de, fr],${project} routes: [{ from: "{locale}/**/*.json" }] } }
`;
    const { config } = parseConfig(text, { file: join(folder, 'dragoman.yaml'), env: {} });
    if (config === undefined) throw new Error('the config is at fault');
    const options = { terminology: { files: await loadTerminology(config) } };
    const planner = plannerOf({ ...given, folder, project, options });
    const { work } = planner.plan('passing');
    return {
      reason: work.find(({ job: { language } }) => language === DE)?.reason,
      fingerprint: planner.fingerprint(source(PATH), DE),
    };
  };
  const write = async (terms: string, style: string) => {
    await writeFile(join(folder, 'en-de.csv'), terms);
    await writeFile(join(folder, 'de.yaml'), style);
  };
  const [terms, style] = ['cart,Wagen\n', 'name: Style\nlanguage: de\ncustom_instructions: []\n'];
  await write(terms, style);
  const { fingerprint } = await plan();
  if (fingerprint === undefined) throw new Error('no route matches the source');
  expect(fingerprint).toMatch(/-g[0-9a-f]{8}s[0-9a-f]{8}$/);
  const jobs = [job({ fingerprint, delivered: fingerprint })];
  expect((await plan({ jobs })).reason).toBeUndefined();
  await write('cart\n', style);
  expect((await plan({ jobs })).reason).toBeUndefined();
  await write(terms, 'name: [\n');
  expect((await plan({ jobs })).reason).toBeUndefined();
  await write('cart,Korb\n', style);
  expect((await plan({ jobs })).reason).toBe('recipe changed');
});

test('a text whose template names another path is written there; nothing else is planned', () => {
  expect(reasonOf({ jobs: [job({ targets: { file: 'old/a.json' } })] })).toBe('target missing');
});

test('a job that was running when the process ended is interrupted', () => {
  const state: JobState = { kind: 'running', attempt: 1, step: { kind: 'intent' } } as JobState;
  expect(reasonOf({ jobs: [job({ state })] })).toBe('interrupted');
});

test('a held job waits for a person, until it is released or its target is edited', () => {
  const state: JobState = {
    kind: 'held',
    at: AT,
    hold: { kind: 'approval', characters: 9, limit: 5 },
  };
  const held = job({ state });
  expect(plannerOf({ jobs: [held] }).plan('passing').held).toEqual([held]);
  const release = { kind: 'approve', fingerprint: held.fingerprint, at: AT } as const;
  expect(reasonOf({ jobs: [{ ...held, release }] })).toBe('released');
  expect(reasonOf({ jobs: [held], options: deviating('edited') })).toBe('target edited');
});

test('after undo, an edit of the restored target does not plan the job again', () => {
  const state: JobState = { kind: 'held', at: AT, hold: { kind: 'undone' } } as JobState;
  expect(reasonOf({ jobs: [job({ state })], options: deviating('edited') })).toBeUndefined();
});

test('a temporary failure is tried again by a run, but not by the plan of a daemon', () => {
  const failure = {
    kind: 'server-error',
    status: 500,
    operation: 'POST /v2/translate',
    message: '',
  };
  const state = { kind: 'failed', at: AT, failure } as unknown as JobState;
  const planner = plannerOf({ jobs: [job({ state })] });
  expect(planner.plan('passing').work.map(({ reason }) => reason)).toContain('tried again');
  expect(planner.plan('none').failed).toHaveLength(1);
});

test('sources that would write one file are not planned, and neither is one that is leaving', () => {
  const routes = '{ from: "in/**/*.{md,mdx}", to: "out/{locale}/{dir}/{name}.md" }';
  const colliding = plannerOf({ routes, sources: ['in/x.md', 'in/x.mdx', 'in/y.md'] });
  expect(colliding.collisions('app').map(({ sources }) => sources)).toContainEqual([
    'in/x.md',
    'in/x.mdx',
  ]);
  const { work } = colliding.plan('passing');
  expect(work.map(({ job: { id } }) => id)).toEqual(['app/de/in/y.md', 'app/fr/in/y.md']);
  expect(plannerOf({ options: LEAVING }).plan('passing').work).toEqual([]);
});

test('a document whose source was deleted during its purchase is planned, a text is not', () => {
  const gone = { source: 'in/gone.docx', state: { kind: 'queued' } } as const;
  const document = job({ ...gone, id: jobId('app', DE, gone.source), lane: 'document' });
  const text = job({ ...gone, id: jobId('app', DE, 'en/gone.json'), source: 'en/gone.json' });
  const { work } = plannerOf({ sources: [], jobs: [document, text] }).plan('passing');
  expect(work).toEqual([{ job: document, reason: 'interrupted' }]);
});

test('the work on some jobs is found without looking at other sources', () => {
  const planner = plannerOf({
    sources: [PATH, 'en/b.json'],
    jobs: [job({ state: { kind: 'queued' } })],
  });
  expect(planner.workOn([job()]).map(({ job: { id } }) => id)).toEqual(['app/de/en/a.json']);
});

test('a route that claims no source is named, and one whose source is leaving counts as empty', () => {
  const planner = plannerOf();
  const project = planner.project('app');
  expect(project && planner.emptyRoutes(project).map(({ from }) => from)).toEqual(['in/*.docx']);
  const leaving = plannerOf({ options: LEAVING });
  const all = leaving.project('app');
  expect(all && leaving.emptyRoutes(all)).toHaveLength(2);
});

test('a queued text that the config does not ask for is not shown, and a document is: it may be paid', () => {
  const planner = plannerOf();
  const queued = { state: { kind: 'queued' }, language: 'it' as LanguageTag } as const;
  expect(planner.isReported(job({ ...queued, language: 'de' as LanguageTag }))).toBe(true);
  expect(planner.isReported(job(queued))).toBe(false);
  expect(planner.isReported(job({ ...queued, lane: 'document' }))).toBe(true);
});

test('no job of a source that vanished with many others is planned or offered', () => {
  const queued = job({ state: { kind: 'queued' } });
  const work = (vanished?: true) => {
    const known = { ...source(PATH), ...(vanished && { vanished }) };
    const planner = plannerOf({ options: { ledger: viewOf([known], [queued]) } });
    return [planner.plan('passing').work, planner.workOn([queued])].map(({ length }) => length);
  };
  expect([work(), work(true)]).toEqual([
    [2, 1],
    [0, 0],
  ]);
});

test('jobs of a removed target language or route are no longer wanted', () => {
  const planner = plannerOf();
  expect(planner.wants(job())).toBe(true);
  expect(planner.wants(job({ language: 'it' as LanguageTag }))).toBe(false);
  expect(planner.wants(job({ source: 'en/b.json' }))).toBe(false);
  expect(planner.routeOf('app', 'en/a.txt')).toBeUndefined();
  expect(planner.routeOf('other', PATH)).toBeUndefined();
});

test('other work has its turn while many sources are planned', async () => {
  const sources = Array.from({ length: 20_000 }, (_, n) => `en/folder-${n % 100}/page-${n}.json`);
  const planner = plannerOf({ sources });
  const { longest, all } = await loopUseOf(async () =>
    expect((await planner.planInTurns('passing')).work).toHaveLength(2 * sources.length),
  );
  expect(longest).toBeLessThan(all / 2);
});
