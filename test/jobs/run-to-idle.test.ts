/** A single run plans until nothing is left to do, and tries nothing for ever. */
import { expect, test } from 'vitest';
import type { Fingerprint, JobId, JobState } from '../../src/job.ts';
import { type RunToIdleOptions, runToIdle } from '../../src/jobs/run-to-idle.ts';
import type { JobRecord } from '../../src/ledger.ts';
import type { PlannedJob } from '../../src/plan/plan.ts';
import { jobRecord } from '../contracts/ledger.ts';

const DONE: JobState = { kind: 'done', at: '2026-11-01T00:00:00.000Z' };

interface Scene {
  /** The plan at each look; the last plan is repeated. */
  readonly plans: readonly (readonly JobRecord[])[];
  /** The state of a job after a try. */
  readonly after: (job: JobRecord) => JobRecord;
  readonly options?: Partial<RunToIdleOptions>;
}

async function run({ plans, after, options }: Scene) {
  const records = new Map<JobId, JobRecord>();
  const tried: string[] = [];
  const began: string[][] = [];
  const known: string[][] = [];
  let looks = 0;
  let ends = 0;
  const namesOf = (planned: readonly PlannedJob[]) =>
    planned.map(({ job }) => `${job.id} ${job.fingerprint}`);
  const left = await runToIdle({
    runState: { stop: undefined },
    runner: {
      enqueue: async (planned) => {
        tried.push(...namesOf(planned));
        for (const { job } of planned) records.set(job.id, after(jobRecord(job.id, job)));
      },
      idle: async () => {},
    },
    jobOf: (id) => records.get(id),
    plan: async (before) => {
      known.push([...before]);
      const jobs = plans[Math.min(looks, plans.length - 1)] ?? [];
      looks += 1;
      return jobs.map((job) => ({ job, reason: 'new' }));
    },
    beforeWork: async (planned) => void began.push(namesOf(planned)),
    conclude: async () => {
      ends += 1;
    },
    ended: () => new Promise(() => {}),
    drain: new AbortController().signal,
    ...options,
  });
  return { left: left.map(({ id }) => id), tried, began, looks, ends, known };
}

const job = (id: string, fingerprint = 'f') =>
  jobRecord(id, { fingerprint: fingerprint as Fingerprint });
const done = (record: JobRecord): JobRecord => ({ ...record, state: DONE });

test('a run without planned jobs begins nothing and concludes', async () => {
  const seen = await run({ plans: [[]], after: done });
  expect(seen).toEqual({ left: [], tried: [], began: [], looks: 1, ends: 1, known: [[]] });
});

test('changes during a run are processed in the same run, and work begins once', async () => {
  const seen = await run({ plans: [[job('a')], [job('a', 'g'), job('b')], []], after: done });
  expect(seen.tried).toEqual(['a f', 'a g', 'b f']);
  expect(seen.began).toEqual([['a f']]);
  expect([seen.looks, seen.ends, seen.left]).toEqual([3, 1, []]);
});

test('each plan is told which jobs the run has tried before', async () => {
  const seen = await run({ plans: [[job('a')], [job('a', 'g'), job('b')], []], after: done });
  expect(seen.known).toEqual([[], ['a'], ['a', 'b']]);
});

test('a job that is planned again for the same content after its answer is not tried again', async () => {
  const seen = await run({ plans: [[job('a')]], after: done });
  expect([seen.tried, seen.left, seen.ends]).toEqual([['a f'], [], 1]);
});

test('a job that is queued again after each try is tried five times, and then reported', async () => {
  const seen = await run({
    plans: [[job('a'), job('b')]],
    after: (each) => (each.id === 'a' ? each : done(each)),
  });
  expect(seen.tried.filter((name) => name === 'a f')).toHaveLength(5);
  expect(seen.tried.filter((name) => name === 'b f')).toHaveLength(1);
  expect(seen.left).toEqual(['a']);
});

test('a job whose source has other content at each look is bought five times, and then reported', async () => {
  const plans = Array.from({ length: 20 }, (_, look) => [job('a', `content ${look}`)]);
  const seen = await run({ plans, after: done });
  expect(seen.tried).toHaveLength(5);
  expect([seen.left, seen.ends]).toEqual([['a'], 1]);
});

test('a signal before the first job ends the run with nothing begun and nothing concluded', async () => {
  const drain = AbortSignal.abort();
  const seen = await run({ plans: [[job('a')]], after: done, options: { drain } });
  expect(seen).toEqual({ left: [], tried: [], began: [], looks: 0, ends: 0, known: [] });
});

test('an error that makes all further work impossible ends the run', async () => {
  const options = { ended: () => Promise.reject(new Error('the state disk is full')) };
  const stuck = {
    enqueue: async () => {},
    idle: () => new Promise<void>(() => {}),
  };
  const seen = run({ plans: [[job('a')]], after: done, options: { ...options, runner: stuck } });
  await expect(seen).rejects.toThrow('the state disk is full');
});
