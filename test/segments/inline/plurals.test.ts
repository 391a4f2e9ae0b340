/** Plural categories, formulas and forms. */

import { existsSync, globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LanguageTag } from '../../../src/language.ts';
import { formSamples, gettextHeader, qtForms } from '../../../src/segments/inline/plural-forms.ts';
import { parsePluralForms } from '../../../src/segments/inline/plural-formula.ts';
import { numbersIn, pluralCategories, sampleNumber } from '../../../src/segments/inline/plurals.ts';
import { CORPUS } from '../../corpus.ts';

const tag = (code: string) => code as LanguageTag;
const samples = (header: string) => {
  const forms = parsePluralForms(header);
  return forms && formSamples(forms);
};

test.each([
  ['pl', 'one few many other'],
  ['ja', 'other'],
  ['ar', 'zero one two few many other'],
  ['he', 'one two other'],
  ['fr', 'one many other'],
])('%s has the categories %s', (language, categories) => {
  expect(pluralCategories(tag(language)).join(' ')).toBe(categories);
});

test('ordinals have categories of their own', () => {
  expect(pluralCategories(tag('en'), 'ordinal').join(' ')).toBe('one two few other');
});

test('the sample of a category is a number from two up, where it has one', () => {
  expect(sampleNumber(numbersIn('few', tag('pl')))).toBe(2);
  expect(sampleNumber(numbersIn('many', tag('pl')))).toBe(5);
  expect(sampleNumber(numbersIn('one', tag('de')))).toBe(1);
  expect(sampleNumber(numbersIn('other', tag('pl')))).toBeUndefined();
});

test.each([
  ['nplurals=1; plural=0;', [2]],
  ['nplurals=2; plural=(n != 1);', [1, 2]],
  ['nplurals=2; plural=n>1', [1, 2]],
  [
    'nplurals=3; plural=n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2;',
    [1, 2, 5],
  ],
  ['nplurals=2; plural=!(n-1)*1;', [2, 1]],
  ['nplurals=2; plural=n/2%2;', [4, 2]],
])('%s is read', (header, expected) => {
  expect(samples(header)).toEqual(expected);
});

test('a form that no whole number reaches has no sample', () => {
  const russian =
    'nplurals=4; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : n%10==0 || (n%10>=5 && n%10<=9) || (n%100>=11 && n%100<=14)? 2 : 3);';
  expect(samples(russian)).toEqual([21, 2, 5, undefined]);
});

test.each([
  '',
  'nplurals=INTEGER; plural=EXPRESSION;',
  'nplurals=0; plural=0;',
  'nplurals=2; plural=(n != 1;',
  'nplurals=2; plural=n ? 1;',
  'nplurals=2; plural=n 1;',
  'nplurals=2; plural=process.exit(1);',
  'nplurals=2; plural=1 +;',
])('%j is refused', (header) => {
  expect(parsePluralForms(header)).toBeUndefined();
});

test('a formula that names a form that is not there means the first', () => {
  expect(parsePluralForms('nplurals=2; plural=n;')?.indexOf(7)).toBe(0);
  expect(parsePluralForms('nplurals=2; plural=1/0;')?.indexOf(1)).toBe(0);
});

test('whatever a header holds, reading it ends and gives a form that is there', () => {
  const token = fc.constantFrom(
    'n',
    '1',
    '2',
    '10',
    '+',
    '-',
    '%',
    '/',
    '?',
    ':',
    '(',
    ')',
    '!',
    '==',
    '&&',
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 15 }), fc.nat(300), (tokens, n) => {
      const forms = parsePluralForms(`nplurals=3; plural=${tokens.join(' ')};`);
      expect([0, 1, 2]).toContain(forms?.indexOf(n) ?? 0);
    }),
    { numRuns: 500 },
  );
});

test('the header of a new file distinguishes numbers as CLDR does, for every language with known formulas', () => {
  const languages =
    'ar be bg bs ca cs cy da de el en es et eu fa fi fil fr ga gd gl gu he hi hr hu hy id is it ja ka kk km kn ko lo lt lv mk ml mn mr ms mt my nb ne nl pa pl pt ro ru si sk sl sq sr sv sw ta te th tr uk ur uz vi zh zu';
  for (const language of languages.split(' ').map(tag)) {
    const forms = parsePluralForms(gettextHeader(language));
    const classes = pluralCategories(language)
      .map((category) => numbersIn(category, language))
      .filter((numbers) => numbers.length > 0);
    const indexes = classes.map((numbers) => [...new Set(numbers.map((n) => forms?.indexOf(n)))]);
    expect(indexes.flat().sort(), language).toEqual(classes.map((_, form) => form));
    expect(forms?.count, language).toBe(classes.length);
  }
});

test.each([
  ['de', 2],
  ['ja', 1],
  ['tr', 1],
  ['pl', 3],
  ['he', 2],
  ['lv', 3],
  ['sl', 4],
  ['ar', 6],
  ['zh-Hans', 1],
])('Qt counts the forms of %s as %d, and every one is reached', (language, count) => {
  const forms = qtForms(tag(language));
  expect(forms.count).toBe(count);
  expect(formSamples(forms)).not.toContain(undefined);
});

test.skipIf(!existsSync(CORPUS))('every Plural-Forms header of the corpus is read', () => {
  const headers = globSync('**/*.po', { cwd: CORPUS }).flatMap((file) => {
    const text = readFileSync(`${CORPUS}/${file}`, 'latin1')
      .slice(0, 4000)
      .replaceAll(/"\r?\n"/g, '');
    return /"[^"]*?Plural-Forms:\s*([^"]*?)\\n/.exec(text)?.[1] ?? [];
  });
  const unread = headers.filter((header) => parsePluralForms(header) === undefined);
  expect(headers.length).toBeGreaterThan(0);
  expect(unread.filter((header) => !header.includes('INTEGER'))).toEqual([]);
});
