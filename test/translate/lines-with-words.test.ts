/** A line without words gets words in the source. The person has it as the source had it, with more blank lines beside it. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const PAGE = (words: readonly [string, string], line: string, gap: string) =>
  `## ${words[0]}\n\nHere is ${words[0]}.${gap}${line}${gap}There is ${words[1]}.\n`;

test.each([
  ['a heading', '### `--x` == 0', '### `--x` == 0 again', '### `--x` == 0 againä'],
  ['a paragraph', '`--x` == 0', '`--x` == 0 again', '`--x` == 0 againä'],
  ['a line that is replaced', '### `--x` == 0', '### Other words', '### Otherä wordsä'],
])('%s', async (_, line, now, bought) => {
  const [from, to] = ['l/en.md', 'l/de.md'];
  const [en, de] = [['Words', 'more'] as const, ['Worte', 'mehr'] as const];
  const files = { [from]: PAGE(en, line, '\n\n'), [to]: PAGE(de, line, '\n\n\n') };
  const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(from, PAGE(en, now, '\n\n'));
  expect((await jobs.run(from)).state).toMatchObject({ kind: 'done' });
  expect(await jobs.read(to)).toBe(PAGE(de, bought, '\n\n\n'));
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
});
