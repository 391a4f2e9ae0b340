/** First contact with a translation in another script, where no letters are alike: links say which paragraphs belong together. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const README = [
  ['# Tool', '# 도구'],
  ['- [Install](#install)', '- [설치](#install)'],
  ['- [Usage](#usage)', '- [사용법](#usage)'],
  ['- [Plugins](#plugins)', '- [플러그인](#plugins)'],
  ['- [Related](#related)', '- [관련](#related)'],
  ['- [License](#license)', '- [라이선스](#license)'],
] as const;
const page = (blocks: readonly string[]) =>
  `${blocks.join('\n\n').replace(/(?<=^- .*)\n\n(?=- )/gm, '\n')}\n`;

test.each(README.flatMap(([en], at) => (at === 0 ? [] : [{ at, en }])))(
  'a page without "$en" gets this text in its place',
  async ({ at, en }) => {
    const missing = page(README.flatMap(([, ko], nth) => (nth === at ? [] : [ko])));
    const files = { 'l/en/a.md': page(README.map(([text]) => text)), 'l/ko/a.md': missing };
    const jobs = await TextJobs.of('{ from: "l/{locale}/*.md" }', files, 'ko');
    const { bought, state } = await jobs.run('l/en/a.md', 'ko');
    expect(state).toMatchObject({ kind: 'done' });
    expect(bought).toEqual([en.replace(/^- /, '')]);
    const lines = (await jobs.read('l/ko/a.md')).split('\n').filter((line) => line !== '');
    const place = lines.findIndex((line) => line.includes('ä'));
    const [above, below] = [README[at - 1]?.[1], README[at + 1]?.[1]];
    expect([lines[place - 1], lines[place + 1]]).toEqual([above, below]);
  },
);
