/** Why own books and the account's figure differ. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareBooks, type OwnBooks } from '../../src/control/answer-usage.ts';

const OWN: OwnBooks = {
  ...{ characters: 1000, counted: 0, possiblyTwice: 0, unanswered: 0 },
  since: '2026-10-01T00:00:00Z',
};
const PERIOD = { start: '2026-11-01T00:00:00Z', from: 'account' } as const;

const compare = (character_count: number, own: Partial<OwnBooks> = {}, key?: number) =>
  compareBooks({
    own: { ...OWN, ...own },
    account: {
      character_count,
      character_limit: null,
      ...(key === undefined ? {} : { key_character_count: key }),
    },
    period: PERIOD,
  });

test('figures that agree need no reason', () => {
  expect(compare(1000)).toEqual({
    ...{ own_characters: 1000, account_characters: 1000, difference: 0, reasons: [] },
  });
});

test('the usage of other keys of the account is shown to the character', () => {
  const { difference, reasons } = compare(1700, {}, 1000);
  expect(difference).toBe(700);
  expect(reasons).toEqual([{ reason: 'billed to other keys of the account', characters: 700 }]);
});

test('the rest after the known parts is the use of this key by somebody else', () => {
  const { reasons } = compare(1700, { possiblyTwice: 50, unanswered: 20 }, 1200);
  expect(reasons.map(({ characters }) => characters)).toEqual([500, 50, 20, 130]);
  expect(reasons[1]?.reason).toContain('a second time after a lost answer');
  expect(reasons[2]?.reason).toContain('not here yet or was lost');
  expect(reasons[3]?.reason).toContain('other programs with this key');
});

test('books that begin within the period do not know what was before', () => {
  const { reasons } = compare(1700, { since: '2026-11-12T09:00:00Z' });
  expect(reasons[0]?.reason).toBe('these books begin on 2026-11-12, later than the period');
});

test('an account that counts less lags behind, or does not count what we counted', () => {
  const { difference, reasons } = compare(900, { counted: 80 });
  expect(difference).toBe(-100);
  expect(reasons.map(({ characters }) => characters)).toEqual([80, null, null]);
  expect(reasons[1]?.reason).toContain('lag behind');
});

test('an account without a period may count from another day', () => {
  const input = { own: OWN, period: { ...PERIOD, from: 'calendar' } } as const;
  const { reasons } = compareBooks({
    ...input,
    account: { character_count: 1001, character_limit: 500_000 },
  });
  expect(reasons.at(-1)?.reason).toContain('the account reports no period');
});

test('every difference has a reason, and figures of parts are never below nothing', () => {
  const figure = fc.nat(2000);
  fc.assert(
    fc.property(figure, figure, figure, figure, (count, key, possiblyTwice, unanswered) => {
      const { difference, reasons } = compare(count, { possiblyTwice, unanswered }, key);
      expect(reasons.length > 0).toBe(difference !== 0);
      for (const { characters } of reasons) expect(characters ?? 1).toBeGreaterThan(0);
    }),
  );
});
