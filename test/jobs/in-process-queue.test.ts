import { expect, test } from 'vitest';
import type { JobId } from '../../src/job.ts';
import { inProcessQueue } from '../../src/jobs/in-process-queue.ts';
import { queueContract } from '../contracts/queue.ts';
import { manualClock } from '../manual-clock.ts';

queueContract(inProcessQueue);

test('a wider window starts more jobs at once', async () => {
  const started: string[] = [];
  const end = Promise.withResolvers<{ kind: 'over' }>();
  const windows = { text: 1, document: 1, subtitle: 1, voice: 1 };
  const queue = inProcessQueue({
    worker: ({ id }) => {
      started.push(id);
      return end.promise;
    },
    windows,
    clock: manualClock(),
  });
  for (const id of ['a', 'b', 'c']) queue.offer({ id: id as JobId, lane: 'text' });
  expect(started).toEqual(['a']);
  queue.resize({ ...windows, text: 2 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(started).toEqual(['a', 'b']);
  end.resolve({ kind: 'over' });
  await queue.idle();
  expect(started).toEqual(['a', 'b', 'c']);
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
