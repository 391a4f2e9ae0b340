/** The state of a job after its lane delivers, holds, waits or fails. The ledger is real, and the lane answers as the test says. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Event, Events } from '../../src/event.ts';
import { type Failure, JobFailure } from '../../src/failure.ts';
import { Mutex } from '../../src/files/mutex.ts';
import { type Hash, type JobId, type JobState, type Stat, sourceId } from '../../src/job.ts';
import { Execution, type ExecutionOptions } from '../../src/jobs/execution.ts';
import { RunState, type RunStateOptions } from '../../src/jobs/run-state.ts';
import { LARGEST_SOURCE, type LaneResult, type LaneRun } from '../../src/lane.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { SourceRecord } from '../../src/ledger.ts';
import { MAX_ATTEMPTS } from '../../src/service/retry.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { jobRecord, presentJob } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { inForceAt } from './in-force.ts';

const AT = '2026-10-19T10:00:00.000Z';
const WROTE = [{ path: 'de/a.md', hash: 'new' as Hash, stat: '1:2:3:4' as Stat }];
const DELIVERED: LaneResult = {
  kind: 'delivered',
  wrote: WROTE,
  changed: ['de/a.md'],
  state: { kind: 'done', at: AT },
};
const HELD = { kind: 'held', at: AT, hold: { kind: 'deleted' } } as unknown as Extract<
  JobState,
  { kind: 'held' }
>;
const REFUSED: Failure = { kind: 'key-refused', status: 403, operation: 'POST /v2/translate' };
const CHANGED: Failure = { kind: 'changed-meanwhile', file: 'de/a.md' };
const UNREACHABLE: Failure = { kind: 'unreachable', operation: 'POST', message: 'refused' };

type Answer = LaneResult | Failure | ((run: LaneRun) => Promise<LaneResult>);

interface Changes extends Partial<ExecutionOptions> {
  readonly source?: Partial<SourceRecord>;
  /** A daemon; absent: a single run. */
  readonly isDaemon?: boolean;
  readonly service?: RunStateOptions['service'];
}

/** Jobs `a` and `b` of the text lane, which answers each run with the next of what it was given. */
async function executionOf(answers: Answer[], { source, isDaemon, ...changes }: Changes = {}) {
  const root = await temporaryFolder();
  await mkdir(join(root, 'en'));
  const clock = manualClock();
  const ledger = await openLedger({ folder: join(root, '.dragoman'), clock });
  onTestFinished(() => ledger[Symbol.asyncDispose]());
  for (const name of ['a', 'b']) {
    const path = `en/${name}.md`;
    const put = { id: sourceId('app', path), project: 'app', path, hash: 'aa' as Hash, since: AT };
    const targets = { file: `de/${name}.md` };
    await ledger.commit([
      { table: 'sources', put: { ...put, stat: '1:1:1:1' as Stat, ...source }, from: undefined },
      { table: 'jobs', add: jobRecord(name, { source: path, targets }) },
    ]);
  }
  const events = new Events();
  const heard: Event[] = [];
  events.subscribe((event) => void heard.push(event));
  const runs: LaneRun[] = [];
  const inForce = inForceAt(root, ledger);
  const { service = { state: { kind: 'running' } } } = changes;
  const runState = new RunState({ inForce, events, service });
  runState.begin(isDaemon === true ? 'watching' : 'once');
  const execution = new Execution({
    ...{ runState, inForce, ledger, events, clock, publications: new Mutex() },
    lanes: [
      {
        lane: 'text',
        estimate: async (job) => ({ job, characters: 0, atLeast: false }),
        async run(run) {
          runs.push(run);
          const answer = answers.shift();
          if (typeof answer === 'function') return await answer(run);
          if (answer === undefined) throw new RangeError('the lane was asked too often');
          if (RESULTS.has(answer.kind)) return answer as LaneResult;
          throw new JobFailure(answer as Failure);
        },
      },
    ],
    random: () => 0.5,
    sharesJobs: false,
    undo: { record: async () => {} },
    replan: () => {},
    delivered: () => {},
    ...changes,
  });
  const work = (name = 'a') =>
    execution.work({ id: name as JobId, lane: 'text' }, new AbortController().signal);
  const kinds = () => heard.map(({ kind }) => kind);
  const state = (name = 'a') => presentJob(ledger, name).state;
  return { clock, ledger, execution, runState, runs, work, kinds, state };
}

const RESULTS = new Set<string>(['delivered', 'held', 'poll', 'superseded']);

test('a job whose target is in place is done, with what was written and for which source', async () => {
  const { ledger, work, kinds } = await executionOf([DELIVERED]);
  expect(await work()).toEqual({ kind: 'over' });
  const { state, wrote, delivered, fingerprint } = presentJob(ledger, 'a');
  expect({ state, wrote, delivered }).toEqual({
    state: { kind: 'done', at: AT },
    wrote: WROTE,
    delivered: fingerprint,
  });
  expect(kinds()).toEqual(['job-started', 'job-delivered']);
});

test('a job may deliver and be held: the file is written, and the hold is reported', async () => {
  const { state, work, kinds } = await executionOf([{ ...DELIVERED, state: HELD } as LaneResult]);
  await work();
  expect(state()).toEqual(HELD);
  expect(kinds()).toEqual(['job-started', 'job-delivered', 'job-held']);
});

test('a job that is held without a new target keeps what it wrote before', async () => {
  const { ledger, work } = await executionOf([DELIVERED, { kind: 'held', state: HELD }]);
  await work();
  const from = presentJob(ledger, 'a');
  await ledger.commit([{ table: 'jobs', from, set: { state: { kind: 'queued' } } }]);
  await work();
  expect(presentJob(ledger, 'a')).toMatchObject({ state: HELD, wrote: WROTE });
});

test('a job that waits for the service gives its slot back, goes on at its step, and does not begin twice', async () => {
  const { clock, ledger, runs, work, kinds } = await executionOf([
    async (run) => {
      await run.step({ kind: 'uploaded' } as never);
      return { kind: 'poll', at: 7 };
    },
    DELIVERED,
  ]);
  expect(await work()).toEqual({ kind: 'again', notBefore: 7 });
  const { state } = presentJob(ledger, 'a');
  expect(state).toMatchObject({ attempt: 0, step: { kind: 'uploaded' }, notBefore: 7 });
  await clock.pass(10);
  await work();
  expect(runs[1]?.resumeFrom).toMatchObject({ kind: 'uploaded' });
  expect(kinds()).toEqual(['job-started', 'job-delivered']);
});

test('a job that has other content by now is queued again', async () => {
  const { state, work, kinds } = await executionOf([{ kind: 'superseded' }]);
  expect(await work()).toEqual({ kind: 'over' });
  expect(state()).toEqual({ kind: 'queued' });
  expect(kinds()).toContain('job-superseded');
});

test('the file of a job is known as changing while each try of the job ends so', async () => {
  const full: Failure = { kind: 'disk-full', file: '/srv/de/a.md', needs: 1 };
  const { clock, execution, work } = await executionOf(
    [CHANGED, CHANGED, DELIVERED, full, CHANGED],
    { isDaemon: true },
  );
  const files = () => [...execution.changingFiles];
  const since = clock.now();
  expect(files()).toEqual([]);
  await work();
  await clock.pass(60_000);
  await work();
  expect(files()).toEqual([{ file: 'de/a.md', since, ago: 60_000 }]);
  await work('b');
  expect(files()).toHaveLength(1);
  await work();
  expect(files()).toEqual([]);
  await work();
  expect(files()).toEqual([{ file: 'de/a.md', since: since + 60_000, ago: 0 }]);
  // Its source left, or another daemon has done it.
  await clock.pass(10 * 60_000);
  expect(files()).toEqual([]);
});

test('in a daemon, a job whose file people change again and again waits for its turn, and does not fail', async () => {
  const tries = Array.from({ length: 2 * MAX_ATTEMPTS }, () => CHANGED);
  const { clock, work, kinds, state } = await executionOf([...tries, DELIVERED], {
    isDaemon: true,
  });
  for (const _ of tries) {
    const outcome = await work();
    expect(outcome).toMatchObject({ kind: 'again' });
    expect((outcome as { notBefore: number }).notBefore - clock.now()).toBeLessThan(30_000);
  }
  expect(await work()).toEqual({ kind: 'over' });
  expect(kinds()).not.toContain('job-failed');
  expect(state()).toMatchObject({ kind: 'done' });
});

test('a file that changed meanwhile is tried again at once a few times, later each time, and then the job fails', async () => {
  const tries = Array.from({ length: MAX_ATTEMPTS }, () => CHANGED);
  const { clock, state, work } = await executionOf([...tries]);
  const began = clock.now();
  const outcomes = [];
  for (const _ of tries) outcomes.push(await work());
  const delays = outcomes.map((each) => (each.kind === 'again' ? each.notBefore - began : 'over'));
  expect(delays).toEqual([500, 1000, 2000, 4000, 'over']);
  expect(state()).toMatchObject({ kind: 'failed', failure: CHANGED, attempts: MAX_ATTEMPTS });
});

test.each([
  ['one run ends with it', false, UNREACHABLE, { kind: 'over' }],
  ['a daemon tries again later', true, UNREACHABLE, { kind: 'again', notBefore: 15_000 }],
  ['a daemon does not repeat what is final', true, malformed(), { kind: 'over' }],
] as const)(
  'a job that failed is noted with the settings of the service: %s',
  async (_, isDaemon, failure, outcome) => {
    const { clock, state, work, kinds } = await executionOf([failure], { isDaemon });
    const ended = await work();
    const soon =
      ended.kind === 'again' ? { ...ended, notBefore: ended.notBefore - clock.now() } : ended;
    expect(soon).toEqual(outcome);
    expect(state()).toEqual({ kind: 'failed', at: AT, failure, attempts: 1, service: 'mark' });
    expect(kinds()).toEqual(['job-started', 'job-failed']);
  },
);

test('a refused key stops all paid work: it is reported once, jobs go back unharmed, and go on when a person resumes', async () => {
  const { execution, runState, state, work, runs, kinds } = await executionOf([REFUSED, DELIVERED]);
  expect(await work('a')).toEqual({ kind: 'not-taken' });
  expect(state('a')).toEqual({ kind: 'queued', stoppedBy: REFUSED });
  expect(runState.stop).toEqual(REFUSED);
  await work('b');
  expect(runs.length).toBe(1);
  expect(execution.unpark()).toEqual([]);
  runState.endStop();
  expect(execution.unpark()).toEqual(['a', 'b']);
  await work('a');
  expect(kinds().filter((kind) => kind !== 'job-started')).toEqual([
    'paid-work-stopped',
    'paid-work-resumed',
    'job-delivered',
  ]);
});

test('a stop that the client of the service has reported is not reported again, nor its end', async () => {
  const service = { state: { kind: 'stopped', failure: REFUSED } } as const;
  const { execution, runState, work, kinds } = await executionOf([REFUSED], { service });
  await work('a');
  expect(runState.stop).toEqual(REFUSED);
  runState.endStop();
  expect(execution.unpark()).toEqual(['a']);
  expect(kinds().filter((kind) => kind !== 'job-started')).toEqual([]);
});

test('nothing is taken up while work is paused, nor while the config is replaced', async () => {
  const { execution, runState, runs, work } = await executionOf([], { isDaemon: true });
  runState.pause();
  await work('a');
  // Only a person ends the pause: not a config that is read again, and not a quota that is good again.
  runState.endStop();
  expect(execution.unpark()).toEqual([]);
  const rest = runState.rest();
  runState.endPause();
  expect(execution.unpark()).toEqual([]);
  await work('b');
  rest[Symbol.dispose]();
  expect(execution.unpark()).toEqual(['a', 'b']);
  expect(runs).toEqual([]);
});

test('a daemon that takes up no jobs does not do the shared upkeep', async () => {
  const { execution, runState, runs, work } = await executionOf([], { sharesJobs: true });
  runState.pause();
  expect([await work('a'), runState.takesJobs]).toEqual([{ kind: 'not-taken' }, false]);
  runState.endPause();
  expect([execution.unpark(), runState.takesJobs, runs]).toEqual([[], true, []]);
});

test('a full disk is reported once, and in one run the job fails after five tries', async () => {
  const full: Failure = { kind: 'disk-full', file: '/srv/de/a.md' };
  const { state, work, kinds } = await executionOf(Array.from({ length: 5 }, () => full));
  const outcomes = [];
  for (let look = 0; look < 5; look += 1) outcomes.push((await work()).kind);
  expect(outcomes).toEqual(['again', 'again', 'again', 'again', 'over']);
  expect(state()).toMatchObject({ kind: 'failed', failure: full });
  expect(kinds().filter((kind) => kind === 'disk-full')).toHaveLength(1);
});

test('in a daemon a full disk costs no attempt, however long it lasts', async () => {
  const full: Failure = { kind: 'disk-full', file: '/srv/de/a.md' };
  const looks = Array.from({ length: 20 }, () => full);
  const { state, work } = await executionOf([...looks], { isDaemon: true });
  for (const _ of looks) expect((await work()).kind).toBe('again');
  expect(state()).toMatchObject({ kind: 'running', attempt: 1, waitsFor: full });
});

test('a job whose folder this daemon cannot write is left to the other daemons, and fails only where none of them does it', async () => {
  const shut: Failure = { kind: 'unwritable', file: '/srv/de/a.md', code: 'EROFS' };
  const there = { sharesJobs: true, daemon: 'two-977', isDaemon: true };
  const { clock, state, work, runs, kinds } = await executionOf(
    [shut, shut, shut, DELIVERED],
    there,
  );
  expect(await work()).toEqual({ kind: 'again', notBefore: clock.now() });
  expect([state(), kinds().at(-1)]).toMatchObject([{ kind: 'running', attempt: 1 }, 'job-retried']);
  // Its offer comes to this daemon again: it goes on to the others.
  expect(await work()).toEqual({ kind: 'again', notBefore: clock.now() + 1000 });
  expect(runs).toHaveLength(1);
  await clock.pass(30_000);
  await work();
  expect(state()).toMatchObject({ kind: 'failed', attempts: 1, failure: shut, daemon: 'two-977' });
  // Each time anew: the others may have been busy.
  await work();
  expect(state()).toMatchObject({ kind: 'running', attempt: 2 });
  await clock.pass(3_600_000);
  expect(await work()).toEqual({ kind: 'over' });
});

test('a path that no daemon can write fails at once, also in a single run of a tree', async () => {
  const folder: Failure = { kind: 'unwritable', file: '/srv/de/a.md', code: 'there is a folder' };
  const shut: Failure = { kind: 'unwritable', file: '/srv/de/a.md', code: 'EROFS' };
  for (const [failure, isDaemon] of [
    [folder, true],
    [shut, false],
  ] as const) {
    const { state, work } = await executionOf([failure], { sharesJobs: true, isDaemon });
    await work();
    expect(state()).toMatchObject({ kind: 'failed', failure });
  }
});

test('a job that somebody else claimed meanwhile is left to them', async () => {
  const { ledger, state, work, kinds } = await executionOf([
    async () => {
      await ledger.claim('a' as JobId);
      return DELIVERED;
    },
  ]);
  expect(await work()).toEqual({ kind: 'over' });
  expect(state()).toMatchObject({ kind: 'running' });
  expect(kinds()).toEqual(['job-started']);
});

test('a job of a language that the config in force does not have is not done, and stays queued', async () => {
  const { ledger, runs, work, state } = await executionOf([DELIVERED]);
  const french = jobRecord('c', { source: 'en/a.md', language: 'fr' as LanguageTag });
  await ledger.commit([{ table: 'jobs', add: french }]);
  expect(await work('c')).toEqual({ kind: 'over' });
  expect([runs, state('c')]).toEqual([[], { kind: 'queued' }]);
  expect(await work('a')).toEqual({ kind: 'over' });
  expect(runs).toHaveLength(1);
});

test('a job that stops because its daemon ends is not over: another daemon may take it', async () => {
  const { work, state } = await executionOf([{ kind: 'stopped' }]);
  expect(await work('a')).toEqual({ kind: 'not-taken' });
  expect(state('a')).toMatchObject({ kind: 'running' });
});

test('a state folder that cannot be written ends everything: nothing that the job became could be kept', async () => {
  const failure = { kind: 'state-unwritable', path: '/srv/.dragoman', code: 'EROFS' } as never;
  const { work } = await executionOf([failure]);
  await expect(work()).rejects.toThrow(JobFailure);
});

test('a source above the limit of its lane fails by name, and the lane never reads it', async () => {
  const bytes = LARGEST_SOURCE.text + 1;
  const { state, work, runs } = await executionOf([], {
    source: { stat: `${bytes}:1:1:1` as Stat },
  });
  await work();
  expect(runs).toEqual([]);
  expect(state()).toMatchObject({
    failure: { kind: 'unsupported', what: expect.stringContaining('134,217,729 bytes') },
  });
});

test('before a target is put in place the undo log has it, and until the job is settled nobody else touches its targets', async () => {
  const noted: string[] = [];
  const publications = new Mutex();
  const step = { kind: 'publishing', path: 'de/a.md', hash: 'h', expectedOld: null } as never;
  const { ledger, work } = await executionOf(
    [
      async (run) => {
        await run.step(step);
        expect(presentJob(ledger, 'a').state).toMatchObject({ step });
        let isFree = false;
        void publications.take('a').then((turn) => {
          isFree = true;
          turn[Symbol.dispose]();
        });
        await new Promise((resolve) => setImmediate(resolve));
        expect(isFree).toBe(false);
        return DELIVERED;
      },
    ],
    { publications, undo: { record: async ({ step: { path } }) => void noted.push(path) } },
  );
  await work();
  expect(noted).toEqual(['de/a.md']);
  (await publications.take('a'))[Symbol.dispose]();
});

function malformed(): Failure {
  return { kind: 'malformed', where: { file: 'en/a.md' }, message: 'it ends too early' };
}
