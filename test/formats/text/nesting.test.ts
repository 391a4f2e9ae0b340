/** A text that is nested too deeply is refused when its file is read, in every format that can have one. */
import { expect, test } from 'vitest';
import { JobFailure } from '../../../src/failure.ts';
import { chooseFormat } from '../../../src/formats/all.ts';
import { openFile } from '../../../src/formats/text/open.ts';
import { parseLanguage } from '../../../src/language.ts';

const MESSAGE = (levels: number) =>
  `${'{n,plural,other{'.repeat(levels)}x word${'}}'.repeat(levels)}`;
const TAGS = (levels: number) => `${'<b>'.repeat(levels)}x word${'</b>'.repeat(levels)}`;
const escaped = (text: string) => text.replaceAll('<', '&lt;');
const XLIFF = (text: string) =>
  `<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" datatype="plaintext" original="x"><body><trans-unit id="a"><source>${text}</source></trans-unit></body></file></xliff>`;
const QT = (text: string) =>
  `<!DOCTYPE TS>\n<TS version="2.1"><context><name>A</name><message><source>${text}</source><translation type="unfinished"></translation></message></context></TS>`;
const PO = (text: string) => `msgid ""\nmsgstr ""\n\nmsgid "${text}"\nmsgstr ""\n`;
const RESX = (text: string) => `<root>\n<data name="a"><value>${text}</value></data></root>`;

/** By its name: a file with a text of so many levels. */
const FILES: Readonly<Record<string, (levels: number) => string>> = {
  'a.json': (levels) => JSON.stringify({ ok: 'Hello', a: MESSAGE(levels) }),
  'a.arb': (levels) => JSON.stringify({ ok: 'Hello', a: MESSAGE(levels) }),
  'a.yaml': (levels) => `ok: Hello\na: "${TAGS(levels)}"\n`,
  'a.toml': (levels) => `ok = "Hello"\na = "${MESSAGE(levels)}"\n`,
  'keys.toml': (levels) =>
    `ok = "Hello"\nk = ${'{ a = '.repeat(levels)}"x"${' }'.repeat(levels)}\n`,
  'a.ftl': (levels) => `ok = Hello\na = ${TAGS(levels)}\n`,
  'a.po': (levels) => PO(MESSAGE(levels)),
  'a.xlf': (levels) => XLIFF(MESSAGE(levels)),
  'b.xlf': (levels) => XLIFF(`${'<g id="1">'.repeat(levels)}word${'</g>'.repeat(levels)}`),
  'a.ts': (levels) => QT(escaped(TAGS(levels))),
  'a.resx': (levels) => RESX(escaped(TAGS(levels))),
  'a.xml': (levels) => `<resources>\n<string name="a">${TAGS(levels)}</string></resources>`,
  'a.strings': (levels) => `"ok" = "Hello";\n"a" = "${MESSAGE(levels)}";\n`,
  'a.properties': (levels) => `ok=Hello\na=${MESSAGE(levels)}\n`,
  'a.ini': (levels) => `ok=Hello\na=${MESSAGE(levels)}\n`,
  'a.php': (levels) => `<?php\nreturn ['a' => '${MESSAGE(levels)}'];\n`,
  'a.js': (levels) => `export default { a: '${MESSAGE(levels)}' };\n`,
  'a.md': (levels) => `Hello\n\n${'['.repeat(levels)}x${'](u)'.repeat(levels)}\n`,
  'b.md': (levels) => `Hello\n\n${'_*'.repeat(levels)}x${'*_'.repeat(levels)}\n`,
  'c.md': (levels) => `Hello\n\n${'*a '.repeat(levels)}x${' a*'.repeat(levels)}\n`,
  'a.mdx': (levels) => `Hello\n\n${'['.repeat(levels)}x${']'.repeat(levels)}\n`,
  'a.html': (levels) => `<p>Hello</p>\n<p>a ${TAGS(levels)}</p>\n`,
};

async function readingOf(file: string, text: string): Promise<string> {
  const format = await chooseFormat(file, text);
  if (format === undefined) throw new Error(`no format for ${file}`);
  const language = parseLanguage('en');
  try {
    openFile(Buffer.from(text), format, {
      file,
      role: 'source',
      sourceLanguage: language,
      language,
    });
    return 'read';
  } catch (error) {
    if (!(error instanceof JobFailure) || error.failure.kind !== 'malformed') throw error;
    return `${error.failure.where.line} ${error.failure.message}`;
  }
}

test.for(Object.keys(FILES))('%s: 40 levels are read, 2,000 are refused', async (name) => {
  const file = FILES[name] ?? String;
  expect(await readingOf(name, file(40))).toBe('read');
  expect(await readingOf(name, file(2000))).toMatch(
    /^[1-6] .*(in each other, and dragoman reads at most 100|nested too deeply)/,
  );
});

test('a bracket without its other half is text', async () => {
  const json = JSON.stringify({ a: `{{ ${'{'.repeat(5000)} and <b>${'<i>'.repeat(5000)}` });
  expect(await readingOf('a.json', json)).toBe('read');
});

const lines = (...kinds: readonly ((nth: number) => string)[]) =>
  kinds.flatMap((line) => Array.from({ length: 120 }, (_, nth) => line(nth))).join('\n');

/** As in a file of ignored paths. */
const PATTERNS = lines(
  (nth) => `*.e${nth}`,
  (nth) => `dir${nth}/*`,
);

test.each([
  [
    'patterns in items',
    lines(
      (nth) => `- *.e${nth}`,
      (nth) => `- dir${nth}/*`,
    ),
  ],
  [
    'numbered items',
    lines(
      (nth) => `${nth + 1}. from [${nth} on`,
      (nth) => `${nth + 121}. up to ${nth}] inclusive`,
    ),
  ],
  [
    'items in a quote',
    lines(
      (nth) => `> - *.e${nth}`,
      (nth) => `> - dir${nth}/*`,
    ),
  ],
  [
    'rows of a table',
    `| a | b |\n| --- | --- |\n${lines(
      (nth) => `| *.e${nth} | d |`,
      (nth) => `| x | d${nth}/* |`,
    )}`,
  ],
  [
    'rows without outer bars',
    `a | b\n--- | ---\n${lines(
      (nth) => `*.e${nth} | d`,
      (nth) => `x | d${nth}/*`,
    )}`,
  ],
  ...(
    [
      ['HTML', '<pre>', '</pre>'],
      ['a style', '<style>', '</style>'],
      ['a formula', '$$', '$$'],
    ] as const
  ).map(([name, open, end]): [string, string] => [name, `${open}\n${PATTERNS}\n${end}`]),
  ['indented code', PATTERNS.replaceAll(/^/gm, '    ')],
  [
    'footnotes',
    `See[^1].\n\n${PATTERNS.split('\n')
      .map((line, nth) => `[^${nth}]: ${line}`)
      .join('\n')}`,
  ],
  ['underlined headings', `${PATTERNS.replaceAll('\n', '\n---\n')}\n---`],
  [
    'headings',
    lines(
      (nth) => `## *.e${nth}`,
      (nth) => `## dir${nth}/*`,
    ),
  ],
])('Markdown: marks in different blocks are not nested in each other: %s', async (_, page) => {
  expect(await readingOf('a.md', `Hello\n\n${page}\n`)).toBe('read');
  expect(await readingOf('a.md', `Hello\r\n\r\n${page.replaceAll('\n', '\r\n')}\r\n`)).toBe('read');
});

test('Markdown: marks that are nested in one item of a list are refused at its line', async () => {
  const page = `- one\n- two ${'*a '.repeat(2000)}x${' a*'.repeat(2000)}\n`;
  expect(await readingOf('a.md', page)).toMatch(
    /^2 .* in each other, and dragoman reads at most 100/,
  );
});

test('Markdown: a paragraph with so many brackets that a parser takes the square of their number is refused', async () => {
  expect(await readingOf('a.md', `Hello\n\n${'[a]('.repeat(20_000)}\n`)).toMatch(
    /^3 a paragraph has more than 5000 opening brackets; divide it/,
  );
  const apart = Array.from({ length: 6000 }, (_, nth) => `- [a${nth}](b)`).join('\n');
  expect(await readingOf('a.md', `${apart}\n`)).toBe('read');
  const numbers = `export const numbers = [\n${'[0, 1],\n'.repeat(6000)}]\n`;
  expect(await readingOf('a.mdx', `${numbers}\nHello\n`)).toBe('read');
});

test('Markdown: so many emphases in one paragraph are refused, and not in several', async () => {
  const emphases = '*a* '.repeat(6000);
  expect(await readingOf('a.md', `Hello\n\n${emphases}${emphases}\n`)).toMatch(
    /^3 a paragraph has more than 10000 emphases; divide it/,
  );
  expect(await readingOf('a.md', `${emphases}\n\n${emphases}\n`)).toBe('read');
});

test('MDX: a list of so many objects that its parser takes the square of their number is refused', async () => {
  const rows = (count: number) => `<Table rows={[${"{a: 'x'},".repeat(count)}]} />\n`;
  expect(await readingOf('a.mdx', `Hello\n\n${rows(3200)}`)).toMatch(
    /^3 these braces have more than 3000 others inside; move them into a file that the page imports/,
  );
  expect(await readingOf('a.mdx', `Hello\n\n${rows(200)}`)).toBe('read');
  const matter = `---\nrows: [${"{a: 'x'},".repeat(3200)}]\nall: {${"b: {a: 'x'},".repeat(3200)}}\n---\n\n`;
  expect(await readingOf('a.mdx', `${matter}Hello\n`)).toBe('read');
  const apart = Array.from({ length: 3200 }, (_, nth) => `{a${'b'.repeat(nth % 20)}}`).join(' ');
  expect(await readingOf('a.mdx', `${apart} words\n`)).toBe('read');
});
