/** `.md` pages that are MDX, as Docusaurus reads them: statements and components stay, and their texts are texts. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FormatOptions, partsText } from '../../src/format.ts';
import { showsMdx } from '../../src/formats/grammar/mdx-signs.ts';
import { markdown } from '../../src/formats/markdown.ts';
import { describeFormat } from '../contracts/format.ts';
import { TextJobs } from '../text-jobs.ts';

const TABS = `import Tabs from '@theme/Tabs';
import TabItem from '@theme/TabItem';

<Tabs>
  <TabItem value="a" label="Apple">
    This is an apple.
  </TabItem>
  <TabItem value="o" label="Orange">
    This is an orange.
  </TabItem>
</Tabs>
`;

const PAGE = `---
title: Title text
---

import {
  Card,
  Grid,
} from "@site/src/components";

export const meta = {
  title: 'Kept',
};

# Hello {#hello}

<!-- A comment: <b> {not} MDX -->

A text <!-- with a comment --> and \`<!-- code -->\`.

:::note A title
Some words.
:::

<Card title="A card">

- One
- Two

</Card>
`;

const blocks = fc.constantFrom(
  "import A from './a';",
  'import "./style.css";',
  'export const a = { b: "c" };',
  'export default function Page() {}',
  '<Card title="One">\n\nInside\n\n</Card>',
  '<Card>\n  Inside\n</Card>',
  '<Card title="Two" />',
  '<Card title={"Two"} label={`Three`} />',
  '<Card title="Two" default>Words *inside* </Card>',
  '<Card title="Two"><Card alt=\'Three\'>Words</Card> <Card /></Card>',
  '<!-- a comment -->',
  '# A head {#id}',
  'Words with `code` and **marks**.',
  '- One\n- Two',
  '```js\nimport B from "b";\n```',
  '<br>',
  '{unclosed',
);

describeFormat({
  format: markdown,
  file: 'page.md',
  fixtures: { tabs: TABS, page: PAGE, 'with CRLF': PAGE.replaceAll('\n', '\r\n') },
  generated: fc.array(blocks, { maxLength: 8 }).map((all) => `${all.join('\n\n')}\n`),
  runs: 60,
});

const options: FormatOptions = {
  file: 'page.md',
  sourceLanguage: undefined,
  language: undefined,
  role: 'source',
};

const texts = (page: string) =>
  markdown.parse(page, options).segments.map(({ parts }) => partsText(parts));

describe('a page with statements or components', () => {
  it('has texts between its tags and in their attributes, and no statement is one', () => {
    expect(texts(TABS)).toEqual(['Apple', 'This is an apple.', 'Orange', 'This is an orange.']);
    expect(texts(PAGE)).toEqual([
      'Title text',
      'Hello',
      'A text <!-- with a comment --> and `<!-- code -->`.',
      'A title',
      'Some words.',
      'A card',
      'One',
      'Two',
    ]);
  });

  it('is read as Markdown when it is no valid MDX, and its statements are still no texts', () => {
    const page = `${TABS}\nA line<br>\nand {more\n\nexport const a = 1;\n\nimport './a.css'\n\nimport words from a book\n`;
    const found = texts(page);
    expect(found.join('\n')).not.toMatch(/@theme|const a|a\.css/);
    expect(found).toContain('import words from a book');
  });
});

/** What only a template would read. */
const LAST = ['`y` $', '{z}'].join('');

describe('attributes of components', () => {
  it('may be expressions of one plain string', () => {
    const page = `<Card title={"One"} label={ 'It\\'s' } placeholder={\`Three\`} />\n\n<A title={\`a \${b}\`} label={"a" + b} alt={c} />\n`;
    expect(texts(page)).toEqual(['One', "It's", 'Three']);
  });

  it.each([
    ['{"One"}', `{"Say \\"x\\" \\\\ ${LAST}"}`],
    ["{'One'}", `{'Say "x" \\\\ ${LAST}'}`],
    ['{ `One` }', `{ \`Say "x" \\\\ \\\`y\\\` \\\${z}\` }`],
  ])('keep their quotes in %s', (before, after) => {
    const page = `<Card title=${before} />\n`;
    const { segments } = markdown.parse(page, options);
    const [{ start, end, encode } = { start: 0, end: 0, encode: String }] = segments;
    const written = page.slice(0, start) + encode([`Say "x" \\ ${LAST}`]) + page.slice(end);
    expect(written).toBe(`<Card title=${after} />\n`);
    expect(texts(written)).toEqual([`Say "x" \\ ${LAST}`]);
  });

  it('are texts beside the content of an element that is alone on its line', () => {
    const page =
      '<TabItem value="a" label="Apple" default> This is *an* apple </TabItem>\n\n<A title="x"><B alt="y">Words</B></A>\n\n<Plain>Words</Plain>\n';
    expect(texts(page)).toEqual([
      'Apple',
      'This is *an* apple',
      'x',
      'y',
      'Words',
      '<Plain>Words</Plain>',
    ]);
    expect(markdown.parse(page, options).warnings).toEqual([]);
  });
});

it.each([
  ["import A from 'a';\n", true],
  ['# Head\n\nimport { A, B as C } from "a"\n\nWords\n', true],
  ['import * as A from "a";\nimport "b";\n', true],
  ['export const a = 1;\n', true],
  ['export * from "./a";\n', true],
  ['<Tabs>\n\nWords\n\n</Tabs>\n', true],
  ['Import the file first.\n\nimport words from a book\n\nexport them as words.\n', false],
  ['export default settings of the app\n', false],
  ["Words\nimport A from 'a';\n", false],
  ["```js\nimport A from 'a';\n```\n", false],
  ["- ```js\n  x\n  ```\n\n~~~~\n\n~~~\n\nimport A from 'a';\n~~~~\n", false],
  ["    import A from 'a';\n", false],
  ["<!--\n\nimport A from 'a';\n-->\n", false],
  [
    '<script setup>\nimport A from \'./A.vue\'\n</script>\n\n<A />\n\n<MyCard title="x" />\n',
    false,
  ],
  ['<DIV ALIGN="center">\n\nWords\n\n</DIV>\n', false],
  ['<div>\n\nWords with <Tag> inside\n\n</div>\n', false],
  ['---\ntitle: x\n\nimport A from "a"\n---\n\nWords\n', false],
])('MDX is told by statements and components that begin a block: %j', (page, isMdx) => {
  expect(showsMdx(page)).toBe(isMdx);
});

it('statements and tags of a page that a person translated stay, follow the source, and are never bought', async () => {
  const person = TABS.replace('an apple', 'ein Apfel')
    .replace('an orange', 'eine Orange')
    .replaceAll('This is', 'Das ist')
    .replace('"Apple"', '"Apfel"');
  const jobs = await TextJobs.of(
    '{ from: "docs/{locale}/*.md" }',
    { 'docs/en/a.md': TABS, 'docs/de/a.md': person },
    'de',
  );
  expect(await jobs.run('docs/en/a.md')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(
    'docs/en/a.md',
    TABS.replace("TabItem';", "TabItem2';").replace('an apple', 'a red apple'),
  );
  expect(await jobs.run('docs/en/a.md')).toMatchObject({ bought: ['This is a red apple.'] });
  expect(await jobs.read('docs/de/a.md')).toBe(
    person
      .replace("TabItem';", "TabItem2';")
      .replace('Das ist ein Apfel.', 'Thisä isä aä redä appleä.'),
  );
});
