/** Blocks of Python-Markdown (`/// tip | Title` to `///`) and includes: the lines are the frame, titles and contents are texts. */
import { expect, test } from 'vitest';
import { partsText } from '../../src/format.ts';
import { markdown } from '../../src/formats/markdown.ts';
import type { LanguageTag } from '../../src/language.ts';

const EN = 'en' as LanguageTag;

function textsOf(page: string): string[] {
  const options = { file: 'a.md', sourceLanguage: EN, language: EN, role: 'source' } as const;
  return markdown.parse(page, options).segments.map(({ parts }) => partsText(parts));
}

test.each([
  ['without a title', '/// tip\n\nA text.\n\n///', ['A text.']],
  ['with a title', '/// note | A title\n\nA text.\n\n///', ['A title', 'A text.']],
  [
    'without blank lines',
    '/// note | A title\nA text,\non two lines.\n///',
    ['A title', 'A text, on two lines.'],
  ],
  ['of a kind of its own', '///my-kind|A title\n\nA text.\n\n///', ['A title', 'A text.']],
  ['with a list', '/// tip\n\n* one\n* two\n\n///', ['one', 'two']],
  ['with a list and no blank lines', '/// tip\n* one\n* two\n///', ['one', 'two']],
  ['with code', '/// tip\n\n```sh\n/// note | No title\n```\n\n///', []],
  [
    'in another block',
    '//// tab | Outside\n\n/// tip | Inside\n\nA text.\n\n///\n\n////',
    ['Outside', 'Inside', 'A text.'],
  ],
  [
    'in an item',
    '* one\n\n    /// tip | A title\n\n    A text.\n\n    ///\n\n* two',
    ['one', 'A title', 'A text.', 'two'],
  ],
  ['in a quote', '> /// tip | A title\n>\n> A text.\n>\n> ///', ['A title', 'A text.']],
  [
    'with options',
    '/// details | A title\n    type: warning\n    open: true\n\nA text.\n\n///',
    ['A title', 'A text.'],
  ],
  [
    'with options in an item',
    '1.  /// details\n        open: true\n\n    A text.\n\n    ///',
    ['A text.'],
  ],
  ['with an argument that is no title', '/// html | div.wide\n\nA text.\n\n///', ['A text.']],
  ['for a caption', '/// figure-caption | #fig-1\n\nA text.\n\n///', ['A text.']],
] as const)('a block %s', (_, block, texts) => {
  const page = `# Head\n\n${block}\n\nThe end.\n`;
  expect(textsOf(page)).toEqual(['Head', ...texts, 'The end.']);
  expect(textsOf(page.replaceAll('\n', '\r\n'))).toEqual(['Head', ...texts, 'The end.']);
});

test.each([
  '{* ../../docs_src/app/main.py hl[9:12] *}',
  '{* ../../docs_src/app/main.py ln[1:5] hl[3] *}\n{* ../../docs_src/app/other.py *}',
  '{!../../docs_src/words.md!}',
  '--8<-- "docs/includes/words.md"',
])('an include is no text: %j', (include) => {
  expect(textsOf(`# Head\n\n${include}\n\n* one\n\n    ${include}\n\nThe end.\n`)).toEqual([
    'Head',
    'one',
    'The end.',
  ]);
});

test.each([
  '/// three words | here',
  'See file:///tmp/a/b now.',
  'A text with {* words *} inside.',
])('words that only look like it stay a text: %j', (words) =>
  expect(textsOf(`${words}\n`)).toEqual([words]),
);
