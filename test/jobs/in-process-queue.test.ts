import { expect, test } from 'vitest';
import type { JobId } from '../../src/job.ts';
import { inProcessQueue } from '../../src/jobs/in-process-queue.ts';
import { queueContract } from '../contracts/queue.ts';
import { manualClock } from '../manual-clock.ts';

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

queueContract(async () => ({
  clock: manualClock(),
  open: async (setup) => inProcessQueue(setup),
  turn,
  many: 10_000,
  [Symbol.asyncDispose]: async () => {},
}));

test('ten thousand waiting polls are held on one timer, and none is left when all is done', async () => {
  const clock = manualClock();
  const worker = async () => ({ kind: 'over' }) as const;
  const windows = { text: 10_000, document: 1, subtitle: 1, voice: 1 };
  const queue = inProcessQueue({ worker, windows, clock });
  for (let n = 0; n < 10_000; n++) {
    queue.offer({ id: `${n}` as JobId, lane: 'text', notBefore: clock.now() + 1 + n });
  }
  expect(clock.timers).toBe(1);
  await clock.pass(5000);
  expect([clock.timers, queue.waiting]).toEqual([1, 5000]);
  await clock.pass(5000);
  expect([clock.timers, queue.waiting]).toEqual([0, 0]);
});

test('a wait longer than a minute looks at the clock in between, because timers sleep with the machine', async () => {
  const clock = manualClock();
  const queue = inProcessQueue({
    worker: async () => ({ kind: 'over' }),
    windows: { text: 1, document: 1, subtitle: 1, voice: 1 },
    clock,
  });
  queue.offer({ id: 'a' as JobId, lane: 'text', notBefore: clock.now() + 90 * 24 * 3600 * 1000 });
  await clock.pass(60_000);
  expect([clock.timers, queue.waiting]).toEqual([1, 1]);
});

test('a clock that is set back by a day makes no job wait longer', async () => {
  const clock = manualClock();
  const ran: string[] = [];
  const worker = async ({ id }: { id: JobId }) => {
    ran.push(id);
    return { kind: 'over' } as const;
  };
  const queue = inProcessQueue({
    worker,
    windows: { text: 1, document: 1, subtitle: 1, voice: 1 },
    clock,
  });
  queue.offer({ id: 'before' as JobId, lane: 'text', notBefore: clock.now() + 90_000 });
  clock.setBack(24 * 3600 * 1000);
  queue.offer({ id: 'after' as JobId, lane: 'text', notBefore: clock.now() + 120_000 });
  await clock.pass(60_000);
  expect(ran).toEqual([]);
  await clock.pass(30_000);
  expect(ran).toEqual(['before']);
  await clock.pass(30_000);
  expect(ran).toEqual(['before', 'after']);
});
