/** People's words meet jobs that workers settle at the same time: neither loses what the other wrote down. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Baselines } from '../../src/baseline.ts';
import { parseConfig } from '../../src/config/parse.ts';
import type { LocalControlOptions } from '../../src/control/options.ts';
import { release } from '../../src/control/release.ts';
import { resolveConflicts } from '../../src/control/resolve.ts';
import { undo } from '../../src/control/undo.ts';
import { hashBytes, statOf } from '../../src/files/disk.ts';
import { UNSHARED } from '../../src/files/reservations.ts';
import { ALONE } from '../../src/files/right.ts';
import { type Fingerprint, type JobId, type Stat, sourceId } from '../../src/job.ts';
import type { JobRecord, Ledger, Written } from '../../src/ledger.ts';
import { Planner } from '../../src/plan/planner.ts';
import { openBaselines } from '../../src/state/baseline.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { Trash } from '../../src/state/trash.ts';
import { UndoLog } from '../../src/state/undo-log.ts';
import { jobRecord, presentJob, sourceRecord } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const EVERYTHING = { projects: [], languages: [], paths: [] };
const DONE = { kind: 'done', at: 'now' } as const;

/** What control looks at, over a real ledger; `meanwhile` happens while control waits for something else. */
async function controlOf(jobs: readonly JobRecord[], meanwhile: (ledger: Ledger) => Promise<void>) {
  const root = await temporaryFolder();
  const clock = manualClock();
  const ledger = await openLedger({ folder: join(root, '.dragoman'), clock });
  await ledger.commit(jobs.map((add) => ({ table: 'jobs', add })));
  const sources = jobs.map(({ project, source: path }) => {
    return { ...sourceRecord(sourceId(project, path)), path };
  });
  await ledger.commit(sources.map((put) => ({ table: 'sources', put, from: undefined })));
  const { planner, config } = planFor(root, ledger);
  const baselines = openBaselines(join(root, 'base'));
  onTestFinished(() => baselines[Symbol.asyncDispose]());
  const options = {
    ledger,
    clock,
    baselines: {
      of: (...key: Parameters<Baselines['of']>) => ({
        ...baselines.of(...key),
        read: async () => {
          await meanwhile(ledger);
          return new Map();
        },
      }),
      remove: (key: Parameters<Baselines['remove']>[0]) => baselines.remove(key),
    },
    trash: new Trash(join(root, 'trash'), clock, ALONE),
    reservations: UNSHARED,
    right: ALONE,
    undo: new UndoLog({ folder: join(root, 'undo'), clock, baselines }),
    inForce: { planner, config },
    estimate: async (job: JobRecord) => {
      await meanwhile(ledger);
      return { job, characters: 5, atLeast: false };
    },
    offer: () => {},
    runState: { isBusy: () => false },
    tookBack: () => {},
    confirmDeletions: async () => {},
  };
  return { root, ledger, options: options as unknown as LocalControlOptions };
}

function planFor(root: string, ledger: Ledger) {
  const setup = parseConfig(
    JSON.stringify({
      version: 1,
      service: { url: 'http://127.0.0.1:1' },
      projects: {
        app: {
          source: 'en',
          targets: ['de'],
          routes: [{ from: '*.md', to: '{locale}/{name}.md' }],
        },
      },
    }),
    { file: join(root, 'dragoman.yaml'), env: {} },
  );
  if (setup.faults !== undefined) throw new Error('the config is refused');
  const planner = new Planner({ setup, ledger } as unknown as ConstructorParameters<
    typeof Planner
  >[0]);
  return { planner, config: setup.config };
}

/** A worker takes the job up and ends it. */
async function settle(ledger: Ledger): Promise<void> {
  const claim = await ledger.claim('a' as JobId);
  if (claim !== undefined) await ledger.settle(claim, { state: DONE });
}

const FAILED = {
  kind: 'failed',
  at: 'now',
  failure: { kind: 'malformed', where: { file: 'a' }, message: 'm' },
  attempts: 1,
} as const;

test('a job that is done while its price is looked up is not released: it stays done', async () => {
  const { ledger, options } = await controlOf([jobRecord('a', { state: FAILED })], settle);
  await using _ = ledger;
  const request = { verb: 'retry', which: 'all', act: 'release', scope: EVERYTHING } as const;
  expect(await release(options, request)).toMatchObject({ jobs: [], price_characters: 0 });
  expect(ledger.get('jobs', 'a')?.state).toEqual(DONE);
  expect(ledger.get('jobs', 'a')).not.toHaveProperty('release');
});

test('a job that still waits is released, and keeps what others wrote down meanwhile', async () => {
  const price = async (ledger: Ledger) => {
    await ledger.commit([{ table: 'jobs', from: presentJob(ledger, 'a'), set: { estimate: 77 } }]);
  };
  const { ledger, options } = await controlOf([jobRecord('a', { state: FAILED })], price);
  await using _ = ledger;
  const request = { verb: 'retry', which: 'all', act: 'release', scope: EVERYTHING } as const;
  expect(await release(options, request)).toMatchObject({ price_characters: 5 });
  expect(ledger.get('jobs', 'a')).toMatchObject({ release: { kind: 'retry' }, estimate: 77 });
});

test('a conflict that was settled while it was read is not resolved again', async () => {
  const state = { kind: 'held', at: 'now', hold: { kind: 'conflict', keys: ['k'] } } as const;
  const release = { kind: 'human', fingerprint: 'f' as Fingerprint, at: 'now' } as const;
  const held = jobRecord('a', { state, release });
  const { root, ledger, options } = await controlOf([held], settle);
  await using _ = ledger;
  const request = { file: join(root, 'a.md'), languages: [], choice: { kind: 'human' } } as const;
  expect(await resolveConflicts(options, request)).toEqual({ resolved: [] });
  expect(ledger.get('jobs', 'a')?.state).toEqual(DONE);
  expect(ledger.get('jobs', 'a')).not.toHaveProperty('release');
});

test('a job that wrote several files has all of them as before when its run is taken back', async () => {
  const { root, ledger, options } = await controlOf([], async () => {});
  await using _ = ledger;
  const put = async (path: string, text: string): Promise<Written> => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
    return { path, hash: hashBytes(text), stat: (await statOf(join(root, path))) as Stat };
  };
  const paths = ['de/a.txt', 'de/a.srt'];
  const before = await Promise.all(paths.map((path) => put(path, 'old')));
  const delivered = 'older' as Fingerprint;
  const job = jobRecord('a', { lane: 'voice', state: DONE, wrote: before, delivered });
  const after: Written[] = [];
  for (const path of paths) {
    const step = {
      kind: 'publishing',
      path,
      hash: hashBytes('new'),
      expectedOld: hashBytes('old'),
    };
    await options.undo.record({
      job,
      root,
      step: step as Parameters<UndoLog['record']>[0]['step'],
    });
    after.push(await put(path, 'new'));
  }
  await ledger.commit([
    { table: 'jobs', add: { ...job, wrote: after, delivered: job.fingerprint } },
  ]);
  const report = await undo(options, { act: 'undo', scope: EVERYTHING });
  expect(report.files.map(({ became }) => became)).toEqual(['as-before', 'as-before']);
  expect(paths.map((path) => readFileSync(join(root, path), 'utf8'))).toEqual(['old', 'old']);
  const { wrote, state, delivered: told } = presentJob(ledger, 'a');
  expect(wrote.map(({ path, hash }) => [path, hash])).toEqual(
    paths.map((path) => [path, hashBytes('old')]),
  );
  expect([state.kind, told]).toEqual(['held', 'older']);
});
