/** Days of the books, and where they lead to. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billedByDay, forecast } from '../../src/control/period.ts';

const NOW = Date.parse('2026-11-20T12:00:00Z');
const days = (...billed: number[]) =>
  billed.map((billed_characters, nth) => ({ day: `2026-11-${nth + 10}`, billed_characters }));

test('days on which nothing was billed are there with 0', () => {
  const billed = new Map([
    ['2026-11-18', 3],
    ['2026-11-20', 9],
    ['2026-10-01', 9],
  ]);
  expect(billedByDay((day) => billed.get(day) ?? 0, { days: 4, now: NOW })).toEqual([
    { day: '2026-11-17', billed_characters: 0 },
    { day: '2026-11-18', billed_characters: 3 },
    { day: '2026-11-19', billed_characters: 0 },
    { day: '2026-11-20', billed_characters: 9 },
  ]);
});

test('days over the end of a month and a leap day follow each other', () => {
  const now = Date.parse('2028-03-01T00:00:00Z');
  expect(billedByDay(() => 0, { days: 3, now }).map(({ day }) => day)).toEqual([
    '2028-02-28',
    '2028-02-29',
    '2028-03-01',
  ]);
});

test('the forecast goes on at the pace of the last seven days', () => {
  const period = { start: Date.parse('2026-11-01'), end: Date.parse('2026-12-01') };
  const input = { period, now: NOW, used: 1000, days: days(900, 7, 7, 7, 7, 7, 7, 7) };
  expect(forecast(input)).toBe(1000 + Math.round(7 * 10.5));
});

test('a forecast is never below what is used, and is just that at the end of the period', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.array(fc.nat(1e6), { maxLength: 30 }),
      fc.nat(40),
      (used, billed, left) => {
        const period = { start: 0, end: NOW + left * 86_400_000 };
        const foreseen = forecast({ period, now: NOW, used, days: days(...billed) });
        expect(foreseen).toBeGreaterThanOrEqual(used);
        if (left === 0) expect(foreseen).toBe(used);
      },
    ),
  );
});
