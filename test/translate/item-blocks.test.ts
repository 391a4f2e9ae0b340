/** Items of lists that hold blocks, where a person's marks are wider than those of the source: each block stays in its item. */
import { describe, expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

interface Item {
  readonly words: string;
  /** The lines of the block in it. */
  readonly block: readonly string[];
}

const BLOCKS: readonly (readonly [string, en: readonly string[], de: readonly string[]])[] = [
  [
    'a table',
    ['| A word | B word |', '| --- | --- |', '| One | Two |'],
    ['| A-Wort | B-Wort |', '| --- | --- |', '| Eins | Zwei |'],
  ],
  ['a quote', ['> Quote here.'], ['> Zitat hier.']],
  ['a quote of two', ['> Quote here.', '>', '> More.'], ['> Zitat hier.', '>', '> Mehr.']],
  ['code', ['```sh', 'run One', '```'], ['```sh', 'run One', '```']],
  ['a paragraph', ['Words here.'], ['Worte hier.']],
  ['a list', ['- Inner here', '- Inner there'], ['- Innen hier', '- Innen dort']],
];

const MARKS: readonly (readonly [
  string,
  en: (nth: number) => string,
  de: (nth: number) => string,
])[] = [
  ['1. and 1.__', (nth) => `${nth}. `, (nth) => `${nth}.  `],
  ['1. and 1)_', (nth) => `${nth}. `, (nth) => `${nth})  `],
  ['1. and all 1.', (nth) => `${nth}. `, () => '1.  '],
  ['- and *___', () => '- ', () => '*   '],
  ['- and -', () => '- ', () => '- '],
];

const page = (head: string, items: readonly Item[], mark: (nth: number) => string) => {
  const lines = items.flatMap(({ words, block }, at) => {
    const sign = mark(at + 1);
    const inner = block.map((line) => `${' '.repeat(sign.length)}${line}`.trimEnd());
    return [`${sign}${words}`, '', ...inner, ''];
  });
  return `# ${head}\n\n${lines.join('\n')}\n`;
};

const itemsWith = ([, en, de]: (typeof BLOCKS)[number]) => {
  const en2 = en.map((line) => line.replace('One', 'Six').replace('here', 'inside'));
  const de2 = de.map((line) =>
    line.replace('Eins', 'Sechs').replace('One', 'Six').replace('hier', 'innen'),
  );
  return [
    [
      { words: 'First item', block: en },
      { words: 'Second item', block: en2 },
      { words: 'Third thing', block: ['A last word.'] },
    ],
    [
      { words: 'Erster Punkt', block: de },
      { words: 'Zweiter Punkt', block: de2 },
      { words: 'Drittes Ding', block: ['Ein letztes Wort.'] },
    ],
  ] as const;
};

const ORDERS: readonly (readonly number[])[] = [
  [1, 0, 2],
  [2, 1, 0],
  [1, 2],
];

describe.each(BLOCKS)('items that hold %s', (...block) => {
  test.each(MARKS)('change places and leave with marks %s', async (_, theirs, own) => {
    const [source, target] = itemsWith(block);
    const picked = (items: readonly Item[], order: readonly number[]) =>
      order.flatMap((at) => items[at] ?? []);
    const jobs = await TextJobs.of(
      '{ from: "l/{locale}.md" }',
      { 'l/en.md': page('Guide', source, theirs), 'l/de.md': page('Kopf', target, own) },
      'de',
    );
    expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
    for (const order of ORDERS) {
      await jobs.write('l/en.md', page('Guide', picked(source, order), theirs));
      expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], state: { kind: 'done' } });
      expect(await jobs.read('l/de.md')).toBe(page('Kopf', picked(target, order), own));
    }
  });
});

const bought = (text: string) => text.replace(/\p{L}+/gu, (word) => `${word}ä`);

test('a new inner item between inner items of a person has their blanks', async () => {
  const source = (...inner: readonly string[]) =>
    ['- First item', ...inner.map((text) => `  - ${text}`), '- Last item', ''].join('\n');
  const target = (...inner: readonly string[]) =>
    ['-   Erster', ...inner.map((text) => `    -   ${text}`), '-   Letzter', ''].join('\n');
  const files = {
    'l/en.md': source('Inner here', 'Inner there'),
    'l/de.md': target('Innen hier', 'Innen dort'),
  };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  await jobs.write('l/en.md', source('Inner here', 'Another thing', 'Inner there'));
  await jobs.run('l/en.md');
  expect(await jobs.read('l/de.md')).toBe(
    target('Innen hier', bought('Another thing'), 'Innen dort'),
  );
});

test('a new inner item that is a little like a former outer item stays an inner item', async () => {
  const source = (outer: string, inner: string) =>
    `1. ${outer}\n   - ${inner}\n   - Keeps until machines.\n2. Server of it opens please.\n`;
  const target = (outer: string, inner: string) =>
    `1.  ${outer}\n    - ${inner}\n    - Bis die Maschinen.\n2.  Der Server öffnet.\n`;
  const files = {
    'l/en.md': source('A worker keeps its own window open.', 'Setting the part of it.'),
    'l/de.md': target('Ein Arbeiter hält sein Fenster.', 'Den Teil davon setzen.'),
  };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  expect(await jobs.run('l/en.md')).toMatchObject({ bought: [], isWritten: false });
  const [outer, inner] = ['Machines until eighty.', 'Outside, a worker opens the window.'];
  await jobs.write('l/en.md', source(outer, inner));
  await jobs.run('l/en.md');
  expect(await jobs.read('l/de.md')).toBe(target(bought(outer), bought(inner)));
});
