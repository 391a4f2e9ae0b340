import { expect, test } from 'vitest';
import type { StepwiseWork } from '../../src/clock.ts';
import type { LanguageTag } from '../../src/language.ts';
import { packDictionary, unpackDictionary } from '../../src/segments/dictionary.ts';
import { missingTerms } from '../../src/segments/term-occurrence.ts';
import { TermIndex } from '../../src/segments/terms.ts';
import { differencesIn } from '../../src/terminology/diff.ts';

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

test('a large glossary is unpacked, compared and ordered in small steps, so that a daemon answers meanwhile', async () => {
  const rows = Array.from({ length: 20_000 }, (_, n) => [`term ${n}`, `Wort ${n}`] as const);
  const pair = { source: 'en' as LanguageTag, target: 'de' as LanguageTag };
  const packed = packDictionary({ ...pair, entries: new Map(rows) });
  const counted = <T>(work: StepwiseWork<T>): readonly [number, T] => {
    for (let steps = 0; ; steps++) {
      const { done, value } = work.next();
      if (done === true) return [steps, value];
    }
  };
  const [unpacking, dictionary] = counted(unpackDictionary(packed));
  expect([unpacking, [...dictionary.entries]]).toEqual([rows.length, rows]);
  const more = { ...pair, entries: new Map([...rows, ['new', 'neu']]) };
  const [comparing, differences] = counted(differencesIn('mirror', [more], [dictionary]));
  expect(comparing).toBe(2 * rows.length + 1);
  expect(differences.map(({ entries }) => entries)).toEqual([
    { added: [{ source: 'new', to: 'neu' }], changed: [], removed: [] },
  ]);
  const index = new TermIndex(dictionary.entries);
  await index.prepare();
  expect(index.termsIn('a term 7')).toEqual(new TermIndex(new Map(rows)).termsIn('a term 7'));
});
