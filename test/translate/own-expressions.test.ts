/** An expression that a person has in the place of a text, found at first contact: a translation does not replace it without a word. */
import { expect, test } from 'vitest';
import { TextJobs } from '../text-jobs.ts';

const php = (value: string) => `<?php\nreturn [\n  'a' => ${value},\n  'b' => 'More',\n];\n`;
const ts = (value: string) => `export default {\n  a: ${value},\n  b: 'More',\n};\n`;

test.each([
  ['l/LANG/a.php', php, "sprintf('Hallo %s', NAME)"],
  ['l/LANG/a.php', php, "'Hal' . 'lo'"],
  ['l/LANG.ts', ts, "(name) => 'Hallo ' + name"],
  ['l/LANG.ts', ts, "t('common.hello')"],
])('in %s stays when its source changes, until a person decides: $2', async (path, file, own) => {
  const [from, to] = [path.replace('LANG', 'en'), path.replace('LANG', 'de')];
  const text = (words: string) => file(`'${words}'`);
  const route = `{ from: "${path.replace('LANG', '{locale}')}", lane: text }`;
  const jobs = await TextJobs.of(route, { [from]: text('Hello there'), [to]: file(own) }, 'de');
  expect(await jobs.run(from)).toMatchObject({ bought: [], isWritten: false });
  await jobs.write(from, text('Hello there now'));
  expect((await jobs.run(from)).state).toMatchObject({
    kind: 'held',
    hold: { kind: 'conflict', keys: ['a'] },
  });
  expect(await jobs.read(to)).toBe(file(own));
});
