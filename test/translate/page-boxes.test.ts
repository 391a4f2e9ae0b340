/** Boxes of Docusaurus, VitePress, MkDocs, GitHub and Obsidian: the title and the text are texts of their own. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ROUTE = '{ from: "docs/{locale}/*.{md,mdx}" }';

/** English, German. `TITLE` and `TEXT` are the words of a box. */
const BOXES: readonly (readonly [name: string, box: string])[] = [
  ['a.md', '::: tip TITLE\nTEXT\n:::'],
  ['a.md', '::: tip TITLE\n\nTEXT\n\n:::'],
  ['a.md', '::: tip TITLE\n- TEXT\n:::'],
  ['a.md', ':::tip[TITLE]\nTEXT\n:::'],
  ['a.mdx', ':::tip[TITLE]\nTEXT\n:::'],
  ['a.mdx', ':::note TITLE\nTEXT\n:::'],
  ['a.md', ':::: details TITLE {open}\nTEXT\n::::'],
  ['a.md', ':::tip[TITLE]{.wide #box}\nTEXT\n:::'],
  ['a.md', '::: {.note} TITLE\nTEXT\n:::'],
  ['a.md', 'Words before it.\n::: tip TITLE\nTEXT\n:::\nWords behind it.'],
  ['a.md', '- An item\n\n  ::: tip TITLE\n  TEXT\n  :::\n\n- Another item'],
  ['a.md', '- ::: tip TITLE\n  TEXT\n  :::'],
  ['a.md', '> ::: tip TITLE\n> TEXT\n> :::'],
  ['a.md', ':::: info\n::: tip TITLE\nTEXT\n:::\n::::'],
  ['a.md', '> [!NOTE] TITLE\n> TEXT'],
  ['a.md', '> [!faq]- TITLE\n> TEXT'],
  ['a.md', '!!! note "TITLE"\n    TEXT'],
  ['a.md', '!!! warning inline end "TITLE"\n    TEXT'],
  ['a.md', '=== "TITLE"\n    TEXT'],
  ['a.md', '::: tip TITLE **with** `code`\r\nTEXT with [a link](/x)\r\n:::'],
];

const page = (box: string, title: string, text: string) =>
  `# Head\n\n${box.replace('TITLE', title).replace('TEXT', text)}\n\nLast words.\n`;

test.each(BOXES)('in %s only the changed half of a box is bought: %j', async (name, box) => {
  const source = `docs/en/${name}`;
  const target = `docs/de/${name}`;
  const english = ['A good tip', 'Read this tip carefully.'] as const;
  const german = ['Ein guter Tipp', 'Lies diesen Tipp genau.'] as const;
  const own = page(box, ...german);
  const jobs = await TextJobs.of(ROUTE, { [source]: page(box, ...english), [target]: own }, 'de');
  expect(await jobs.run(source)).toMatchObject({ bought: [], isWritten: false });

  await jobs.write(source, page(box, 'A good tip', 'Read that tip soon.'));
  const [text = ''] = (await jobs.run(source)).bought;
  expect(text).toMatch(/^Read that tip soon\./);
  const changed = await jobs.read(target);
  expect(changed).toMatch(/Readä thatä tipä soonä\./);
  expect(changed.replace(/Readä thatä tipä soonä\.( withä \[aä linkä\]\(\/x\))?/, GERMAN)).toBe(
    own.replace(/Lies diesen Tipp genau\.( with \[a link\]\(\/x\))?/, GERMAN),
  );

  await jobs.write(source, page(box, 'A better tip', 'Read that tip soon.'));
  const [title = ''] = (await jobs.run(source)).bought;
  expect(title).toMatch(/^A better tip/);
  expect(await jobs.read(target)).toContain('Aä betterä tipä');
  expect(await jobs.run(source)).toMatchObject({ bought: [], isWritten: false });
});

const GERMAN = 'the text';

test('a title that a box gets later is bought alone', async () => {
  const jobs = await TextJobs.of(
    ROUTE,
    {
      'docs/en/a.md': '# Head\n\n::: tip\nRead this tip.\n:::\n',
      'docs/de/a.md': '# Kopf\n\n::: tip\nLies diesen Tipp.\n:::\n',
    },
    'de',
  );
  expect(await jobs.run('docs/en/a.md')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('docs/en/a.md', '# Head\n\n::: tip A title\nRead this tip.\n:::\n');
  expect(await jobs.run('docs/en/a.md')).toMatchObject({ bought: ['A title'] });
  expect(await jobs.read('docs/de/a.md')).toBe(
    '# Kopf\n\n::: tip Aä titleä\nLies diesen Tipp.\n:::\n',
  );
});

test('the lines of a box follow the source where nobody touched them, and attributes and code are no texts', async () => {
  const jobs = await TextJobs.of(
    ROUTE,
    {
      'docs/en/a.md': '::: details A title {open}\nWords\n:::\n\nA `\n:::\n` code\n',
      'docs/de/a.md': '::: details Ein Titel {open}\nWorte\n:::\n\nEin `\n:::\n` Code\n',
    },
    'de',
  );
  expect(await jobs.run('docs/en/a.md')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('docs/en/a.md', '::: info A title {.wide}\nWords\n:::\n\nA `\n:::\n` code\n');
  expect(await jobs.run('docs/en/a.md')).toMatchObject({ bought: [] });
  expect(await jobs.read('docs/de/a.md')).toBe(
    '::: info Ein Titel {.wide}\nWorte\n:::\n\nEin `\n:::\n` Code\n',
  );
});
