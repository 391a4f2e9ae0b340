/** What all rates promise, as a suite that an implementation runs. */
import { describe, expect, test } from 'vitest';
import type { Rate } from '../../src/service/rate.ts';

const NEVER = new AbortController().signal;

/** @param makeRate so many requests per second */
export function rateContract(makeRate: (perSecond: number) => Promise<Rate>): void {
  describe('a rate', () => {
    test('gives no more slots than it may, however many ask at once', async () => {
      const rate = await makeRate(20);
      const began = performance.now();
      await Promise.all(Array.from({ length: 31 }, () => rate.slot(NEVER)));
      // The first second may have all of its slots at once.
      expect(performance.now() - began).toBeGreaterThan(490);
    });

    test('gives no slot to whoever does not want one any more', async () => {
      const rate = await makeRate(1);
      await rate.slot(NEVER);
      const stop = new AbortController();
      const late = rate.slot(stop.signal);
      stop.abort(new Error('enough'));
      await expect(late).rejects.toThrow();
    });
  });
}
