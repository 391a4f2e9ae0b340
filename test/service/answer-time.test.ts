import { expect, test } from 'vitest';
import { AnswerTime } from '../../src/service/answer-time.ts';

/** Pieces with the milliseconds that each is waited for. @returns the index of the piece that is too late; -1: none is */
function lateIn(pieces: readonly (readonly [ms: number, bytes: number])[], mostMs: number): number {
  let now = 1000;
  const time = new AnswerTime({ now: () => now }, mostMs);
  return pieces.findIndex(([ms, bytes]) => {
    time.waits();
    now += ms;
    return !time.arrived(bytes);
  });
}

const pieces = (count: number, ms: number, bytes: number) =>
  Array.from({ length: count }, () => [ms, bytes] as const);

test('an answer that drips is given up after a minute, however long it may take', () => {
  expect(lateIn(pieces(600, 1000, 1), Number.POSITIVE_INFINITY)).toBe(59);
  expect(lateIn([[50_000, 5000], ...pieces(600, 1000, 1)], Number.POSITIVE_INFINITY)).toBe(70);
});

test('a slow transfer goes on up to its limit', () => {
  expect(lateIn(pieces(600, 1000, 20), Number.POSITIVE_INFINITY)).toBe(-1);
  expect(lateIn(pieces(600, 1000, 20), 120_000)).toBe(120);
});

test('the time in which nobody waits for a piece does not count', () => {
  let now = 0;
  const time = new AnswerTime({ now: () => now }, Number.POSITIVE_INFINITY);
  for (let n = 0; n < 10; n++) {
    time.waits();
    now += 10;
    expect(time.arrived(1)).toBe(true);
    now += 60_000;
  }
});

test.each([130_000, 7_200_000, -7_200_000])(
  'a clock that is set by %d ms, or a machine that sleeps, makes no answer late that has arrived',
  (ms) => {
    expect(lateIn([[ms, 300]], 120_000)).toBe(-1);
    expect(lateIn([[ms, 300], ...pieces(20, 1000, 20)], 120_000)).toBe(-1);
    expect(lateIn([...pieces(30, 1000, 20), [ms, 20], ...pieces(600, 1000, 20)], 120_000)).toBe(
      121,
    );
  },
);
