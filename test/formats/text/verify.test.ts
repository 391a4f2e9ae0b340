/** What the last check before a write says about a text that nobody asked for. */
import { expect, test } from 'vitest';
import type { Format } from '../../../src/format.ts';
import { json } from '../../../src/formats/json.ts';
import { markdown } from '../../../src/formats/markdown.ts';
import { openFile } from '../../../src/formats/text/open.ts';
import { verify, verifyInOrder } from '../../../src/formats/text/verify.ts';
import { parseLanguage } from '../../../src/language.ts';

function opened(format: Format, file: string, text: string) {
  const [language, sourceLanguage] = [parseLanguage('de'), parseLanguage('en')];
  const options = { file, sourceLanguage, language, role: 'target' } as const;
  return { after: openFile(Buffer.from(text), format, options), reader: { format, options } };
}

test('a text of a page that was not there before is named by its line and its first words', () => {
  const { after, reader } = opened(markdown, 'l/de.md', 'Ein Wort.\n\nZwei `Worte`, und mehr.\n');
  const [first] = after.doc.segments;
  const intended = [{ id: 'a', parts: first?.parts ?? [], region: { start: 0, end: 9 } }];
  expect(() => verifyInOrder(after, intended, reader)).toThrow(
    'l/de.md:3: a text was not there before: "Zwei `Worte`, und mehr."; the markdown file was not written',
  );
});

test('a text of a key that was not there before is named with the key', () => {
  const { after, reader } = opened(json, 'l/de.json', '{ "a": "Eins", "b": "Zwei" }');
  expect(() => verify(after, [{ id: 'a', parts: ['Eins'] }], reader)).toThrow(
    'l/de.json: "b" was not there before: "Zwei"; the json',
  );
});
