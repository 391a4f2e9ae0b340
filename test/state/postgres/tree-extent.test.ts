/** What a process reads of a tree for one question: all that the question needs, and little more. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { inScope } from '../../../src/control/scope.ts';
import { type JobId, jobId, sourceId, type TargetPaths } from '../../../src/job.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { Fact, JobRecord, SourceRecord } from '../../../src/ledger.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { Seal } from '../../../src/state/postgres/seal.ts';
import { TreeLedger } from '../../../src/state/postgres/tree-ledger.ts';
import type { Extent } from '../../../src/state/tree.ts';
import { jobRecord, sourceRecord } from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';

/** Names of which one begins with another one, and with characters that patterns or the database treat specially. */
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
  let database: Database;
  let trees = 0;
  const seal = Seal.from('7'.repeat(64)) as Seal;
  beforeAll(async () => {
    postgres = await openPostgres();
    database = new Database({
      url: postgres.runner,
      schema: await postgres.schema(),
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
