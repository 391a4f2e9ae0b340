/** Items of lists change places where a person's list has other marks than the source: each item keeps its own. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const ITEMS = [
  ['A button with a value', 'Ein Knopf mit einem Wert'],
  ['The market of the city', 'Der Markt der Stadt'],
  ['Three rivers and a mountain', 'Drei Flüsse und ein Berg'],
] as const;

function page(order: readonly number[], side: 0 | 1, mark: (nth: number) => string): string {
  const items = order.map((at, nth) => `${mark(nth)}${ITEMS[at]?.[side]}`);
  const [head, last] = side === 0 ? ['# Head', 'Last words.'] : ['# Kopf', 'Letzte Worte.'];
  return `${head}\n\n${items.join('\n')}\n\n${last}\n`;
}

const MARKS: readonly (readonly [string, (nth: number) => string, (nth: number) => string])[] = [
  ['- and *', () => '- ', () => '* '],
  ['* and +', () => '* ', () => '+   '],
  ['- and indented -', () => '- ', () => '  - '],
  ['> - and > *', () => '> - ', () => '> * '],
  ['equal marks', () => '- ', () => '- '],
  ['numbers with two blanks', (nth) => `${nth + 1}. `, (nth) => `${nth + 1}.  `],
  ['numbers with another sign', (nth) => `${nth + 1}. `, (nth) => `${nth + 1}) `],
  ['equal numbers and counted ones', () => '1. ', (nth) => `${nth + 1}. `],
  ['counted numbers and equal ones', (nth) => `${nth + 1}. `, () => '1. '],
  ['equal numbers', (nth) => `${nth + 1}. `, (nth) => `${nth + 1}. `],
  ['tasks', () => '- [ ] ', () => '* [x] '],
];

test.each(MARKS)('a moved item, %s', async (_, marks, own) => {
  const jobs = await TextJobs.of(
    '{ from: "l/{locale}.md" }',
    { 'l/en.md': page([0, 1, 2], 0, marks), 'l/de.md': page([0, 1, 2], 1, own) },
    'de',
  );
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  for (const order of [
    [1, 0, 2],
    [1, 2, 0],
    [0, 1, 2],
    [0, 2, 1],
  ]) {
    await jobs.write('l/en.md', page(order, 0, marks));
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [] });
    expect(await jobs.read('l/de.md')).toBe(page(order, 1, own));
  }
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
});

test('a heading that moves behind a table keeps the line ends of its page', async () => {
  const table = (words: readonly string[]) =>
    `| Name | Use |\n| --- | --- |\n| \`one\` ${words[0]} | Yes |\n| \`two\` ${words[1]} | Yes |`;
  const source = ['Some words.', '## The project', 'A message.', table(['value', 'message'])];
  const own = [
    'Ein paar Worte.',
    '## Das Projekt',
    'Eine Nachricht.',
    table(['Wert', 'Nachricht']),
  ];
  const page = (blocks: readonly string[], end: string) => `${[...blocks, end].join('\n\n')}\n`;
  const crlf = (text: string) => text.replaceAll('\n', '\r\n');
  const moved = ([first = '', head = '', ...rest]: readonly string[]) => [first, ...rest, head];
  const jobs = await TextJobs.of(
    '{ from: "l/{locale}.md" }',
    {
      'l/en.md': page(source, 'The last server.'),
      'l/de.md': crlf(page(own, 'Der letzte Server.')),
    },
    'de',
  );
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('l/en.md', page(moved(source), 'The last server.'));
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [] });
  expect(await jobs.read('l/de.md')).toBe(crlf(page(moved(own), 'Der letzte Server.')));
});

const SECTIONS = [
  ['First thing', 'Erste Sache', 'About the first.', 'Über die erste.'],
  ['Second thing', 'Zweite Sache', 'About the second.', 'Über die zweite.'],
  ['Third thing', 'Dritte Sache', 'About the third.', 'Über die dritte.'],
] as const;

type Heading = (words: string) => string;
const HEADINGS: readonly (readonly [string, Heading, string])[] = [
  ['an underline', (words) => `${words}\n----\n\n`, '\n'],
  ['closing signs', (words) => `## ${words} ##\n\n`, '\n'],
  ['another level', (words) => `### ${words}\n\n`, '\n'],
  ['two blank lines', (words) => `## ${words}\n\n\n`, '\n\n'],
  ['no blank line', (words) => `## ${words}\n`, '\n'],
  [
    'a comment',
    (words) => `## ${words}\n\n${words === 'Zweite Sache' ? '<!-- ja -->\n' : ''}`,
    '\n',
  ],
];

test.each(HEADINGS)('a section moves where the person has %s', async (_, heading, gap) => {
  const source = (order: readonly number[]) =>
    [
      'Some words.\n',
      ...order.map((at) => `## ${SECTIONS[at]?.[0]}\n\n${SECTIONS[at]?.[2]}\n`),
    ].join('\n');
  const target = (order: readonly number[]) =>
    [
      'Ein paar Worte.\n',
      ...order.map((at) => `${heading(SECTIONS[at]?.[1] ?? '')}${SECTIONS[at]?.[3]}\n`),
    ].join(gap);
  const files = { 'l/en.md': source([0, 1, 2]), 'l/de.md': target([0, 1, 2]) };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  for (const order of [
    [1, 0, 2],
    [2, 1, 0],
    [0, 1, 2],
  ]) {
    await jobs.write('l/en.md', source(order));
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [] });
    expect(await jobs.read('l/de.md')).toBe(target(order));
  }
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
});

test('paragraphs of a quote change places', async () => {
  const quote = (words: readonly string[], sign: string) =>
    `${words.map((each) => `${sign}${each}\n`).join('>\n')}\n`;
  const [source, own] = [0, 1].map((side) => ITEMS.map((each) => each[side] ?? ''));
  const files = { 'l/en.md': quote(source ?? [], '> '), 'l/de.md': quote(own ?? [], '>  ') };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('l/en.md', quote((source ?? []).toReversed(), '> '));
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [] });
  expect(await jobs.read('l/de.md')).toBe(quote((own ?? []).toReversed(), '>  '));
});

test('a numbered list above a paragraph of a person counts from its first number', async () => {
  const list = (items: readonly string[]) =>
    items.map((each, at) => `${at + 1}. ${each}`).join('\n');
  const [english, german] = [0, 1].map((side) => ITEMS.map((each) => each[side] ?? ''));
  const [en, de] = [english ?? [], german ?? []];
  const added = ['Wooden letters about weather', 'Young gardens behind houses'];
  const own = 'Ein eigener Absatz der Person.';
  const files = { 'l/en.md': `${list(en)}\n`, 'l/de.md': `${list(de)}\n\n${own}\n` };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  await jobs.run('l/en.md');
  const order = (items: readonly string[], others: readonly string[]) =>
    [items[1], items[2], others[0], items[0], others[1]].map((each) => each ?? '');
  await jobs.write('l/en.md', `${list(order(en, added))}\n`);
  await jobs.run('l/en.md');
  const bought = added.map((each) => each.replace(/\p{L}+/gu, (word) => `${word}ä`));
  expect(await jobs.read('l/de.md')).toBe(`${list(order(de, bought))}\n\n${own}\n`);
});
