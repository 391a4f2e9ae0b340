/** Tables that are not Unicode: which are certainly in Windows-1252. */
import { expect, test } from 'vitest';
import { isCertainlyWestern, isWestern } from '../../../src/formats/exchange/western.ts';
import { encodeAs } from '../../../src/formats/text/decode.ts';
import type { LanguageTag } from '../../../src/language.ts';

function encoded(encoding: string, text: string): Uint8Array {
  const bytes = encodeAs(encoding, text);
  if (bytes === undefined) throw new RangeError(`${encoding} lacks a letter of ${text}`);
  return bytes;
}
const row = (text: string) => `id,source,target\r\n1,Sizes and colours,${text}\r\n`;

const WESTERN = [
  'Die Größe wählen',
  'L’été à l’école, créée en 1999',
  '¿Qué más quieres, señor?',
  'Ações e opções',
  'Åtgärder för båtar',
  'Þetta er íslenska, æði',
  '„Tschüss“ – für 5 €',
];

test.each(WESTERN)('%s is certain in Windows-1252, and not in Mac Roman', (text) => {
  expect(isCertainlyWestern(encoded('windows-1252', row(text)))).toBe(true);
  expect(
    isCertainlyWestern(
      encoded('macintosh', row(text.replace('Þ', '').replace('í', 'é').replace('ð', ''))),
    ),
  ).toBe(false);
});

test.each([
  ['windows-1251', 'Выбрать размер'],
  ['koi8-r', 'Выбрать размер'],
  ['ibm866', 'Выбрать размер'],
  ['x-mac-cyrillic', 'Выбрать размер'],
  ['windows-1253', 'Επιλέξτε μέγεθος'],
  ['windows-1255', 'בחר גודל'],
  ['windows-1256', 'اختر الحجم'],
  ['gbk', '选择尺寸和颜色'],
  ['big5', '選擇尺寸和顏色'],
  ['shift_jis', 'サイズを選択してください'],
  ['euc-kr', '크기를 선택하십시오'],
])(
  'letters of another alphabet, in %s, are not taken for those of Windows-1252',
  (encoding, text) => {
    expect(isCertainlyWestern(encoded(encoding, row(text)))).toBe(false);
  },
);

test('a word that Mac Roman reads as well as Windows-1252 is not certain', () => {
  expect(isCertainlyWestern(encoded('windows-1252', row('L’eau')))).toBe(false);
});

test('languages whose letters Windows-1252 has are known with their regions; all others are not', () => {
  const of = (...codes: string[]) => codes.map((code) => isWestern(code as LanguageTag));
  expect(of('de', 'pt-BR', 'en-GB', 'fr-CA')).toEqual([true, true, true, true]);
  expect(of('ru', 'zh-Hans', 'ja', 'pl', 'cs', 'el', 'tr', 'hu')).toEqual(Array(8).fill(false));
});
