/** A paragraph that is bought again keeps a person's changes in its markup, if the source is the same there. */
import { expect, test } from 'vitest';
import { partsText } from '../../../src/format.ts';
import { ownMarkup } from '../../../src/formats/grammar/own-markup.ts';
import { markdown } from '../../../src/formats/markdown.ts';

const OPTIONS = {
  file: 'a.md',
  sourceLanguage: undefined,
  language: undefined,
  role: 'source',
} as const;

function partsOf(text: string) {
  return markdown.parse(text, OPTIONS).segments[0]?.parts ?? [];
}

/** The present source with the markup that a person gave the translation of the earlier source. */
function merged(before: string, current: string, now: string, isOurs = false): string {
  const replaced = { source: partsText(partsOf(before)), current: partsOf(current), isOurs };
  return partsText(ownMarkup(partsOf(now), replaced).applied(partsOf(now)));
}

test.each([
  ['a destination', '[a](/en/x) b', '[ä](/de/x) c', '[a](/en/x) d', '[a](/de/x) d'],
  ['a title', '[a](/x "T") b', '[ä](/x "Ü") c', '[a](/x "T") d', '[a](/x "Ü") d'],
  ['a title that was taken away', '[a](/x "T") b', '[ä](/x) c', '[a](/x "T") d', '[a](/x) d'],
  ['a title that was added', '[a](/x) b', '[ä](/x "Ü") c', '[a](/x) d', '[a](/x "Ü") d'],
  [
    'the title where the destination follows the source',
    '[a](/x "T") b',
    '[ä](/de/x "Ü") c',
    '[a](/y "T") d',
    '[a](/y "Ü") d',
  ],
  [
    'the destination where the title follows the source',
    '![a](x.png "T") b',
    '![ä](x-de.png "Ü") c',
    '![a](x.png "New") d',
    '![a](x-de.png "New") d',
  ],
  [
    'links in another order',
    '[a](/en/a) or [b](/en/b "T")',
    '[b](/de/b "Ü") oder [a](/de/a)',
    'Now [a](/en/a) or [b](/en/b "T")',
    'Now [a](/de/a) or [b](/de/b "Ü")',
  ],
  [
    'code',
    'Use `en.json` or `x`',
    'Nutze `x` oder `de.json`',
    'Do use `en.json`',
    'Do use `de.json`',
  ],
  [
    'attributes of a tag',
    'A <b class="x" title="T">b</b> c',
    'A <b title="Ü" class="x" lang="de">b</b> c',
    'A <b class="y" title="T">b</b> d',
    'A <b class="y" title="Ü" lang="de">b</b> d',
  ],
  [
    'a tag as a person spelled it',
    'A <a href="/x" title="T">b</a> c',
    "A <a title='Ü' href='/de'>b</a> c",
    'A <a href="/x" title="T">b</a> d',
    "A <a title='Ü' href='/de'>b</a> d",
  ],
  [
    'tags that stand in another order',
    'A <a href="/x">b</a> <i class="k">c</i>',
    'A <i class="l">c</i> <a href="/de">b</a>',
    'B <a href="/x">b</a> <i class="k">c</i>',
    'B <a href="/de">b</a> <i class="l">c</i>',
  ],
])('%s stays', (_what, before, current, now, then) => {
  expect(merged(before, current, now)).toBe(then);
});

test.each([
  ['a destination that the source changed', '[a](/s) b', '[ä](/de/x) c', '[a](/x) d'],
  ['links that do not match one by one', '[a](/x) b', '[ä](/de/x) [c](/de/c)', '[a](/x) d'],
  ['one that became two', '[a](/x) [b](/x)', '[ä](/de/a) [c](/de/c)', '[a](/x) d'],
  ['code that is another one', 'a `x` `y`', 'b `p` `q`', 'a `x` `y` d'],
])('%s follows the source', (_what, before, current, now) => {
  expect(merged(before, current, now)).toBe(now);
});

test('a title that the machine left as it was is open, and one that a person left is not', () => {
  const source = partsOf('[a](/x "T") b');
  const link = source.find((part) => typeof part !== 'string' && part.raw.includes('T'));
  if (link === undefined || typeof link === 'string') throw new Error('no link');
  const replaced = { source: partsText(source), current: partsOf('[ä](/x "T") b') };
  expect(ownMarkup(source, { ...replaced, isOurs: true }).keepsTitle(link)).toBe(false);
  expect(ownMarkup(source, replaced).keepsTitle(link)).toBe(true);
});
