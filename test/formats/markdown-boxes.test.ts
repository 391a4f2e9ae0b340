/** Boxes and tabs of MkDocs: their content is read as it is read outside of a box, also directly below the title. */
import { expect, test } from 'vitest';
import { partsText } from '../../src/format.ts';
import { markdown } from '../../src/formats/markdown.ts';
import type { LanguageTag } from '../../src/language.ts';

const EN = 'en' as LanguageTag;

function textsOf(page: string): string[] {
  const options = { file: 'a.md', sourceLanguage: EN, language: EN, role: 'source' } as const;
  return markdown.parse(page, options).segments.map(({ parts }) => partsText(parts));
}

const OPENINGS = ['!!! note "Title"', '??? tip "Title"', '???+ info inline "Title"', '=== "Title"'];
/** Around a box: the lines before it, and its indentation. */
const PLACES = [
  ['', ''],
  ['- An item\n\n', '    '],
  ['Words.\n\n', ''],
  ['!!! outer "Outside"\n', '    '],
  ['=== "Outside"\n\n', '    '],
] as const;
const BLOCKS = [
  '- one\n- two',
  '* one\n\n  more\n* two',
  '1. one\n2. two',
  '3. one\n4. two',
  '12. one\n13. two',
  '| A | B |\n| - | - |\n| c | d |',
  'A | B\n- | -\nc | d',
  '## A heading\nWords below it.',
  '> A quote,\n> on two lines.',
  '```sh\n# a comment\n\n- no list\n```',
  '    indented code',
  '---',
  '[label]: /to/a/page "A title"',
  'Words,\non two lines.',
  'Words:\n\n- one\n- two',
  '!!! inner "Inside"\n    - one',
  '=== "Inside"\n    Words inside.\n\n    More words.',
];

const indented = (text: string, by: string) => text.replace(/^(?=[^\n])/gm, by);

test.each(BLOCKS)(
  'directly below a title, %j and what follows it are the texts that they are elsewhere',
  (block) => {
    const content = `${block}\n\nLast words.`;
    for (const opening of OPENINGS) {
      for (const [before, indent] of PLACES) {
        const inside = indented(`${opening}\n${indented(content, '    ')}`, indent);
        const page = `${before}${inside}\n\nThe end.\n`;
        const around = textsOf(`${before}${indent}${opening}\n\nThe end.\n`);
        expect({ page, texts: textsOf(page) }).toEqual({
          page,
          texts: [...around.slice(0, -1), ...textsOf(`${content}\n`), ...around.slice(-1)],
        });
      }
    }
  },
);

test('in the first line of an item, too', () => {
  expect(textsOf('- !!! note "Title"\n      - one\n      - two\n- next\n')).toEqual([
    'Title',
    'one',
    'two',
    'next',
  ]);
});
