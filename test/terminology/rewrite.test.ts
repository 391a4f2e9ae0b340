import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LanguageTag } from '../../src/language.ts';
import { readGlossary } from '../../src/terminology/read.ts';
import { rewriteTable } from '../../src/terminology/rewrite.ts';

const EN = 'en' as LanguageTag;
const DE = 'de' as LanguageTag;
const FR = 'fr' as LanguageTag;

type Terms = Readonly<Record<string, string>>;

function rewritten(text: string, terms: { de?: Terms; fr?: Terms }, targets = [DE]) {
  const dictionaries = targets.flatMap((target) => {
    const own = terms[target as 'de' | 'fr'];
    return own === undefined ? [] : [{ source: EN, target, entries: new Map(Object.entries(own)) }];
  });
  return rewriteTable({ file: 't.csv', text, kind: 'csv' }, { source: EN, targets }, dictionaries);
}

test('a column per language: notes, other languages and what did not change stay byte for byte', () => {
  const before =
    'en;de;it;note\r\n"cart";Wagen;carrello;"a ""note"""\r\nsail;Segel;;cloth\r\nold;alt;;x\r\nmast;Mast;albero;\r\n';
  expect(rewritten(before, { de: { cart: 'Wagen', sail: 'Tuch', hull: 'Rumpf' } })).toBe(
    'en;de;it;note\r\n"cart";Wagen;carrello;"a ""note"""\r\nsail;Tuch;;cloth\r\nmast;;albero;\r\nhull;Rumpf\r\n',
  );
});

test('a language that has no column yet gets one', () => {
  expect(
    rewritten('en,de\ncart,Wagen\n', { de: { cart: 'Wagen' }, fr: { cart: 'panier' } }, [DE, FR]),
  ).toBe('en,de,fr\ncart,Wagen,panier\n');
});

test('phrases with codes: rows of other pairs stay, new ones say their pair', () => {
  const before = 'Source,Target\ncart,Wagen,en,de,100\ncart,panier,en,fr\ngone,weg,en,de\n';
  expect(rewritten(before, { de: { cart: 'Karren', sail: 'Segel' } })).toBe(
    'Source,Target\ncart,Karren,en,de,100\ncart,panier,en,fr\nsail,Segel,en,de\n',
  );
});

test('two columns without a line end at the end of the file', () => {
  expect(rewritten('cart,Wagen', { de: { cart: 'Wagen', 'a, b': 'c' } })).toBe(
    'cart,Wagen\n"a, b",c\n',
  );
});

test('an equal table is not touched, and a phrase that occurs twice is written once', () => {
  const odd = '\n"cart" ,  Wagen\n\n"sail",Segel\n\n';
  expect(rewritten(odd, { de: { cart: 'Wagen', sail: 'Segel' } })).toBe(odd);
  expect(rewritten('a,b\na,c\n', { de: { a: 'c' } })).toBe('a,c\n');
});

test('a table without rows holds nothing to keep', () => {
  expect(rewritten('\n', { de: { a: 'b' } })).toBeUndefined();
});

test('any rewritten table is read back as the terms of the service', () => {
  const phrase = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 8 })
    .map((text) => `x${text.replaceAll(/[\p{Cc}\u2028\u2029\s]/gu, '')}`);
  const terms = fc.uniqueArray(fc.tuple(phrase, phrase), {
    selector: ([source]) => source,
    maxLength: 6,
  });
  const heading = fc.constantFrom('en,de,note\n', 'source,target\n', '');
  fc.assert(
    fc.property(heading, terms, terms, (first, before, after) => {
      const quote = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
      const text = `${first}a,b\n${before.map((row) => `${row.map(quote).join(',')}\n`).join('')}`;
      const now = rewritten(text, { de: Object.fromEntries(after) }) ?? '';
      const expected = { source: EN, targets: [DE] };
      const read = readGlossary([{ file: 't.csv', bytes: Buffer.from(now), expected }]);
      expect(read.faults).toEqual([]);
      expect(new Map(read.dictionaries[0]?.entries)).toEqual(new Map(after));
    }),
    { numRuns: 300 },
  );
});
