/** Titles of links and images: found in their markup, and written back so that they are read as they are meant. */
import { describe, expect, it, test } from 'vitest';
import { partsText } from '../../../src/format.ts';
import { titlesIn, withTitles } from '../../../src/formats/grammar/markdown-titles.ts';
import { markdown } from '../../../src/formats/markdown.ts';

const OPTIONS = {
  file: 'a.md',
  sourceLanguage: undefined,
  language: undefined,
  role: 'source',
} as const;

const read = (text: string) => markdown.parse(text, OPTIONS).segments;
const titles = (text: string) => read(text).flatMap(({ parts }) => titlesIn(parts));

it.each([
  ['[a](b.md "The title")', ['The title']],
  ["[a](b.md 'The title') and ![c](d.png (Another))", ['The title', 'Another']],
  ['[![a](b.png "Inner")](c.md "Outer")', ['Inner', 'Outer']],
  ['[a](<b c.md> "Say \\"hi\\" &amp; go")', ['Say "hi" & go']],
  ['[a](b_(c).md "T")', ['T']],
  ['![](b.png "Alone")', ['Alone']],
  ['[a](b.md "123")', []],
  ['[a](b.md) "no title"', []],
  ['`[a](b.md "code")`', []],
  ['[a](b.md "over\ntwo lines")', []],
])('titles of %s: %j', (text, found) => {
  expect(titles(text)).toEqual(found);
});

describe('written back', () => {
  it.each([
    '"',
    "it's",
    '(a) b',
    'back\\slash\\',
    'a | b',
    '&amp; & &x;',
    'two\nlines',
    '](x "y")',
    '\\"',
    '<b> {c} *d* _e_ `f`',
  ])('%j is read as it is meant', (title) => {
    for (const text of ['[a](b "x")', "[a](b 'x')", '[a](b (x))', '| [a](b "x") |\n| --- |\n']) {
      const [segment] = read(text);
      if (segment === undefined) throw new Error(text);
      const written = segment.encode(withTitles(segment.parts, new Map([['x', title]])));
      const whole = text.slice(0, segment.start) + written + text.slice(segment.end);
      const letters = /\p{L}/u.test(title) ? [title.replace(/\s*\n\s*/g, ' ')] : [];
      expect(titles(whole)).toEqual(letters);
    }
  });
});

test('the title of a reference definition is a text of its own, its address is not', () => {
  const text = '[x]: /url "A \\"title\\""\n[y]: <a b>\r\n  \'Another\'\n[z]: /url\n';
  const [first, second, ...others] = read(text);
  expect(partsText(first?.parts ?? [])).toBe('A "title"');
  expect(partsText(second?.parts ?? [])).toBe('Another');
  expect(others).toEqual([]);
  expect(first?.encode(['Say "hi"'])).toBe('Say \\"hi\\"');
  expect(second?.encode(['Say "hi"'])).toBe('Say "hi"');
});

test('titles go with their links, where a translation has these in another order', () => {
  const [first, second] = ['[a](b "One")', '[c](d "Two")'].map(
    (text) => read(text)[0]?.parts ?? [],
  );
  const translated = withTitles(
    [...(second ?? []), ' ', ...(first ?? [])],
    new Map([
      ['One', 'Eins'],
      ['Two', 'Zwei'],
    ]),
  );
  expect(partsText(translated)).toBe('[c](d "Zwei") [a](b "Eins")');
});
