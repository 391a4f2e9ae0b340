import { expect, test } from 'vitest';
import { missingTerms } from '../../src/segments/term-occurrence.ts';
import { TermIndex } from '../../src/segments/terms.ts';

const index = new TermIndex(
  new Map([
    ['cart', 'Warenkorb'],
    ['shopping cart', 'Einkaufswagen'],
    ['house', 'Haus'],
    ['購物車', '장바구니'],
  ]),
);
const found = (text: string) => index.termsIn(text).map(({ source }) => source);

test('terms are whole words in any case, the longest first', () => {
  expect(found('A Cart, a carton and a CART')).toEqual(['cart']);
  expect(found('The shopping cart of a house')).toEqual(['shopping cart', 'house']);
  expect(found('shopping for a cart')).toEqual(['cart']);
});

test('scripts without blanks are looked through character by character', () => {
  expect(found('我的購物車是空的')).toEqual(['購物車']);
});

test('the signature of a text changes with the terms that it holds, and with no other', () => {
  const other = new TermIndex(
    new Map([
      ['cart', 'Korb'],
      ['house', 'Haus'],
    ]),
  );
  expect(other.signature('a house')).toBe(index.signature('a house'));
  expect(other.signature('a cart')).not.toBe(index.signature('a cart'));
  expect(index.signature('nothing of it')).toBeUndefined();
});

test('a target phrase that does not occur is missing, and another form of it is reported as another form', () => {
  const kinds = (source: string, target: string) =>
    missingTerms(source, target, index).map(({ source: term, kind }) => `${term} ${kind}`);
  expect(kinds('The cart', 'Der Warenkorb ist voll')).toEqual([]);
  expect(kinds('The carts and the cart', 'Die Warenkörbe')).toEqual(['cart inflected']);
  expect(kinds('The house', 'Die Häuser')).toEqual(['house missing']);
  expect(kinds('The cart', 'Der Wagen')).toEqual(['cart missing']);
});
