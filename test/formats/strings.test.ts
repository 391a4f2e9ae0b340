import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { strings } from '../../src/formats/strings.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { describeFormat } from '../contracts/format.ts';

const app = `/* Copyright */

/* The title of the window */
"title" = "Hello %@";

// Two lines
// of comment
"a.b" = "A \\"quoted\\" text\\nin two lines";
key_without_quotes = "It's fine";

"__proto__"="prototype"; /* behind */
"toString" = "method";

"empty" = "";
"hash#1" = "caf\\U00e9";
"%d of %d" = "%1$d of %2$d";
`;

const key = fc.stringMatching(/^[\w.#% -]{1,8}$/);
const value = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => JSON.stringify(text).replaceAll('\\u', '\\U'));
const generated = fc
  .array(fc.tuple(key, value), { maxLength: 8 })
  .chain((pairs) =>
    fc
      .constantFrom('\n', '\r\n', '\n\n', ' ')
      .map((end) =>
        pairs.map(([name, text]) => `"${name}" = ${text.replaceAll('\0', '')};`).join(end),
      ),
  );

describeFormat({
  format: strings,
  file: 'Localizable.strings',
  fixtures: {
    app,
    'with CRLF': app.replaceAll('\n', '\r\n'),
    'in UTF-16': Buffer.from(`\uFEFF${app}`, 'utf16le'),
    'in one line': '"a" = "x text"; "b" = "y text"; "c"="z";',
  },
  irregular: { duplicates: '"a" = "x";\n"a" = "y";\n"alone";\n/* end */\n' },
  generated,
  reordered: ['"a" = "1 x";\n"b" = "2 x";\n', '"b" = "2 x";\n"a" = "1 x";\n'],
  malformed: [
    ['"a" = "x";\n"b" "y";', 2, 5],
    ['"a" = "x"\n"b" = "y";', 2, 1],
    ['"a" = "x', 1, 7],
    ['{ "a" = "x"; }', 1, 1],
  ],
  corpus: {
    folder: 'strings',
    refused: ['duplicate-keys.strings', 'import/apple/Localizable.strings'],
  },
});

const en = parseLanguage('en');
const options = {
  file: 'x',
  sourceLanguage: en,
  language: parseLanguage('de'),
  role: 'target',
} as const;

it('comments are context, also those of several lines', () => {
  const { segments } = openFile(Buffer.from(app), strings, options).doc;
  expect(segments.slice(0, 3).map(({ context }) => context)).toEqual([
    'The title of the window',
    'Two lines of comment',
    undefined,
  ]);
});

it('a new entry comes with its comment, in the encoding and the line ends of the target', () => {
  const source = openFile(
    Buffer.from('"a" = "x";\n\n/* About b */\n"b" = "y";\n'),
    strings,
    options,
  );
  const target = openFile(Buffer.from('\uFEFF"a" = "1";\r\n', 'utf16le'), strings, options);
  const placements = new Map([['b', { kind: 'write', parts: ['"neu"\nö'] } as const]]);
  const { bytes } = compose({ format: strings, options, source, target, placements });
  expect(Buffer.from(bytes).toString('utf16le')).toBe(
    '\uFEFF"a" = "1";\r\n\r\n/* About b */\r\n"b" = "\\"neu\\"\\nö";\r\n',
  );
});

it('a bare word gets quotes when it is translated', () => {
  const source = openFile(Buffer.from('a = word;\n'), strings, options);
  const placements = new Map([['a', { kind: 'write', parts: ['zwei Worte'] } as const]]);
  const { text } = compose({ format: strings, options, source, target: source, placements });
  expect(text).toBe('a = "zwei Worte";\n');
});

it('a value over several lines keeps the line ends of its file', () => {
  const options = { file: 'a.strings', sourceLanguage: undefined, language: undefined } as const;
  const text = '"a" = "One\r\ntwo";\r\n';
  const file = openFile(Buffer.from(text), strings, { ...options, role: 'target' });
  expect(file.doc.segments[0]?.encode(['Eins\r\nzwei'])).toBe('Eins\r\nzwei');
});
