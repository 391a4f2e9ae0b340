import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JobFailure } from '../../../src/failure.ts';
import type { Doc } from '../../../src/format.ts';
import { type KnownPieces, readInPieces } from '../../../src/formats/grammar/markdown-blocks.ts';
import { markdownDoc } from '../../../src/formats/grammar/markdown-file.ts';
import type { MarkdownDialect } from '../../../src/formats/grammar/markdown-tree.ts';

const inPieces: MarkdownDialect = {
  name: 'markdown',
  leastPiece: 40,
  extensions: [],
  mdastExtensions: [],
};
const whole: MarkdownDialect = { ...inPieces, leastPiece: Number.POSITIVE_INFINITY };

/** The reason, where the front matter is malformed. */
function docOf(text: string, dialect: MarkdownDialect, near?: Doc): Doc | string {
  try {
    return markdownDoc(text, dialect, { file: 'page.md' }, near);
  } catch (error) {
    if (error instanceof JobFailure) return error.message;
    throw error;
  }
}

/** The results of a reader for a page, and the form of a new text that needs escapes. */
function readingOf(doc: Doc | string) {
  if (typeof doc === 'string') return doc;
  return doc.segments.map(({ encode, ...segment }) => ({
    ...segment,
    written: encode(['# [one] *two* [^a] & [b]']),
  }));
}

const FRAGMENTS = [
  'A *paragraph* that is longer than the least piece',
  'Words alone, and more of them: no markup.',
  'Words on\ntwo lines',
  'Words\n===',
  'Words\n---',
  'Words  \nwith a hard break',
  'Words\\\nwith another',
  'Words with a tab\tand blanks at the end  ',
  'Words\n- item\n- item',
  'Words\n1. item',
  'Words\n| a | b |\n| - | - |\n| c | d |',
  'a | b\n- | -\nc | d',
  'Head\n:--\ncell',
  'see www.example.com and x@y.org, https://z.org',
  'caf\u00e9 na\u00efve \u65e5\u672c\u8a9e. \u0421\u043b\u043e\u0432\u043e',
  '&copy; and \\*escaped\\* and a lone \\',
  'Words in [brackets] and \\~escaped\\~ \\&copy; \\&amp; \\{{ marks }}',
  '[Words] in [brackets\nover lines]',
  'Words with [one](/url "A title") and \\[two words](x)',
  '# Heading',
  '# Heading\nWords at once',
  '## Heading with an [one] and "quotes"',
  '# Heading \\#\n\n# Heading # one',
  '## Heading ##',
  '- item\n\n  more of the item\n\n      code',
  '- item\n\n\n- item',
  '1. item\n\n   ```\n   fence in item',
  '- ```\n  fence in item',
  '> quote\nlazy line',
  '> ```\n> fence in quote',
  '```js\ncode\n\nmore code\n```',
  '```',
  '~~~\n\nopen fence',
  '   ```',
  '    indented code\n\n    more',
  '<div>\n\nWords in HTML\n\n</div>',
  '<!-- comment\n\nWords in a comment\n\n-->',
  '<!-- open comment',
  '-->',
  '<script>\n\nlet x;\n\n</script>',
  '<style>',
  '</style>',
  '<?php\n\necho',
  '?>',
  '<b>inline</b> html',
  '[one]: /url "A title"',
  '> [b]: /url',
  '- [two words]: <x>',
  '[^a]: A footnote.\n\n    More of it.',
  'A call[^a], [one], [Two\nWords], [text][b], ![image][one] and [none].',
  '> [two\n> words] in a quote [^a]',
  '- a [one]\n- [ ] task [b]',
  '| [one] | `[b]` |\n| - | - |\n| ![b] | x |',
  '[one]',
  '[b][]',
  '\\[one]',
  '---\ntitle: No front matter\n---',
  '+++\ntitle = "none"\n+++',
  '***',
  '{: .lead}',
  'Words\n{: .lead}',
  'Costs $5 to $6 and $x = y$',
  'W\u0000rds',
  '\u00a0Words\u00a0',
  'Words\u2028and more',
  '![image *alt*](x "Title") **bold**',
  ':::note\nWords\n:::',
  '  Words behind blanks',
  '\tcode',
];
const FRONT = ['', '---\ntitle: A page\n---\n', '+++\ntitle = "x"\n+++\n\n', '---\n\n'];

const fragments = fc.array(
  fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom('\n\n', '\n\n', '\n', '\n \t\n\n')),
  { maxLength: 12 },
);
const frame = fc.record({
  front: fc.constantFrom(...FRONT),
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
});

function pageOf(
  { front, lineEnd }: { front: string; lineEnd: string },
  ...texts: readonly (readonly string[])[]
): string {
  return (front + texts.flat().join('')).replaceAll('\n', lineEnd);
}

describe('a Markdown page that is read in pieces', () => {
  it('has the texts of the page that is parsed whole', () => {
    fc.assert(
      fc.property(frame, fragments, (around, texts) => {
        const page = pageOf(around, texts.flat());
        expect(readingOf(docOf(page, inPieces))).toEqual(readingOf(docOf(page, whole)));
      }),
    );
  });

  it('has the texts of a page of any brackets, escapes and addresses that is parsed whole', () => {
    const characters = [...'#\t[]()\\\\~*:!^$&;{}x|-._@ \n', 'a', 'b', '\n\n', 'www', 'http://'];
    const page = fc.string({ unit: fc.constantFrom(...characters), maxLength: 40 });
    const ended = fc.constantFrom('', '\n\n[a]: x', '\n\n*c*');
    fc.assert(
      fc.property(
        fc.constantFrom('', '# ', '## [', '###### ', '#  ', '#\t'),
        page,
        ended,
        (front, words, end) => {
          const text = `${front}a${words}a${end}`;
          expect(readingOf(docOf(text, inPieces))).toEqual(readingOf(docOf(text, whole)));
        },
      ),
      { numRuns: 400 },
    );
  });

  const REST = '\n\nMore *words*'.repeat(8);
  it.each([
    ['a `>` that marks no quote in a label', `A [b\n    > c] *d*${REST}\n\n[b > c]: /u`],
    ['NUL in a label', `A [b\0c] *d*${REST}\n\n[b\0c]: /u`],
    [
      'a label that folding makes long',
      `A [${'ß'.repeat(600)}]${REST}\n\n[${'ß'.repeat(600)}]: /u`,
    ],
    ['U+FEFF at the start of a piece', `Words\n\n\uFEFF# Head${REST}`],
    [
      'a call of a footnote behind indented code',
      `Words\n\n    code\nA [^a] *b*${REST}\n\n[^a]: c`,
    ],
  ])('has the texts of the page parsed whole with %s', (_, page) => {
    for (const leastPiece of [1, 8, 40])
      expect(readingOf(docOf(page, { ...inPieces, leastPiece }))).toEqual(
        readingOf(docOf(page, whole)),
      );
  });

  it('takes no piece over when other labels with the same commas are defined', () => {
    const page = (definitions: string) => `A [a], [b], [a,b] *c*${REST}\n\n${definitions}`;
    const near = docOf(page('[a]: x\n\n[b]: x'), inPieces);
    if (typeof near === 'string') throw new TypeError(near);
    const now = page('[a,b]: x');
    expect(readingOf(docOf(now, inPieces, near))).toEqual(readingOf(docOf(now, whole)));
  });

  it('has the same texts when pieces of an earlier page are taken over', () => {
    fc.assert(
      fc.property(
        frame,
        fc.tuple(fragments, fragments, fragments, fragments),
        (around, [head, before, now, tail]) => {
          const page = pageOf(around, head.flat(), now.flat(), tail.flat());
          const near = docOf(pageOf(around, head.flat(), before.flat(), tail.flat()), inPieces);
          fc.pre(typeof near !== 'string');
          expect(readingOf(docOf(page, inPieces, near))).toEqual(readingOf(docOf(page, whole)));
        },
      ),
    );
  });

  it('parses only a few pieces again when one paragraph was edited', () => {
    const paragraphs = Array.from(
      { length: 6000 },
      (_, n) => `The *paragraph* number ${n} of a page`,
    );
    const read = (text: string, known?: KnownPieces<true>) => {
      let parsed = 0;
      const count = (): true => {
        parsed += 1;
        return true;
      };
      const page = readInPieces<true>(
        { text, dialect: inPieces, file: 'page.md' },
        { known, words: () => true, parsed: count },
      );
      return { parsed, known: page.known };
    };
    const first = read(paragraphs.join('\n\n'));
    expect(first.parsed).toBeGreaterThan(30);
    for (const edited of [
      'A *longer* paragraph, edited by somebody',
      '*Short*',
      'Words',
      '```\n\ncode\n```',
    ]) {
      const page = paragraphs.with(500, edited).join('\n\n');
      expect(read(page, first.known).parsed).toBeLessThan(first.parsed / 4);
    }
  });

  it('reads only the edited one of its paragraphs of words again', () => {
    const paragraphs = Array.from({ length: 20 }, (_, n) => `The paragraph number ${n}`);
    const read: string[] = [];
    const words = (paragraph: string): string => {
      read.push(paragraph);
      return paragraph;
    };
    const pages = [paragraphs, paragraphs.with(5, 'Edited words')].map((page) => page.join('\n\n'));
    let known: KnownPieces<string> | undefined;
    for (const text of pages) {
      const page = { text, dialect: inPieces, file: 'page.md' };
      ({ known } = readInPieces<string>(page, { known, words, parsed: () => '' }));
    }
    expect(read).toEqual([...paragraphs, 'Edited words']);
  });

  it('takes millions of blank lines and of words without a break', () => {
    for (const long of [
      '\n'.repeat(5_000_000),
      'word '.repeat(400_000),
      'words\n'.repeat(20_000),
    ]) {
      const doc = docOf(`First.\n\n${long}\n\nLast.\n`, inPieces);
      expect(typeof doc === 'string' ? doc : doc.segments.at(-1)?.parts).toEqual(['Last.']);
    }
  });
});
