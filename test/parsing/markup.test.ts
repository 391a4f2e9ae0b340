/** A `>` in a quoted value of a tag does not end the tag, in every reader of tags. */
import { expect, test } from 'vitest';
import { ATTRIBUTES, TAG, tagSearch, xliffVersion } from '../../src/parsing/markup.ts';
import { mayShowMore } from '../../src/plan/reader-version.ts';
import type { Route } from '../../src/project.ts';
import { featuresOf } from '../../src/segments/features.ts';

test('the version of XLIFF is that of its start tag', () => {
  expect(xliffVersion('<xliff a="1 > 0" b=\'version="1.0"\' tool-version="3" version="2.1">')).toBe(
    '2.1',
  );
  expect(xliffVersion('<xliff version = "1.2"')).toBe('1.2');
  expect(xliffVersion('<xliff-like version="1.2">')).toBeUndefined();
  expect(xliffVersion('<xliff><file version="1.2">')).toBeUndefined();
});

test('a page with a label behind a value with ">" may have texts that an earlier version did not find', () => {
  const more = (text: string) => mayShowMore(text, 'a.mdx', {} as Route);
  expect(more('<Tab value="a > b" label="Words" />')).toBe(true);
  expect(more('<Tab when={() => 1 > 0} label="Words" />')).toBe(true);
  expect(more('<Tab value="a > b" />\n\nThe label = x')).toBe(false);
});

test('the place of a text is the tag before it', () => {
  const segment = (text: string, inner: string) => ({
    ...{ id: inner, parts: [inner], syntax: 'markup' as const, line: 1 },
    ...{ start: text.indexOf(inner), end: text.indexOf(inner) + inner.length },
    encode: () => inner,
  });
  const text = '<p title="a > b">One text</p> <h2 k=\'x > y\'>Two';
  const places = featuresOf(text, [segment(text, 'One text'), segment(text, 'Two')]);
  expect(places.map(({ place }) => place)).toEqual(['<p', '<h2']);
});

/** Where the time is quadratic, these lengths take longer than a test may. */
const TIMES = 300_000;

test.each<[string, (text: string) => boolean]>([
  ['tags', (text) => new RegExp(TAG, 'g').test(text)],
  ['attributes', (text) => new RegExp(`<x${ATTRIBUTES}>`, 'g').test(text)],
  ['a tag with an attribute', tagSearch(['label'])],
  ['an XLIFF tag', (text) => new RegExp(`<xliff(?=\\s)${ATTRIBUTES}?\\sversion`).test(text)],
  ['texts that an earlier version did not find', (text) => mayShowMore(text, 'a.mdx', {} as Route)],
])('%s: what never ends is searched in linear time', (_, isFound) => {
  for (const piece of [
    '<x a="',
    "<xliff a='b' ",
    '<x ={',
    '<x a= ',
    '<a="<a"',
    "<a='<a'",
    '<a={<a}',
    '<a ',
    '="<a"',
    '](',
    '> [',
    ' ',
    '<x ',
  ])
    expect(isFound(piece.repeat(TIMES))).toBe(false);
});
