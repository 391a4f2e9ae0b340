import { expect, test } from 'vitest';
import { TermIndex } from '../../src/segments/terms.ts';
import { termsMissing } from '../../src/translate/rule-notes.ts';

test('a term that many texts lack is one sentence, with the first of them', () => {
  const index = new TermIndex(
    new Map([
      ['cart', 'Warenkorb'],
      ['checkout', 'Kasse'],
    ]),
  );
  const text = { projectTerms: { terms: { index, version: '1' } } } as never;
  const lacking = Array.from({ length: 210 }, (_, nth) => {
    return { id: `k${nth}`, source: 'Your cart', target: 'Ihr Wagen' };
  });
  const other = { id: 'pay', source: 'Checkout', target: 'Bezahlen' };
  expect(termsMissing(text, [...lacking, other])).toEqual([
    'k0, k1, k2 and 207 more: the glossary says "Warenkorb" for "cart": it does not occur',
    'pay: the glossary says "Kasse" for "checkout": it does not occur',
  ]);
});
