/** Waiting by the clock of the machine. */
import process from 'node:process';
import { expect, onTestFinished, test } from 'vitest';
import { DAY_MS, systemClock } from '../src/clock.ts';

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
