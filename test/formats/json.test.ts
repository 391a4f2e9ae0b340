import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { json, json5, jsonc } from '../../src/formats/json.ts';
import { compose } from '../../src/formats/text/compose.ts';
import { expectedSegments } from '../../src/formats/text/expect.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { parseLanguage } from '../../src/language.ts';
import { within } from '../../src/parsing/within.ts';
import { describeFormat } from '../contracts/format.ts';

const key = fc.oneof(
  fc.constantFrom(
    '',
    '__proto__',
    'toString',
    'constructor',
    'a.b',
    'a',
    'b',
    '1',
    '0',
    'a#1',
    '[0]',
    '""',
    '\\',
  ),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);
const leaf = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 5 }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec<{ tree: unknown; group: unknown }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small' }, leaf, tie('group')),
  group: fc.oneof(
    fc.array(tie('tree'), { maxLength: 4 }),
    fc
      .array(fc.tuple(key, tie('tree')), { maxLength: 5 })
      .map((entries) => Object.fromEntries(entries)),
  ),
}));
const generated = fc
  .tuple(tree, fc.constantFrom(undefined, 2, '\t'), fc.constantFrom('', '\n', '\r\n'))
  .map(([value, indent, end]) => {
    const text = JSON.stringify(value, null, indent);
    return (end === '\r\n' ? text.replaceAll('\n', '\r\n') : text) + end;
  });

const nested = `{
  "title": "Hello \\"world\\" \\u00e9\\/",
  "nav": {
    "home": "H\u00f6me",
    "items": ["One thing", "Two", 3],
    "deep": { "a": "A text", "b": "B" }
  },
  "count": 5,
  "empty": "",
  "a.b": "dotted",
  "__proto__": "prototype",
  "toString": "method",
  "10": "ten",
  "9": "nine",
  "": "nothing",
  "emoji": "\u{1f600} done",
  "dup": "first",
  "dup": "second"
}
`;

describeFormat({
  format: json,
  file: 'en.json',
  fixtures: {
    nested,
    'with CRLF, tabs and a byte order mark': `\uFEFF${nested.replaceAll('\n', '\r\n').replaceAll('  ', '\t')}`,
    'in one line': '{"a":"x text","b":{"c":"y","d":"z"},"e":"end"}',
    'in ASCII': '{\n    "a": "caf\\u00e9",\n    "b": "na\\u00efve"\n}',
    'in UTF-16': Buffer.from('\uFEFF{"a": "x", "b": "y"}', 'utf16le'),
  },
  generated,
  reordered: [
    '{"a":"1 x","b":{"c":"2 x","d.e":"3 x"},"b.c":"4 x"}',
    '{"b.c":"4 x","b":{"d.e":"3 x","c":"2 x"},"a":"1 x"}',
  ],
  malformed: [
    ['{"a": }', 1, 7],
    ['{\n  "a": "x",\n}', 3, 1],
    ['{\n  "a": "x\n"}', 2, 10],
    ['{"a": "x" // no\n}', 1, 11],
    ['', 1, 1],
    ['{"a": "\0"}', 1, 8],
  ],
  corpus: { folder: 'json' },
});

it('another parser reads the very texts that were written', () => {
  expect.hasAssertions();
  const options = { file: 'x.json', sourceLanguage: undefined, language: undefined } as const;
  const source = openFile(Buffer.from(nested), json, { ...options, role: 'source' });
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (content) => {
      const { text } = compose({
        format: json,
        options: { ...options, role: 'target' },
        source,
        placements: new Map([['title', { kind: 'write', parts: [content] }]]),
      });
      expect(JSON.parse(text).title).toBe(content);
    }),
  );
});

it('plural keys of i18next follow the language, other keys that end alike do not', () => {
  const options = { file: 'x.json', sourceLanguage: undefined, language: undefined } as const;
  const text =
    '{"n_one":"a {{x}}","n_other":"b","n_zero":"c","p_ordinal_one":"d","p_ordinal_other":"e","button_other":"f"}';
  const source = openFile(Buffer.from(text), json, { ...options, role: 'source' });
  const forms = (language: string) =>
    expectedSegments(json, source, { language: parseLanguage(language) }).map(({ id }) => id);
  expect(forms('ja')).toEqual(['n_other', 'n_zero', 'p_ordinal_other', 'button_other']);
  expect(forms('cs')).toEqual([
    'n_one',
    'n_few',
    'n_many',
    'n_other',
    'n_zero',
    'p_ordinal_other',
    'button_other',
  ]);
});

it('a comment above an entry is its context', () => {
  const options = { file: 'x.jsonc', sourceLanguage: undefined, language: undefined } as const;
  const text = '{\n  // Shown on top\n  // of the page\n  "a": "x",\n  "b": "y"\n}\n';
  const { doc } = openFile(Buffer.from(text), jsonc, { ...options, role: 'source' });
  expect(doc.segments.map(({ context }) => context)).toEqual([
    'Shown on top\nof the page',
    undefined,
  ]);
});

describeFormat({
  format: jsonc,
  file: 'en.jsonc',
  fixtures: {
    'with comments':
      '{\n  // above\n  "a": "x text", // tail\n  "b": "y text",\n  "c": "last text"\n}\n',
  },
  generated,
  malformed: [['{"a": /* }', 1, 11]],
  corpus: { folder: 'jsonc' },
});

describeFormat({
  format: json5,
  file: 'en.json5',
  fixtures: {
    'with its own spellings': `{
  a: 'it\\'s \\
 here',
  b: 'x text',
  'c-d': 'y text',
  e: { f: 'deep', g: +5 },
}
`,
  },
  generated,
  corpus: { folder: 'json5' },
});

it('an object at the end of a list goes with its last text, one in the middle stays for those behind it', () => {
  const options = { file: 'a.json', sourceLanguage: undefined, language: undefined } as const;
  const without = (ids: string[]) => {
    const file = openFile(Buffer.from('{"a": [{"x": "X"}, {"x": "Y"}]}'), json, {
      ...options,
      role: 'target',
    });
    const removed = new Set(ids);
    const common = { format: json, options: { ...options, role: 'target' } } as const;
    return compose({ ...common, source: file, target: file, placements: new Map(), removed }).text;
  };
  expect(without(['a[1].x'])).toBe('{"a": [{"x": "X"}]}');
  expect(without(['a[0].x'])).toBe('{"a": [{}, {"x": "Y"}]}');
  expect(without(['a[0].x', 'a[1].x'])).toBe('{}');
});

it('a JSON5 string that is cut off behind a backslash is refused with its place', () => {
  const open = () =>
    openFile(Buffer.from('{"a": "x\\'), json5, {
      file: 'a.json5',
      sourceLanguage: undefined,
      language: undefined,
      role: 'source',
    });
  expect(() => within(1000, open)).toThrow(/^a\.json5:1:\d+: /);
});
