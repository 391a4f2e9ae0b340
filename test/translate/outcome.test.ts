/** The law of rejected texts: whichever the service rejects, it translates all others, once, until it has rejected ten in a row. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JobFailure } from '../../src/failure.ts';
import type { TextOrder } from '../../src/translate/order.ts';
import { outcomesOf, RefusalStreak } from '../../src/translate/outcome.ts';

const MOST = 50;
/** Rejected texts in a row after which the rest is not sent. */
const MANY = 10;

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

const portsOf = ({ buy }: Pick<ReturnType<typeof service>, 'buy'>, accepts = true) => ({
  buy,
  accepts: async () => accepts,
  refusals: new RefusalStreak(),
});

/** The longest run of neighbours among the numbers. */
function longestRow(numbers: ReadonlySet<number>, length: number): number {
  const rows = ordersOf(length).map((_, n) => (numbers.has(n) ? 'x' : ' '));
  return Math.max(
    ...rows
      .join('')
      .split(' ')
      .map((row) => row.length),
  );
}

test('any rejected texts fail alone; all others are bought once, in fewer than 2n + 1 requests', async () => {
  await fc.assert(
    fc.asyncProperty(requestsWithRefused, async ([length, numbers]) => {
      const refused = new Set(numbers);
      fc.pre(longestRow(refused, length) < MANY);
      const open = service(refused);
      const outcomes = await outcomesOf(portsOf(open), ordersOf(length));
      expect(outcomes.map(({ order, outcome }) => [Number(order.text), outcome.kind])).toEqual(
        ordersOf(length).map((_, n) => [n, refused.has(n) ? 'failed' : 'fit']),
      );
      expect(open.bought.toSorted((a, b) => a - b)).toEqual(
        ordersOf(length).flatMap((_, n) => (refused.has(n) ? [] : [n])),
      );
      expect(open.calls.length).toBeLessThanOrEqual(2 * length);
    }),
  );
});

test('whatever is rejected, each text has one outcome, no rejected one is bought, and none is bought twice', async () => {
  await fc.assert(
    fc.asyncProperty(requestsWithRefused, async ([length, numbers]) => {
      const open = service(new Set(numbers));
      const outcomes = await outcomesOf(portsOf(open), ordersOf(length));
      expect(outcomes.map(({ order }) => Number(order.text))).toEqual([...Array(length).keys()]);
      const bought = outcomes.flatMap(({ order, outcome }) =>
        outcome.kind === 'fit' ? [Number(order.text)] : [],
      );
      expect(open.bought.toSorted((a, b) => a - b)).toEqual(bought);
      expect(open.calls.length).toBeLessThanOrEqual(2 * length);
    }),
  );
});

test('after ten rejected texts in a row, the first and the last of the rest decide about it', async () => {
  const open = service(new Set(ordersOf(MOST).keys()));
  const ports = portsOf(open);
  const outcomes = await outcomesOf(ports, ordersOf(MOST));
  expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(ordersOf(MOST).map(() => 'failed'));
  const alone = open.calls.filter(({ length }) => length === 1);
  expect(alone).toEqual([...Array(MANY).keys(), MANY, MOST - 1].map((n) => [n]));
  expect(open.calls.length).toBe(24);
  // 100,000 texts
  for (let batch = 0; batch < 2000; batch++) await outcomesOf(ports, ordersOf(MOST));
  expect(open.calls.length).toBe(24 + 2000 * 3);
});

test('a text at the end of the rest that is accepted lets all others be bought', async () => {
  const open = service(new Set([...ordersOf(MOST - 1).keys()].filter((n) => n < 20 || n > 30)));
  const outcomes = await outcomesOf(portsOf(open), ordersOf(MOST));
  expect(
    outcomes.flatMap(({ order, outcome }) => (outcome.kind === 'fit' ? [Number(order.text)] : [])),
  ).toEqual([...Array.from({ length: 11 }, (_, n) => 20 + n), MOST - 1]);
});

test('one rejected text does not fail the others, wherever it is, also after many in a row', async () => {
  for (const at of ordersOf(MOST).keys()) {
    const ports = portsOf(service(new Set(ordersOf(MOST).keys())));
    await outcomesOf(ports, ordersOf(MOST));
    expect(ports.refusals.areMany).toBe(true);
    const open = service(new Set([at]));
    await outcomesOf({ ...ports, buy: open.buy }, ordersOf(MOST));
    expect(open.bought.length).toBe(MOST - 1);
    expect(ports.refusals.areMany).toBe(false);
  }
});

test('settings that the service does not take cost one probe and one text', async () => {
  const open = service(new Set(ordersOf(MOST).keys()));
  const outcomes = await outcomesOf(portsOf(open, false), ordersOf(MOST));
  expect(outcomes.map(({ outcome }) => outcome.kind)).toEqual(ordersOf(MOST).map(() => 'failed'));
  expect(open.calls.map(({ length }) => length)).toEqual([MOST, 1]);
});

test('a text that was bought alone proves the settings, whatever became of the probe', async () => {
  const open = service(new Set([7, 49]));
  await outcomesOf(portsOf(open, false), ordersOf(MOST));
  expect(open.bought.length).toBe(MOST - 2);
});
