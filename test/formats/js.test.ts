import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { js } from '../../src/formats/js.ts';
import { compose } from '../../src/formats/text/compose.ts';
import type { SegmentPlacement } from '../../src/formats/text/composition.ts';
import { openFile } from '../../src/formats/text/open.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';
import { type Tree, trees } from './literal-arbitraries.ts';

const module = `// Texts
export default {
  title: 'The title',
  menu: {
    open: 'Open it',
    'close-all': 'Close all',
    list: ['one x', 'two x'],
  },
  count: 5,
};
`;

const typed = `import type { Texts } from './texts';
const shared = { ok: "Ok \\u00e9" } as const;
export const texts: Texts = {
  greet: (name: string) => \`Hello \${name}\`,
  plain: 'Text',
  template: \`A template
  with a line and \\\`marks\\\` and \\\${no} value\`,
  ...shared,
} satisfies Texts;
`;

const quote = (text: string, mark: string) =>
  mark +
  JSON.stringify(text).slice(1, -1).replace(/\\"/g, '"').replaceAll(mark, `\\${mark}`) +
  mark;

function written(tree: Tree, mark: string): string {
  if (tree === null || typeof tree === 'number') return String(tree);
  if (typeof tree === 'string') return quote(tree, mark);
  if (Array.isArray(tree)) return `[${tree.map((each) => written(each, mark)).join(', ')}]`;
  const entries = Object.entries(tree).map(
    ([key, value]) => `${quote(key, "'")}: ${written(value, mark)},`,
  );
  return `{\n${entries.join('\n')}\n}`;
}

describeFormat({
  format: js,
  file: 'en.js',
  fixtures: { module },
  generated: fc
    .tuple(trees, fc.constantFrom("'", '"'))
    .map(([tree, mark]) => `export default ${written(tree, mark)};\n`),
  reordered: [
    "export default { a: 'x text', b: { c: 'y' } };\n",
    "export default { b: { c: 'y' }, a: 'x text' };\n",
  ],
  malformed: [['export default {\n  a: ,\n};\n', 2, 6]],
  corpus: { folder: 'js-ts' },
});

describeFormat({
  format: js,
  file: 'en.ts',
  fixtures: {},
  irregular: { typed, 'with CRLF': typed.replaceAll('\n', '\r\n') },
});

const tsx = `import React from 'react';
const wrap = async <T,>(value: T): Promise<T> => value;
export const texts = {
  title: 'The title' as const,
  hint: <Hint text="none of ours" />,
} as const;
`;

describeFormat({
  format: js,
  file: 'en.tsx',
  fixtures: {},
  irregular: { tsx },
});

it('a new key goes behind the type of the one before it', () => {
  const options = {
    file: 'de.ts',
    sourceLanguage: undefined,
    language: undefined,
    role: 'target',
  } as const;
  const generic = 'export const id = async <T>(value: T): Promise<T> => value;\n';
  const source = openFile(
    Buffer.from(`${generic}export default { title: 'Title', ok: 'Fine' } as const;\n`),
    js,
    { ...options, file: 'en.ts', role: 'source' },
  );
  const target = openFile(
    Buffer.from(`${generic}export default { title: 'Titel' as const } satisfies Texts;\n`),
    js,
    options,
  );
  const placements = new Map<string, SegmentPlacement>([['ok', { kind: 'write', parts: ['Gut'] }]]);
  const { text } = compose({ format: js, options, source, target, placements });
  expect(text).toBe(
    `${generic}export default { title: 'Titel' as const, ok: 'Gut' } satisfies Texts;\n`,
  );
});

it('new keys go into an existing module in its own style', () => {
  const options = {
    file: 'de.js',
    sourceLanguage: undefined,
    language: undefined,
    role: 'target',
  } as const;
  const source = openFile(Buffer.from(module), js, { ...options, role: 'source' });
  const target = openFile(
    Buffer.from('module.exports = {\n    title: "Der Titel"\n}\n'),
    js,
    options,
  );
  const placements = new Map<string, SegmentPlacement>([
    ['menu.open', { kind: 'write', parts: ['Öffne "es"'] }],
    ['menu.close-all', { kind: 'write', parts: ['Alle zu'] }],
    ['count', { kind: 'keep' }],
  ]);
  const { text } = compose({ format: js, options, source, target, placements });
  expect(text).toBe(`module.exports = {
    title: "Der Titel",
    menu: {
        open: "Öffne \\"es\\"",
        "close-all": "Alle zu"
    }
}
`);
});

it('a template without values is a text, one with values stays', () => {
  const options = {
    file: 'en.ts',
    sourceLanguage: undefined,
    language: undefined,
    role: 'target',
  } as const;
  const value = '$' + '{name}';
  const text = `export default { a: \`One\r\nline\`, b: \`With ${value}\`, c: \`\\\`d\\\`\` };\r\n`;
  const file = openFile(Buffer.from(text), js, { ...options, role: 'source' });
  expect(file.doc.segments.map(({ id, parts }) => [id, parts])).toEqual([
    ['a', ['One\nline']],
    ['c', ['`d`']],
  ]);
  const placements = new Map<string, SegmentPlacement>([
    ['a', { kind: 'write', parts: [`Eine\n\`Zeile\` ${value} \\`] }],
  ]);
  const target = openFile(Buffer.from(text), js, options);
  const written = compose({ format: js, options, source: file, target, placements });
  expect(written.text).toBe(
    text.replace('One\r\nline', () => `Eine\r\n\\\`Zeile\\\` \\${value} \\\\`),
  );
});

it.each([
  [
    "export default defineMessages({ a: 'One' });\n",
    "export default defineMessages({ a: 'Oneä' });\n",
  ],
  [
    "module.exports = Object.freeze({ a: 'One' });\n",
    "module.exports = Object.freeze({ a: 'Oneä' });\n",
  ],
])('the texts of a module may be the argument of a call: %j', async (source, wanted) => {
  const jobs = await TextJobs.of('{ from: "{locale}.js", lane: text }', { 'en.js': source });
  expect(await jobs.run('en.js')).toMatchObject({ bought: ['One'] });
  expect(await jobs.read('de.js')).toBe(wanted);
});

it('the argument of a call that is not exported has no texts', async () => {
  const text = "const i18n = createI18n({ locale: 'en' });\nexport default i18n;\n";
  const jobs = await TextJobs.of('{ from: "{locale}.js", lane: text }', { 'en.js': text });
  expect(await jobs.run('en.js')).toMatchObject({ bought: [] });
});

it('a call beside texts has none, as before', () => {
  const options = { file: 'en.js', sourceLanguage: undefined, language: undefined } as const;
  const text = "const i18n = createI18n({ x: 'No text' });\nexport default { a: 'One' };\n";
  const file = openFile(Buffer.from(text), js, { ...options, role: 'source' });
  expect(file.doc.segments.map(({ id }) => id)).toEqual(['a']);
});

it.each([
  ["import x from './words';\nexport default merge(x, ['Some words']);\n", 2],
  ['export default {\n  a: \'One\',\n  b: <b>Bold words</b>,\n  c: <Icon name="star" />,\n};\n', 3],
  ["import x from './words';\nexport * from './others';\nexport default x;\n", undefined],
])('a text that is not read is named: %j', (text, line) => {
  const options = { file: 'en.jsx', sourceLanguage: undefined, language: undefined } as const;
  const { doc } = openFile(Buffer.from(text), js, { ...options, role: 'source' });
  expect(doc.warnings.map((warning) => warning.line)).toEqual(line === undefined ? [] : [line]);
});
