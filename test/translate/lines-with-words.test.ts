/** Lines without words that get words in the source, and texts that come to a person's line: the person has other blank lines there. */
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

test.each(['<!-- Anna -->', '***'])(
  'a paragraph that moves below a line of a person stays apart from it: %s',
  async (own) => {
    const [from, to] = ['l/en.md', 'l/de.md'];
    const moved = {
      en: 'Every worker keeps a memory of its own until the end.',
      de: 'Jeder Arbeiter behält bis zum Ende einen eigenen Speicher.',
    };
    const starts = {
      en: 'The server starts when a window opens.',
      de: 'Der Dienst startet, wenn ein Fenster aufgeht.',
    };
    const ends = { en: 'Close it from outside.', de: 'Schließe ihn von außen.' };
    const page = (language: 'en' | 'de', isMoved: boolean) => {
      const text = moved[language];
      const code = isMoved ? '```\na = 1\nb = 2\n```' : '```\na = 1\n```';
      const note = language === 'de' ? [own] : [];
      const [above, below] = isMoved ? [[], [text]] : [[text], []];
      return `${[...above, starts[language], code, ...note, ...below, ends[language]].join('\n\n')}\n`;
    };
    const files = { [from]: page('en', false), [to]: page('de', false) };
    const jobs = await TextJobs.of('{ from: "l/{locale}.md" }', files, 'de');
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
    await jobs.write(from, page('en', true));
    expect(await jobs.run(from)).toMatchObject({ bought: [], state: { kind: 'done' } });
    expect(await jobs.read(to)).toBe(page('de', true));
    expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  },
);
