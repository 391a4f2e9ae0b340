/**
 * A page of HTML may have the tags of a text on lines of their own. It may leave out end tags (HTML standard, "Optional tags"). Its blocks
 * follow the source all the same, and each block keeps the bytes of the page that it is in.
 */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

type Shape = (text: string) => string;

const PARAGRAPHS: readonly Shape[] = [
  (text) => `<p>${text}</p>\n`,
  (text) => `<p>${text}\n</p>\n`,
  (text) => `<p>\n${text}\n</p>\n`,
  (text) => `<p>\n  ${text}</p>\n`,
  (text) => `<p>${text}\n`,
  (text) => `<p class="note">\n${text}\n</p>\n`,
];
const INDENTED: readonly Shape[] = [
  (text) => `  <p>${text}</p>\n\n`,
  (text) => `  <p>${text}\n  </p>\n\n`,
  (text) => `  <p>\n    ${text}\n  </p>\n\n`,
  (text) => `  <p>${text}\n\n`,
];
const ITEMS: readonly Shape[] = [
  (text) => `<li>${text}</li>\n`,
  (text) => `<li>${text}\n</li>\n`,
  (text) => `<li>\n${text}\n</li>\n`,
  (text) => `<li>${text}\n`,
];
const TERMS: readonly Shape[] = [
  (text) => `<dt>${text}</dt>\n<dd>1${text}</dd>\n`,
  (text) => `<dt>${text}\n</dt>\n<dd>1${text}\n</dd>\n`,
  (text) => `<dt>${text}\n<dd>1${text}\n`,
];
const CELLS: readonly Shape[] = [
  (text) => `<tr><td>${text}</td></tr>\n`,
  (text) => `<tr><td>${text}\n</td></tr>\n`,
  (text) => `<tr><td>${text}\n`,
];
const BOXES: readonly Shape[] = [
  (text) => `<div>${text}</div>\n`,
  (text) => `<div>${text}\n</div>\n`,
  (text) => `<div>\n${text}\n</div>\n`,
];

const PAGES: readonly [
  name: string,
  shapes: readonly Shape[],
  around: readonly [string, string],
][] = [
  ['paragraphs', PARAGRAPHS, ['', '']],
  ['indented paragraphs', INDENTED, ['<div>\n', '</div>\n']],
  ['items', ITEMS, ['<ul>\n', '</ul>\n']],
  ['terms', TERMS, ['<dl>\n', '</dl>\n']],
  ['cells', CELLS, ['<table>\n', '</table>\n']],
  ['boxes', BOXES, ['', '']],
];

const ENGLISH = [
  'Boat 21 is ready to leave',
  'Boat 22 has left the harbour',
  'Boat 23 comes back today',
  'Boat 24 was sold last year',
];
const GERMAN = [
  'Boot 21 ist bereit zur Abfahrt',
  'Boot 22 hat den Hafen verlassen',
  'Boot 23 kommt heute wieder',
  'Boot 24 wurde letztes Jahr verkauft',
];
const NEW = 1;
const bought = (text: string) => text.replace(/\p{L}+/gu, '$&ä');
// The person's empty line above a block that leaves may stay.
const withoutEmptyLines = (page: string) => page.replace(/\n+/g, '\n');
const [FROM, TO] = ['docs/en/a.html', 'docs/de/a.html'];

const CASES = PAGES.flatMap(([name, shapes, [start, end]]) =>
  shapes.flatMap((theirs, nth) =>
    shapes.map((mine, mth) => {
      const page = (shape: Shape, texts: readonly string[], order: readonly number[]) =>
        start + order.map((at) => shape(texts[at] ?? '')).join('') + end;
      return { name: `${name} ${nth} and ${mth}`, theirs, mine, page, start, end };
    }),
  ),
);

test.each(CASES)('a new block is written with its tags: $name', async (each) => {
  const { theirs, mine, page, start, end } = each;
  const old = [0, 2, 3];
  const source = page(theirs, ENGLISH, [0, NEW, 2, 3]);
  const added = theirs(ENGLISH[NEW] ?? '').replaceAll(
    ENGLISH[NEW] ?? '',
    bought(ENGLISH[NEW] ?? ''),
  );
  const [first, ...rest] = old.map((at) => mine(GERMAN[at] ?? ''));
  const expected = [start, first, added, ...rest, end].join('');
  const atFirst = await TextJobs.of(ROUTE, { [FROM]: source, [TO]: page(mine, GERMAN, old) });
  const ran = await atFirst.run(FROM);
  expect([ran.state.kind, await atFirst.read(TO)]).toEqual(['done', expected]);
  const later = await TextJobs.of(ROUTE, {
    [FROM]: page(theirs, ENGLISH, old),
    [TO]: page(mine, GERMAN, old),
  });
  await later.run(FROM);
  await later.write(FROM, source);
  const { state } = await later.run(FROM);
  expect([state.kind, await later.read(TO)]).toEqual(['done', expected]);
});

test.each(CASES)(
  'a block that leaves the source leaves with its tags, and a moved one keeps them: $name',
  async (each) => {
    const { theirs, mine, page } = each;
    for (const order of [
      [0, 2, 3],
      [1, 2, 3],
      [0, 1, 2],
      [0, 2, 1, 3],
      [3, 0, 1, 2],
    ]) {
      const jobs = await TextJobs.of(ROUTE, {
        [FROM]: page(theirs, ENGLISH, [0, 1, 2, 3]),
        [TO]: page(mine, GERMAN, [0, 1, 2, 3]),
      });
      await jobs.run(FROM);
      await jobs.write(FROM, page(theirs, ENGLISH, order));
      const { state } = await jobs.run(FROM);
      expect([order, state.kind, withoutEmptyLines(await jobs.read(TO))]).toEqual([
        order,
        'done',
        withoutEmptyLines(page(mine, GERMAN, order)),
      ]);
    }
  },
);

const ROUTE = '{ from: "docs/{locale}/**/*.html", lane: text }';
