/** The law of rejected texts: whichever the service rejects, it translates all others, once. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import type { TextOrder } from '../../src/translate/order.ts';
import { outcomesOf } from '../../src/translate/outcome.ts';

const MOST = 50;

/** A service that refuses each request with one of those texts, and counts. */
function service(refused: ReadonlySet<number>) {
  const calls: number[][] = [];
  const bought: number[] = [];
  const buy = async (orders: readonly TextOrder[]) => {
    const numbers = orders.map(({ text }) => Number(text));
    calls.push(numbers);
    if (numbers.some((number) => refused.has(number))) {
      const facts = { operation: 'POST /v2/translate', status: 400, message: 'bad' };
      throw new JobFailure({ kind: 'rejected', ...facts });
    }
    bought.push(...numbers);
    return orders.map((order) => ({ order, outcome: { kind: 'fit', parts: ['ja'] } as const }));
  };
  return { calls, bought, buy };
}

const ordersOf = (length: number) =>
  Array.from({ length }, (_, n) => ({ text: `${n}` }) as TextOrder);

const requestsWithRefused = fc
  .integer({ min: 1, max: MOST })
  .chain((length) =>
    fc.tuple(fc.constant(length), fc.uniqueArray(fc.nat(length - 1), { maxLength: length })),
  );

test('any rejected texts fail alone; all others are bought once, in fewer than 2n + 1 requests', async () => {
  await fc.assert(
    fc.asyncProperty(requestsWithRefused, async ([length, numbers]) => {
      const refused = new Set(numbers);
      const { calls, bought, buy } = service(refused);
      const outcomes = await outcomesOf({ buy, accepts: async () => true }, ordersOf(length));
      expect(outcomes.map(({ order, outcome }) => [Number(order.text), outcome.kind])).toEqual(
        ordersOf(length).map((_, n) => [n, refused.has(n) ? 'failed' : 'fit']),
      );
      expect(bought.toSorted((a, b) => a - b)).toEqual(
        ordersOf(length).flatMap((_, n) => (refused.has(n) ? [] : [n])),
      );
      expect(calls.length).toBeLessThanOrEqual(2 * length);
    }),
  );
});

test('settings that the service does not take cost one probe and one text', async () => {
  const { calls, buy } = service(new Set(ordersOf(MOST).keys()));
  const outcomes = await outcomesOf({ buy, accepts: async () => false }, ordersOf(MOST));
  expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(ordersOf(MOST).map(() => 'failed'));
  expect(calls.map(({ length }) => length)).toEqual([MOST, 1]);
});

test('a text that was bought alone proves the settings, whatever became of the probe', async () => {
  const { bought, buy } = service(new Set([7, 49]));
  await outcomesOf({ buy, accepts: async () => false }, ordersOf(MOST));
  expect(bought.length).toBe(MOST - 2);
});
