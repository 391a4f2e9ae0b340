/** Pages that begin with a rule instead of front matter. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const EN = '---\n\n# Great!\n\nYou made a list: it works.\n\nRun `next` to go on.\n\n---\n';
const KO =
  '---\n\n# 야호!\n\n목록을 만들었습니다: 됩니다.\n\n계속하려면 `next`를 실행하세요.\n\n---\n';
const ROUTE = '{ from: "l/{locale}/*.md" }';

test('a page between two rules is adopted, and follows its source text by text', async () => {
  const jobs = await TextJobs.of(ROUTE, { 'l/en/a.md': EN, 'l/ko/a.md': KO }, 'ko');
  expect(await jobs.run('l/en/a.md', 'ko')).toMatchObject({ bought: [], isWritten: false });
  const added = EN.replace('Run `next`', 'A new text.\n\nRun `next`').replace('a list', 'lists');
  await jobs.write('l/en/a.md', added);
  const { bought } = await jobs.run('l/en/a.md', 'ko');
  expect(bought).toEqual(['You made lists: it works.', 'A new text.']);
  const wanted = KO.replace('목록을 만들었습니다: 됩니다.', 'Youä madeä listsä: itä worksä.');
  expect(await jobs.read('l/ko/a.md')).toBe(wanted.replace('계속', 'Aä newä textä.\n\n계속'));
});

test('a page between two rules that is not there yet gets all its texts', async () => {
  const jobs = await TextJobs.of(ROUTE, { 'l/en/a.md': EN }, 'ko');
  const { bought } = await jobs.run('l/en/a.md', 'ko');
  expect(bought).toHaveLength(3);
  expect(await jobs.read('l/ko/a.md')).toMatch(/^---\n\n# Greatä!\n\nYouä madeä/);
});
