/** Broken files are told in words of the file, not of the parser that read it. */
import { expect, test } from 'vitest';
import { chooseFormat } from '../../../src/formats/all.ts';
import { openFile } from '../../../src/formats/text/open.ts';
import { lineStart } from '../../../src/formats/text/position.ts';

async function complaintOf(file: string, text: string): Promise<string> {
  const format = await chooseFormat(file, text);
  if (format === undefined) throw new Error(`${file} has no format`);
  try {
    openFile(Buffer.from(text), format, {
      ...{ file, sourceLanguage: undefined, language: undefined, role: 'source' },
    });
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  throw new Error('it was read');
}

test.each([
  ['a.json', '{"a": oops}', 'a.json:1:7: "oops" is not expected here'],
  ['a.json', '{"a": "b",}', 'a.json:1:11: "}" is not expected here'],
  ['a.json', '{"a": {', 'a.json:1:7: the file ends too early'],
  ['a.json', '{"a": "b"', 'a.json:1:10: the file ends too early'],
  ['a.json', '{ "a": ', 'a.json:1:8: the file ends too early'],
  ['a.json', '{ "a": [1,', 'a.json:1:10: the file ends too early'],
  ['a.json', '{\n  "a": {\n', 'a.json:2:8: the file ends too early'],
  ['a.json5', "{a: 'b'", 'a.json5:1:8: the file ends too early'],
  ['a.js', 'export default {a: }', 'a.js:1:20: "}" is not expected here'],
  ['a.php', '<?php return [', 'a.php:1:15: the file ends too early'],
  ['a.yaml', 'a: b: c', 'a.yaml:1:4: a second ": " in one line: put the text into quotes'],
  ['a.mdx', '{1 +}', 'a.mdx:1:5: the content of these braces is no JavaScript'],
])('%s with %j', async (file, text, complaint) => {
  expect(await complaintOf(file, text)).toBe(complaint);
});

test.each([
  ['ab', 0, 0],
  ['\nb', 0, 0],
  ['a\nb\nc', 4, 4],
  ['a\rb\rc', 4, 4],
  ['a\r\nb', 2, 0],
  ['a\r\nb', 3, 3],
  ['a\n\rb', 3, 3],
])('the line of %j at %i begins at %i', (text, offset, start) => {
  expect(lineStart(text, offset)).toBe(start);
});
