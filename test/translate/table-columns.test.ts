/** The source moves and removes columns of a table that a person aligned: no cell is below the wrong head. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

type Cells = readonly (readonly string[])[];

const EN: Cells = [
  ['A word', 'B word', 'C word'],
  ['One cell', 'Two cell', 'Three cell'],
  ['Four cell', 'Five cell', 'Six cell'],
];
const DE: Cells = [
  ['A-Wort', 'B-Wort', 'C-Wort'],
  ['Eins', 'Zwei', 'Drei'],
  ['Vier', 'Fünf', 'Sechs'],
];

const picked = (cells: Cells, columns: readonly number[]) =>
  cells.map((row) => columns.map((at) => row[at] ?? ''));

const spaced = ([head = [], ...rows]: Cells, dashes: readonly string[]) =>
  [head, dashes, ...rows].map((row) => `| ${row.join(' | ')} |\n`).join('');
const compact = ([head = [], ...rows]: Cells, dashes: readonly string[]) =>
  [head, dashes, ...rows].map((row) => `|${row.join('|')}|\n`).join('');

const [SOURCE, TARGET] = ['l/en.md', 'l/de.md'];
const english = (table: string) => `# Head\n\n${table}\nThe end.\n`;
const german = (table: string) => `# Kopf\n\n${table}\nDas Ende.\n`;
const PLAIN = ['---', '---', '---'];

const STYLES: readonly (readonly [string, typeof spaced, readonly string[]])[] = [
  ['as the source', spaced, PLAIN],
  ['other dashes', spaced, [':--', '---', '--:']],
  ['no blanks', compact, PLAIN],
];
const ORDERS: readonly (readonly number[])[] = [
  [1, 0, 2],
  [2, 1, 0],
  [0, 2],
  [1, 2],
  [2, 0],
];

test.each(
  STYLES.flatMap(([name, own, dashes]) => ORDERS.map((order) => ({ name, own, dashes, order }))),
)('a table with $name gets the columns $order', async ({ own, dashes, order }) => {
  const files = { [SOURCE]: english(spaced(EN, PLAIN)), [TARGET]: german(own(DE, dashes)) };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(SOURCE, english(spaced(picked(EN, order), PLAIN.slice(0, order.length))));
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], state: { kind: 'done' } });
  const wanted = order.map((at) => dashes[at] ?? '');
  expect(await jobs.read(TARGET)).toBe(german(own(picked(DE, order), wanted)));
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
});

test('a column that cannot leave is a conflict until it left, and the page stays', async () => {
  const table = (cells: Cells, open: string) =>
    `<table>\n${cells.map((row) => `<tr>${row.map((cell) => `${open}${cell}</td>`).join('')}</tr>\n`).join('')}</table>\n`;
  const own = german(table(DE, '<td align="right">'));
  const files = { [SOURCE]: english(table(EN, '<td>')), [TARGET]: own };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(SOURCE, english(table(picked(EN, [0, 2]), '<td>')));
  for (let runs = 0; runs < 3; runs += 1) {
    expect(await jobs.run(SOURCE)).toMatchObject({ bought: [], state: { kind: 'held' } });
    expect(await jobs.read(TARGET)).toBe(own);
  }
});
