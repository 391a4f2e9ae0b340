/** Plain text that a person indents otherwise: new and moved lines change no byte of the lines beside them, and are indented as those. */
import { expect, test } from 'vitest';
import { Seeded } from '../seeded.ts';
import { TextJobs } from '../text-jobs.ts';

interface Line {
  readonly en: string;
  readonly de: string;
}

const page = (lines: readonly Line[], language: 'en' | 'de', indent: string) => {
  const list = lines.map((line) => `${indent}${line[language]}\n`).join('');
  return language === 'en'
    ? `Hello there\n\n${list}\nThe end.\n`
    : `Hallo da\n\n${list}\nDas Ende.\n`;
};

const bought = (en: string) => en.replace(/\p{L}+/gu, (word) => `${word}ä`);

test.each(
  ['    ', '   ', '\t', ' '].flatMap((indent) =>
    [0, 1, 2, 3].map((seed) => [indent, seed] as const),
  ),
)('the lines of a person keep the indent %j, seed %i', async (indent, seed) => {
  const random = new Seeded(seed, indent.length);
  const words = ['harbour', 'window', 'server', 'worker', 'memory', 'garden', 'letter', 'market'];
  const own = ['Hafen', 'Fenster', 'Dienst', 'Arbeiter', 'Speicher', 'Garten', 'Brief', 'Markt'];
  let lines: readonly Line[] = [0, 1, 2].map((at) => ({
    en: `Open the ${words[at]} here`,
    de: `${own[at]} hier öffnen`,
  }));
  const files = { 'l/en.txt': page(lines, 'en', '  '), 'l/de.txt': page(lines, 'de', indent) };
  const jobs = await TextJobs.of('{ from: "l/{locale}.txt", lane: text }', files, 'de');
  expect(await jobs.run('l/en.txt')).toMatchObject({ bought: [], isWritten: false });
  for (let edit = 3; edit < 8; edit += 1) {
    const en = `Close that ${words[edit]} number ${edit} at once`;
    const added = { en, de: bought(en) };
    const at = random.below(lines.length + 1);
    lines = random.isOneIn(4)
      ? [...lines.slice(1), ...lines.slice(0, 1)]
      : lines.toSpliced(at, 0, added);
    await jobs.write('l/en.txt', page(lines, 'en', '  '));
    expect(await jobs.run('l/en.txt')).toMatchObject({ state: { kind: 'done' } });
    expect(await jobs.read('l/de.txt')).toBe(page(lines, 'de', indent));
  }
});
