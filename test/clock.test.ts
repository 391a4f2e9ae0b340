/** Waiting by the clock of the machine. */
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS, isReached, OnwardTime, onwardClock, systemClock } from '../src/clock.ts';
import { manualClock } from './manual-clock.ts';

test('a wait of thirty days, more than a timer of Node holds, lasts longer than a short one', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const ending = new AbortController();
  const long = systemClock.sleep(30 * DAY_MS, ending.signal).then(() => 'long');
  const short = systemClock.sleep(20).then(() => 'short');
  expect(await Promise.race([long, short])).toBe('short');
  expect(warnings.map(({ name }) => name)).not.toContain('TimeoutOverflowWarning');
  const end = new Error('no longer needed');
  ending.abort(end);
  await expect(long).rejects.toBe(end);
});

test('a wait that was aborted before leaves no timer', async () => {
  await expect(systemClock.sleep(30 * DAY_MS, AbortSignal.abort('over'))).rejects.toBe('over');
});

test('the time for waits goes on as the clock does, and from where it was when the clock is set back', () => {
  let now = 1000;
  const time = new OnwardTime({ now: () => now });
  expect(time.now()).toBe(1000);
  now = 5000;
  expect(time.now()).toBe(5000);
  now = 4000 - DAY_MS;
  expect(time.now()).toBe(5000);
  now += 250;
  expect(time.now()).toBe(5250);
  now += DAY_MS;
  expect(time.now()).toBe(5250 + DAY_MS);
  now -= 10;
  expect(time.now()).toBe(5250 + DAY_MS);
});

test('a stored time is reached when it has come, and when it is further away than the wait may be', () => {
  const due = (time: number) => isReached(time, { now: 1000, longestMs: 500 });
  expect([900, 1000, 1001, 1500, 1501, DAY_MS].map(due)).toEqual([
    true,
    true,
    false,
    false,
    true,
    true,
  ]);
});

test('a clock for waits knows what somebody slept, although it was set back meanwhile and not read', async () => {
  const wall = manualClock(0);
  const clock = onwardClock(wall);
  const slept = clock.sleep(60_000).then(() => clock.now());
  wall.setBack(DAY_MS);
  await wall.pass(60_000);
  expect(await slept).toBe(60_000);
});
