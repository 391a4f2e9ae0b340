/** Content with endless nesting is refused with the file's name, in our words: a parser reports its stack, or loses the file's name. */
import { expect, test } from 'vitest';
import { JobFailure } from '../../../src/failure.ts';
import { chooseFormat } from '../../../src/formats/all.ts';
import { openFile } from '../../../src/formats/text/open.ts';
import { parseLanguage } from '../../../src/language.ts';

const DEEP = 6000;

test.each([
  ['a.yaml', 'a: ', '[{a: '],
  ['a.json5', '{a: ', '{a:'],
  ['a.js', 'export default ', '{a:'],
  ['a.ftl', 'a = ', '{ { '],
])('%s', async (file, head, opening) => {
  const en = parseLanguage('en') ?? expect.unreachable();
  const format = (await chooseFormat(file, head)) ?? expect.unreachable();
  const options = { file, sourceLanguage: en, language: en, role: 'source' } as const;
  const read = () => openFile(Buffer.from(head + opening.repeat(DEEP)), format, options);
  expect(read).toThrow(JobFailure);
  expect(read).toThrow(/nested too deeply/);
});
