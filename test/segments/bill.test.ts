/** The laws of counting and spreading billed characters. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { codePoints, spreadBill } from '../../src/segments/bill.ts';

const sum = (numbers: readonly number[]) => numbers.reduce((a, b) => a + b, 0);

test('characters are code points, as the string iterator counts them', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(codePoints(text)).toBe([...text].length);
    }),
  );
});

test('a lone surrogate is one character', () => {
  expect(codePoints('a\ud83d')).toBe(2);
  expect(codePoints('\ude00\ud83d\ude00')).toBe(2);
});

test('the shares of a bill add up to the bill exactly, whatever the service counted', () => {
  const weights = fc.array(fc.nat(4000), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.nat(200_000), weights, (billed, parts) => {
      const shares = spreadBill(billed, parts);
      expect(shares).toHaveLength(parts.length);
      expect(sum(shares)).toBe(billed);
      expect(shares.every((share) => Number.isInteger(share) && share >= 0)).toBe(true);
    }),
  );
});

test('a bill that equals the characters sent leaves each text its own characters', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(4000), { maxLength: 50 }), (weights) => {
      expect(spreadBill(sum(weights), weights)).toEqual(weights);
    }),
  );
});

test('no share is further than one character from its exact proportion', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 4000 }), { minLength: 1, maxLength: 50 });
  fc.assert(
    fc.property(fc.nat(200_000), weights, (billed, parts) => {
      const total = sum(parts);
      for (const [index, share] of spreadBill(billed, parts).entries()) {
        expect(Math.abs(share - (billed * (parts[index] ?? 0)) / total)).toBeLessThan(1);
      }
    }),
  );
});

test('a bill over empty texts is spread evenly, the earlier ones first', () => {
  expect(spreadBill(5, [0, 0, 0])).toEqual([2, 2, 1]);
});
