import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { toml } from '../../src/formats/toml.ts';
import { describeFormat } from '../contracts/format.ts';

const regular = `title = "The title"
count = 5

[menu]
open = "Open it"
close = 'Close it'

[menu.more]
"a key" = "Keyed text"
list = ["one x", "two x"]
inline = { a = "A text", b = "B text" }
`;

const several = `# About
[[items]]
name = "First \\u00e9 \\"x\\""
text = """
Several
lines \\
   joined"""

[[items]]
name = '''Second
raw \\ lines'''
`;

const value = fc
  .string({ unit: 'grapheme', maxLength: 20 })
  .map((text) => JSON.stringify(text).replace(/\\u0000|\u007f/g, ''));

describeFormat({
  format: toml,
  file: 'en.toml',
  fixtures: { regular: regular.replace("'Close it'", '"Close it"') },
  irregular: {
    regular2: regular,
    several,
    'with CRLF': `\uFEFF${several.replaceAll('\n', '\r\n')}`,
  },
  generated: fc
    .array(value, { maxLength: 5 })
    .map((values) => values.map((text, index) => `k${index} = ${text}\n`).join('')),
  reordered: ['[a]\nx = "one"\n[b]\nx = "two"\n', '[b]\nx = "two"\n[a]\nx = "one"\n'],
  malformed: [
    ['a = "x"\nb = \n', 3, 1],
    ['a = "x"\n[t]\nb = "y"\n b = "z"\n', 4, 2],
    // A key that is too long for a pattern.
    [`${'k'.repeat(100_000)} = "x"\n`.repeat(2), 2, 1],
  ],
  corpus: { folder: 'toml' },
});

it('new keys go to their table, new tables to the end', () => {
  const options = {
    file: 'de.toml',
    sourceLanguage: undefined,
    language: undefined,
    role: 'target',
  } as const;
  const source = openFile(Buffer.from(regular), toml, { ...options, role: 'source' });
  const target = openFile(
    Buffer.from('[menu]\nopen = "Öffnen" # ours\nown = "Eigenes"\n'),
    toml,
    options,
  );
  const placements = new Map<string, SegmentPlacement>([
    ['menu.close', { kind: 'write', parts: ['Zu "jetzt"'] }],
    ['menu.more.a key', { kind: 'write', parts: ['Text'] }],
    ['count', { kind: 'keep' }],
  ]);
  const { text } = compose({ format: toml, options, source, target, placements });
  expect(text).toBe(`[menu]
open = "Öffnen" # ours
close = "Zu \\"jetzt\\""
own = "Eigenes"

[menu.more]
"a key" = "Text"
`);
});

it('a new table goes behind the keys that the last table gets', () => {
  const options = { file: 'de.toml', sourceLanguage: undefined, language: undefined } as const;
  const text = '[names]\nown = "Own"\n\n[[pages]]\nfirst = "First"\nsecond = "Second"\n';
  const source = openFile(Buffer.from(text), toml, { ...options, role: 'source' });
  const target = openFile(Buffer.from('[[pages]]\nfirst = "Erste"\n'), toml, {
    ...options,
    role: 'target',
  });
  const placements = new Map<string, SegmentPlacement>([
    ['names.own', { kind: 'write', parts: ['Eigenes'] }],
    ['pages[0].second', { kind: 'write', parts: ['Zweite'] }],
  ]);
  const composed = compose({
    format: toml,
    options: { ...options, role: 'target' },
    source,
    target,
    placements,
  });
  expect(composed.text).toBe(
    '[[pages]]\nfirst = "Erste"\nsecond = "Zweite"\n\n[names]\nown = "Eigenes"\n',
  );
});

/** Composes a target that gets every text of the source that it lacks. */
function filled(source: string, target: string): string {
  const options = { file: 'de.toml', sourceLanguage: undefined, language: undefined } as const;
  const of = (text: string, role: 'source' | 'target') =>
    openFile(Buffer.from(text), toml, { ...options, role });
  const [from, into] = [of(source, 'source'), of(target, 'target')];
  const known = new Set(into.doc.segments.map(({ id }) => id));
  const placements = new Map(
    from.doc.segments.map(({ id, parts }): [string, SegmentPlacement] => [
      id,
      known.has(id) ? { kind: 'keep' } : { kind: 'write', parts },
    ]),
  );
  const composition = { format: toml, options: { ...options, role: 'target' } as const };
  return compose({ ...composition, source: from, target: into, placements }).text;
}

it.each([
  [
    'a list of tables',
    '[[a]]\nq = "x"\n\n[[a]]\nq = "y"\nr = "z"\n[b]\nk = "k"\n',
    '[[a]]\nq = "X"\n[b]\nk = "K"\n',
    '[[a]]\nq = "X"\n[[a]]\nq = "y"\nr = "z"\n[b]\nk = "K"\n',
  ],
  [
    'a list of tables with blank lines between them',
    '[[a]]\nq = "x"\n[[a]]\nq = "y"\n[[a]]\nq = "z"\n',
    '[[a]]\nq = "X" # x\n\n\n[[a]]\nq = "Y"',
    '[[a]]\nq = "X" # x\n\n\n[[a]]\nq = "Y"\n\n\n[[a]]\nq = "z"',
  ],
  [
    'a list that the target lacks',
    'a = "x"\nl = ["y", "z"]\n',
    'a = "X"\n',
    'a = "X"\nl = ["y", "z"]\n',
  ],
  [
    'a list of tables that the target lacks',
    'a = "x"\n[[l]]\nq = "y"\n[[l]]\nq = "z"\nr = { s = "s" }\n',
    'a = "X"\n',
    'a = "X"\n\n[[l]]\nq = "y"\n\n[[l]]\nq = "z"\nr = { s = "s" }\n',
  ],
  [
    'a list with a comment behind its last element',
    'l = ["x", "y"]\n',
    'l = [\n  "X" # x\n]\n',
    'l = [\n  "X", # x\n  "y"\n]\n',
  ],
  ['an empty list', 'l = ["x", "y"]\n', 'l = []\n', 'l = ["x", "y"]\n'],
  [
    'tables between brackets',
    'l = [{ q = "x" }, { q = "y" }]\n',
    'l = [{ q = "X" }]\n',
    'l = [{ q = "X" }, { q = "y" }]\n',
  ],
  [
    'a table in an element',
    '[[a]]\nq = "x"\n[a.b]\nr = "y"\n[[a]]\nq = "z"\n',
    '[[a]]\nq = "X"\n\n[[a]]\nq = "Z"\n',
    '[[a]]\nb.r = "y"\nq = "X"\n\n[[a]]\nq = "Z"\n',
  ],
  [
    'dotted keys without a header',
    'a.b = "x"\na.c = "y"\n',
    'a.c = "Y"\n',
    'a.c = "Y"\na.b = "x"\n',
  ],
  [
    'a file without a final line break',
    'a = "x"\nb = "y"\n[t]\nc = "z"\n',
    '# c\na = "X"',
    '# c\na = "X"\nb = "y"\n\n[t]\nc = "z"',
  ],
])('the elements that %s gets are read back', (_, source, target, expected) => {
  expect(filled(source, target)).toBe(expected);
  expect(filled(source.replaceAll('\n', '\r\n'), target.replaceAll('\n', '\r\n'))).toBe(
    expected.replaceAll('\n', '\r\n'),
  );
});

it('a list where the target has a text is refused with the name of the entry', () => {
  expect(() => filled('l = ["x"]\n', 'l = "X"\n')).toThrow('"l" is no list there');
});
