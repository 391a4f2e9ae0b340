import { expect, test } from 'vitest';
import { acceleratedClock } from '../../src/sandbox/server.ts';

test('time starts at the machine’s and runs as many times as fast, and waits are as much shorter', async () => {
  let now = 1000;
  const waits: number[] = [];
  const wall = { now: () => now, sleep: async (ms: number) => void waits.push(ms) };
  const clock = acceleratedClock(wall, 60);
  now += 500;
  await clock.sleep(3000);
  expect(clock.now()).toBe(31_000);
  expect(waits).toEqual([50]);
});
