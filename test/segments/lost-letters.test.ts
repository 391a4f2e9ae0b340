/** Letters that the encoding of a file does not have, and similar texts that a person may write on purpose. */
import { expect, test } from 'vitest';
import { hasHoles, isGarbled } from '../../src/segments/lost-letters.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const DAMAGES: readonly (readonly [string, (text: string) => string])[] = [
  ['a question mark for each character', (text) => text.replace(/[^ -~]/gu, '?')],
  ['a question mark for each half of one', (text) => text.replace(/[^ -~]/g, '?')],
  ['replacement characters', (text) => text.replace(/[^ -~]/gu, '\uFFFD')],
  ['UTF-8 read as Windows', (text) => new TextDecoder('windows-1252').decode(bytesOf(text))],
  ['UTF-8 read as ISO 8859-1', (text) => Buffer.from(text).toString('latin1')],
  ['UTF-8 read as of a Mac', (text) => new TextDecoder('macintosh').decode(bytesOf(text))],
];
const TEXTS = [
  ...['Größe wählen', 'Łódź – zażółć', 'Дом и сад', '保存する', 'Naïve „Idee“ für 5 €', '𠮷 é'],
];

test.each(DAMAGES)('%s is detected', (_, damage) => {
  for (const text of TEXTS) expect(isGarbled(text, damage(text)), text).toBe(true);
});

test.each([
  ['Polish', 'Łódź', '£ódŸ'],
  ['Russian', 'Дом', 'Äîì'],
  ['German of a Mac', 'Größe', 'Grš§e'],
])('%s that was read as Windows is detected', (_, was, now) => {
  expect(isGarbled(was, now)).toBe(true);
});

test.each([
  ['Fertig…', 'Fertig?'],
  ['père', 'pére'],
  ['保存', '保管'],
  ['Größe', 'Groesse'],
  ['Größe', 'Größe?'],
  ['Really?', 'Wirklich?'],
  ['Größe', 'Gro\u0308ße'],
  ['Save', 'S?ve'],
])('a person may rewrite %s as %s', (was, now) => {
  expect(isGarbled(was, now)).toBe(false);
});

test.each(['Gr??e', '?ber uns', 'w?hlen', '????', '?? ???', 'das ?ffnen'])(
  '%s has holes, whatever it translates',
  (text) => expect(hasHoles('Choose a size', text)).toBe(true),
);

test.each([
  ['Really?', 'Wirklich?'],
  ['Why? Because.', 'Warum? Darum.'],
  ['See https://a.b/c?page=2', 'Siehe https://a.b/c?page=2'],
  ['See {?name}', 'Siehe {?name}'],
  ['What', 'Quoi ?'],
  ['???', '???'],
  ['a?or b', 'a?oder b'],
  ['Yes or no', 'Ja/nein?'],
])('of %s, %s is no text with holes', (source, text) => {
  expect(hasHoles(source, text)).toBe(false);
});
