/** The promises of all rates, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { Rate } from '../../src/service/rate.ts';
import type { ManualClock } from '../manual-clock.ts';

const NEVER = new AbortController().signal;

/** A rate, with the clock by which it waits and the time by which it gives its slots. */
export interface OpenRate {
  readonly rate: Rate;
  /** By which it waits. */
  readonly clock: ManualClock;
  /** Milliseconds by the clock that decides when a slot is given, which may be another one. */
  now(): number;
}

/** @param makeRate so many requests per second */
export function rateContract(makeRate: (perSecond: number) => Promise<OpenRate>): void {
  describe('a rate', () => {
    test('gives no more slots than it may, however many ask at once', async () => {
      const { rate, clock, now } = await makeRate(20);
      const began = now();
      const given: number[] = [];
      for (let n = 0; n < 31; n++) void rate.slot(NEVER).then(() => given.push(now() - began));
      while (given.length < 31) await clock.pass(10);
      // The first second may have all of its slots at once.
      expect(given.at(-1)).toBeGreaterThan(490);
    });

    test('gives no slot to a caller that has given up', async () => {
      const { rate } = await makeRate(1);
      await rate.slot(NEVER);
      const stop = new AbortController();
      const late = rate.slot(stop.signal);
      stop.abort(new Error('enough'));
      await expect(late).rejects.toThrow();
    });
  });
}
