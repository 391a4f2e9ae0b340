/** An entry of a file with all languages gets another key, and its text is reworded: its translation is one of the earlier text. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const PATH = 'l/texts.csv';

test.each([
  ['without a key column', '{ source: en, targets: { de: de } }', 'en,de\n', ''],
  ['with a key column', '{ key: key, source: en, targets: { de: de } }', 'key,en,de\n', 'key_1,'],
])('%s', async (_, columns, head, key) => {
  const rest = `${key && 'b,'}Other words here,Andere Worte hier\n`;
  const before = `${head}${key}Hello there you,Hallo du da\n${rest}`;
  const route = `{ from: "${PATH}", columns: ${columns} }`;
  const jobs = await TextJobs.of(route, { [PATH]: before }, 'de');
  expect(await jobs.run(PATH)).toMatchObject({ bought: [], isWritten: false });
  const now = key.replace('1', '2');
  await jobs.write(PATH, `${head}${now}Hello there me,Hallo du da\n${rest}`);
  expect(await jobs.run(PATH)).toMatchObject({ bought: ['Hello there me'] });
  const after = `${head}${now}Hello there me,Helloä thereä meä\n${rest}`;
  expect(await jobs.read(PATH)).toBe(after);
  expect(await jobs.run(PATH)).toMatchObject({ bought: [], isWritten: false });
});

test("a person's translation is kept, and the person is asked", async () => {
  const head = 'en,de\n';
  const route = `{ from: "${PATH}", columns: { source: en, targets: { de: de } } }`;
  const jobs = await TextJobs.of(route, { [PATH]: `${head}Hello there you,\n` }, 'de');
  await jobs.run(PATH);
  await jobs.write(PATH, `${head}Hello there you,Hallo du da\n`);
  await jobs.run(PATH);
  await jobs.write(PATH, `${head}Hello there me,Hallo du da\n`);
  expect((await jobs.run(PATH)).state).toMatchObject({ kind: 'held', hold: { kind: 'conflict' } });
  expect(await jobs.read(PATH)).toBe(`${head}Hello there me,Hallo du da\n`);
});

test('a new row with the words of a removed one elsewhere keeps its translation', async () => {
  const head = 'en,de\n';
  const route = `{ from: "${PATH}", columns: { source: en, targets: { de: de } } }`;
  const others = ['One word,Ein Wort\n', 'Two words,Zwei Worte\n', 'Three words,Drei Worte\n'];
  const jobs = await TextJobs.of(
    route,
    { [PATH]: `${head}Cancel,Abbrechen\n${others.join('')}` },
    'de',
  );
  await jobs.run(PATH);
  const now = `${head}${others.join('')}Abort it,Abbrechen\n`;
  await jobs.write(PATH, now);
  expect(await jobs.run(PATH)).toMatchObject({ bought: [], isWritten: false });
  expect(await jobs.read(PATH)).toBe(now);
});
