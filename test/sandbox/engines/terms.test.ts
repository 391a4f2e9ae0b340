import { expect, test } from 'vitest';
import { splitTerms } from '../../../src/sandbox/engines/terms.ts';

const shown = (text: string, terms: Record<string, string>) =>
  splitTerms(text, new Map(Object.entries(terms)))
    .map((part) => (part.term === undefined ? part.text : `‹${part.term}›`))
    .join('');

test('terms are found as whole words only', () => {
  const terms = { art: 'Kunst', 'C++': 'Cpp', '.NET': 'dotnet' };
  expect(shown('art, party, Art, start art', terms)).toBe('‹Kunst›, party, Art, start ‹Kunst›');
  expect(shown('C++ and .NET', terms)).toBe('‹Cpp› and ‹dotnet›');
});

test('the longest phrase wins, also over a line break', () => {
  const terms = { time: 'Zeit', 'time zone': 'Zeitzone', 'time zone\nlist': 'Liste' };
  expect(shown('time zone\nlist time zone time', terms)).toBe('‹Liste› ‹Zeitzone› ‹Zeit›');
});

test('terms are found inside sentences without blanks', () => {
  expect(shown('これはアカウントです', { アカウント: 'account' })).toBe('これは‹account›です');
});

test('a glossary of 300,000 entries is applied at once', () => {
  const terms = new Map(Array.from({ length: 300_000 }, (_, i) => [`phrase ${i}`, `Satz ${i}`]));
  expect(splitTerms('one phrase 299999 more', terms)).toEqual([
    { text: 'one ' },
    { text: 'phrase 299999', term: 'Satz 299999' },
    { text: ' more' },
  ]);
});
