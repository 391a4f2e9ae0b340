/** When an outage is over, the jobs that failed by it are offered at once. */
import { expect, test } from 'vitest';
import type { Failure } from '../../src/failure.ts';
import type { JobId, JobState } from '../../src/job.ts';
import { OUTAGE_LOOK_MS, Outages } from '../../src/jobs/outages.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const BAD_GATEWAY: Failure = {
  ...{ kind: 'server-error', status: 502, operation: 'POST /v2/translate', message: 'no' },
};
const READ_ONLY: Failure = { kind: 'unwritable', file: 'de/a.md', code: 'EROFS' };
const LATER: Failure = { kind: 'changed-meanwhile', file: 'en/a.md' };
const FINAL: Failure = { kind: 'malformed', where: { file: 'en/a.md' }, message: 'no' };
const DONE: JobState = { kind: 'done', at: 'now' };

/** Over a real ledger; `world` says what answers. */
async function watched() {
  const clock = manualClock();
  const ledger = await openLedger({ folder: await temporaryFolder(), clock });
  const world = { service: true, database: true, works: true, asked: 0 };
  const waves: (readonly JobId[])[] = [];
  const outages = new Outages({
    ...{ ledger, clock },
    isServiceThere: async () => {
      world.asked += 1;
      return world.service;
    },
    isDatabaseThere: () => world.database,
    isWorking: () => world.works,
    offer: (ids) => void waves.push(ids),
  });
  const ending = new AbortController();
  void outages.watch(ending.signal);
  const becomes = async (name: string, state: JobState) => {
    const from = ledger.get('jobs', name);
    if (from) await ledger.commit([{ table: 'jobs', from, set: { state } }]);
    else await ledger.commit([{ table: 'jobs', add: jobRecord(name, { state }) }]);
    return name as JobId;
  };
  const fails = (name: string, failure: Failure) => {
    const at = new Date(clock.now()).toISOString();
    return becomes(name, { kind: 'failed', at, failure, attempts: 8 });
  };
  /** What is offered in so many looks. */
  const offered = async (looks = 1) => {
    await clock.pass(OUTAGE_LOOK_MS * looks);
    return waves.splice(0).flat();
  };
  const close = async () => {
    ending.abort();
    await ledger[Symbol.asyncDispose]();
  };
  return { clock, world, waves, becomes, fails, offered, [Symbol.asyncDispose]: close };
}

test('jobs that failed while the service was away are offered once, when it answers again', async () => {
  await using it = await watched();
  const { world, fails, offered } = it;
  const before = await fails('before', BAD_GATEWAY);
  world.service = false;
  expect(await offered(3)).toEqual([]);
  const last = await fails('last', BAD_GATEWAY);
  world.service = true;
  expect(await offered()).toEqual([before, last]);
  // It was sent before the service was back.
  const late = await fails('late', BAD_GATEWAY);
  expect(await offered()).toEqual([late]);
  expect(await offered(9)).toEqual([]);
});

test('a job that fails although the service answers waits for its own time', async () => {
  await using it = await watched();
  await it.fails('poison', BAD_GATEWAY);
  expect(await it.offered(9)).toEqual([]);
});

test.each([
  ['the service', BAD_GATEWAY],
  ['the disk', READ_ONLY],
])(
  'when a job that failed by %s is done, the others that failed by it are offered',
  async (_, failure) => {
    await using it = await watched();
    const { fails, becomes, offered } = it;
    const first = await fails('first', failure);
    const second = await fails('second', failure);
    for (const [name, other] of Object.entries({ LATER, FINAL })) await fails(name, other);
    expect(await offered(2)).toEqual([]);
    const step = { kind: 'started' } as const;
    await becomes(first, { kind: 'running', attempt: 9, step });
    expect(await offered()).toEqual([]);
    await becomes(first, DONE);
    expect(await offered()).toEqual([second]);
  },
);

test('many jobs are offered in waves, without those that were tried meanwhile', async () => {
  await using it = await watched();
  const { clock, world, waves, fails, becomes } = it;
  world.service = false;
  for (let nth = 0; nth < 150; nth++) await fails(`job ${nth}`, BAD_GATEWAY);
  await clock.pass(OUTAGE_LOOK_MS);
  world.service = true;
  await clock.pass(OUTAGE_LOOK_MS);
  expect(waves.map(({ length }) => length)).toEqual([20]);
  await becomes('job 20', DONE);
  await clock.pass(OUTAGE_LOOK_MS - 1);
  expect(waves.map(({ length }) => length)).toEqual([20, 79, 50]);
  expect(new Set(waves.flat()).size).toBe(149);
});

test('the service is asked only while jobs wait for it and work may begin', async () => {
  await using it = await watched();
  const { world, fails, offered } = it;
  await fails('disk', READ_ONLY);
  await fails('final', FINAL);
  await offered(2);
  expect(world.asked).toBe(0);
  await fails('service', BAD_GATEWAY);
  world.works = false;
  await offered(2);
  expect(world.asked).toBe(0);
  world.works = true;
  await offered(2);
  expect(world.asked).toBe(2);
});

test('jobs that failed by the database are offered when it is back', async () => {
  await using it = await watched();
  const { world, fails, offered } = it;
  world.database = false;
  const away = { kind: 'team-state', problem: 'away', host: 'db', message: 'no' } as const;
  const id = await fails('a', away);
  expect(await offered(2)).toEqual([]);
  world.database = true;
  expect(await offered()).toEqual([id]);
});
