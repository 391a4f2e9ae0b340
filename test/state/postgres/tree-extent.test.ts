/** The records that a process reads of a tree for one question: all that the question needs, and few others. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { inScope } from '../../../src/control/scope.ts';
import {
  type Hash,
  type JobId,
  type JobState,
  jobId,
  type Lane,
  type Stat,
  sourceId,
  type TargetPaths,
} from '../../../src/job.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { Fact, JobRecord, SourceRecord } from '../../../src/ledger.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { Seal } from '../../../src/state/postgres/seal.ts';
import { TreeLedger } from '../../../src/state/postgres/tree-ledger.ts';
import type { Extent, JobCount, SourceNames } from '../../../src/state/tree.ts';
import { jobRecord, sourceRecord } from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';

const FULL = { kind: 'disk-full', file: '/root/de/x' } as const;

/** Names that begin with another name, or have characters that patterns or the database treat specially. */
const name = fc.constantFrom('a', 'a.md', 'a%', 'a_b', 'é', "o'k", '\ue000', '(x)', '😀');
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'));
const targets: fc.Arbitrary<TargetPaths> = fc.oneof(
  path.map((file) => ({ file })),
  fc.record({ transcript: path, subtitles: path }),
  path.map((speech) => ({ speech })),
);
const file = fc.record({
  project: fc.constantFrom('app', 'docs'),
  source: path,
  language: fc.constantFrom('de', 'fr').map((code) => code as LanguageTag),
  targets,
});

describe.skipIf(NO_POSTGRES !== undefined)('the records that a question reads of a tree', () => {
  let postgres: Postgres;
  let schema: string;
  let database: Database;
  let trees = 0;
  const seal = Seal.from('7'.repeat(64)) as Seal;
  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    database = new Database({
      url: postgres.runner,
      schema,
      clock: systemClock,
      patienceMs: 60_000,
      onAway: () => {},
      onBack: () => {},
    });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  async function filled(facts: readonly Fact[]): Promise<string> {
    const tree = `tree-${++trees}`;
    const options = { database, clock: manualClock(), tree, view: 'tree', seal } as const;
    await using ledger = await TreeLedger.open(options);
    await ledger.commit(facts);
    return tree;
  }

  async function looked(tree: string, extent: Extent): Promise<TreeLedger> {
    const options = { database, clock: manualClock(), tree, view: 'tree', seal } as const;
    const ledger = await TreeLedger.open({ ...options, isLooking: true, extent });
    onTestFinished(async () => await ledger[Symbol.asyncDispose]());
    return ledger;
  }

  test('about a file are its jobs, those below a folder, and their sources, whatever their names are; beside them one job and one source', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(file, {
          selector: ({ project, language, source }) => jobId(project, language, source),
          maxLength: 12,
        }),
        path,
        async (files, asked) => {
          const jobs = files.map((each) => jobOf(each));
          const sources = new Map(files.map((each) => [idOf(each), sourceOf(each)]));
          const tree = await filled([
            ...jobs.map((add): Fact => ({ table: 'jobs', add })),
            ...[...sources.values()].map((put): Fact => {
              return { table: 'sources', put, from: undefined };
            }),
          ]);
          const ledger = await looked(tree, { of: 'file', project: 'app', path: asked });
          const scope = { projects: ['app'], languages: [], paths: [`/root/${asked}`] };
          const wanted = jobs.filter((job) => inScope(scope, job, () => '/root'));
          for (const job of wanted) {
            expect(ledger.get('jobs', job.id)).toEqual(job);
            const id = sourceId(job.project, job.source);
            expect(ledger.get('sources', id)).toEqual(sources.get(id));
          }
          expect(ledger.size('jobs')).toBeLessThanOrEqual(wanted.length + 1);
          const ofWanted = new Set(wanted.map(({ project, source }) => sourceId(project, source)));
          // The oldest one, and that of the one job.
          expect(ledger.size('sources')).toBeLessThanOrEqual(ofWanted.size + 2);
          expect(ledger.size('jobs') > 0).toBe(jobs.length > 0);
        },
      ),
      { numRuns: 40 },
    );
  });

  test('about open work are the jobs that a person may have to know, with their sources; all others are counted, and queued ones where the config asks for them', async () => {
    const jobState: fc.Arbitrary<JobState> = fc.constantFrom<JobState>(
      { kind: 'queued' },
      { kind: 'queued', stoppedBy: { kind: 'key-missing', message: 'none' } },
      { kind: 'running', step: { kind: 'started' }, attempt: 1 },
      { kind: 'running', step: { kind: 'started' }, attempt: 1, waitsFor: FULL },
      { kind: 'done', at: 'then' },
      { kind: 'held', at: 'then', hold: { kind: 'source-gone' } },
      { kind: 'failed', at: 'then', failure: { kind: 'stopped' }, attempts: 1 },
    );
    const lane = fc.constantFrom<Lane>('text', 'subtitle', 'document');
    const wrote = fc.constantFrom<JobRecord['wrote']>(
      [],
      [{ path: 'de/x', hash: 'aa' as Hash, stat: '1:1:1:1' as Stat }],
    );
    const known = fc.tuple(file, jobState, lane, wrote);
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(known, {
          selector: ([{ project, language, source }]) => jobId(project, language, source),
          maxLength: 12,
        }),
        async (all) => {
          const jobs = all.map(([each, state, lane, wrote]): JobRecord => {
            return { ...jobOf(each), state, lane, wrote };
          });
          const sources = new Map(all.map(([each]) => [idOf(each), sourceOf(each)]));
          const tree = await filled([
            ...jobs.map((add): Fact => ({ table: 'jobs', add })),
            ...[...sources.values()].map((put): Fact => {
              return { table: 'sources', put, from: undefined };
            }),
          ]);
          const ledger = await looked(tree, {
            of: 'open work',
            sources: { needs: () => true, isEnough: () => false },
            counts: ({ source, lane }) => lane === 'document' || source.includes('a'),
          });
          const isOpen = ({ state, lane }: JobRecord) =>
            state.kind === 'held' ||
            state.kind === 'failed' ||
            lane === 'subtitle' ||
            (state.kind === 'running' && state.waitsFor !== undefined) ||
            (state.kind === 'queued' && state.stoppedBy !== undefined);
          for (const job of jobs.filter(isOpen)) {
            expect(ledger.get('jobs', job.id)).toEqual(job);
            const id = sourceId(job.project, job.source);
            expect(ledger.get('sources', id)).toEqual(sources.get(id));
          }
          // One that is there at all, and one with a target.
          expect(ledger.size('jobs')).toBeLessThanOrEqual(jobs.filter(isOpen).length + 2);
          expect([...ledger.all('jobs')].some((job) => job.wrote.length > 0)).toBe(
            jobs.some((job) => job.wrote.length > 0),
          );
          expect(ledger.size('sources')).toBe(sources.size);
          const counts = (job: JobRecord) =>
            job.state.kind !== 'queued' ||
            ledger.get('jobs', job.id) !== undefined ||
            job.lane === 'document' ||
            job.source.includes('a');
          expect(totals([...ledger.all('jobs')].map(countOf), ledger.counted ?? [])).toEqual(
            totals(jobs.filter(counts).map(countOf)),
          );
        },
      ),
      { numRuns: 40 },
    );
  });

  test('about open work a queued job is counted where the config asks for it', async () => {
    const jobs = ['asked', 'other', 'asked too'].flatMap((path) =>
      ['de', 'fr'].map((code) => {
        const language = code as LanguageTag;
        return jobOf({ project: 'app', source: path, language, targets: { file: path } });
      }),
    );
    const tree = await filled(jobs.map((add): Fact => ({ table: 'jobs', add })));
    const ledger = await looked(tree, {
      of: 'open work',
      sources: { needs: () => false, isEnough: () => true },
      counts: ({ project, language, source, lane }) =>
        project === 'app' && lane === 'text' && language === 'de' && source.startsWith('asked'),
    });
    const asked = jobs.filter(
      ({ id, language, source }) =>
        language === 'de' && source.startsWith('asked') && ledger.get('jobs', id) === undefined,
    );
    const alike = { project: 'app', language: 'de', state: 'queued' };
    expect(ledger.counted).toEqual([{ ...alike, jobs: asked.length }]);
  });

  test('about open work are only the other sources that are needed, and none is asked about when they are enough', async () => {
    const tree = await filled([{ table: 'jobs', add: jobRecord('a') }]);
    await postgres.query(
      `insert into ${schema}.tree_records (tree, tbl, id, record, by, mark)
       select '${tree}', 'sources', 'app/' || n, jsonb_build_object('id', 'app/' || n, 'project', 'app', 'path', n::text), 'test', ''
       from generate_series(1, 12000) n`,
    );
    const read = async (enough: number) => {
      const asked = new Set<string>();
      const needs = ({ path }: SourceNames) => asked.add(path).size % 2 === 1;
      const isEnough = () => asked.size >= enough;
      const sources = { needs, isEnough };
      const ledger = await looked(tree, { of: 'open work', sources, counts: () => true });
      return { asked: asked.size, sources: ledger.size('sources') };
    };
    expect(await read(0)).toEqual({ asked: 0, sources: 0 });
    expect(await read(5001)).toEqual({ asked: 5001, sources: 2501 });
    expect(await read(20_000)).toEqual({ asked: 12_000, sources: 6000 });
  });

  test('about the books are the oldest source, one job and all that is no source', async () => {
    const sources = ['2026-10-19', '2026-09-01', '2026-11-01'].map((day) => {
      return { ...sourceRecord(`app/${day}`), since: `${day}T10:00:00.000Z` };
    });
    const account = { id: 'account', kind: 'account', value: { asked: 'today' } } as const;
    const tree = await filled([
      ...sources.map((put): Fact => ({ table: 'sources', put, from: undefined })),
      ...['a', 'b', 'c'].map((id): Fact => ({ table: 'jobs', add: jobRecord(id) })),
      { table: 'remotes', put: account, from: undefined },
    ]);
    const ledger = await looked(tree, { of: 'books' });
    expect([...ledger.all('sources')].map(({ since }) => since)).toEqual([
      '2026-09-01T10:00:00.000Z',
    ]);
    expect(ledger.size('jobs')).toBe(1);
    expect([...ledger.all('remotes')]).toEqual([account]);
  });
});

function countOf({ project, language, state: { kind } }: JobRecord): JobCount {
  return { project, language, state: kind, jobs: 1 };
}

function totals(...counts: readonly (readonly JobCount[])[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const { project, language, state, jobs } of counts.flat()) {
    const key = `${project} ${language} ${state}`;
    sums.set(key, (sums.get(key) ?? 0) + jobs);
  }
  return new Map([...sums].sort());
}

interface File {
  readonly project: string;
  readonly source: string;
  readonly language: LanguageTag;
  readonly targets: TargetPaths;
}

function jobOf({ project, language, source, targets }: File): JobRecord {
  const id: JobId = jobId(project, language, source);
  return jobRecord(id, { project, language, source, targets });
}

function idOf({ project, source }: File) {
  return sourceId(project, source);
}

function sourceOf(file: File): SourceRecord {
  return { ...sourceRecord(idOf(file)), project: file.project, path: file.source };
}
