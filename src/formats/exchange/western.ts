/**
 * Whether a table that is not Unicode is certainly in Windows-1252, as Excel writes "CSV" in Western Europe and America. In Windows-1251,
 * GBK, Mac Roman and others, the same bytes are other letters.
 */
import { baseLanguage, type LanguageTag } from '../../language.ts';

/** Languages that are written with the letters of Windows-1252 alone. */
const WESTERN = new Set(
  'af br ca co da de en es eu fi fo fr fy ga gd gl id is it lb ms nb nl nn no oc pt rm sc sq sv sw tl'.split(
    ' ',
  ),
);

export function isWestern(language: LanguageTag): boolean {
  return WESTERN.has(baseLanguage(language));
}

/** Whether the text can be read as Windows-1252, and not as Mac Roman or an encoding with letters of another alphabet. */
export function isCertainlyWestern(bytes: Uint8Array): boolean {
  const [windows, mac] = ['windows-1252', 'macintosh'].map((label) =>
    new TextDecoder(label).decode(bytes),
  ) as [string, string];
  return isPlausible(windows) && !isPlausible(mac);
}

function isPlausible(text: string): boolean {
  return !IMPLAUSIBLE.some((pattern) => pattern.test(text));
}

const LETTER = 'A-Za-zÀ-ÖØ-öø-ÿŒœŠšŽžŸ';
const FOREIGN = 'À-ÖØ-öø-ÿŒœŠšŽžŸ';
/** Signs that people write beside letters. */
const BESIDE = '«»‹›„“”‘’‚–—…¿¡·•€£¥§©®°™ªº\\u00a0\\u00ad²³¹¼½¾µ';
const IMPLAUSIBLE = [
  // Three letters with accents in a row: letters of another alphabet.
  new RegExp(`[${FOREIGN}]{3}`),
  // A capital with an accent inside a word.
  new RegExp(`\\p{Ll}(?=[${FOREIGN}])\\p{Lu}`, 'u'),
  // Another sign that touches a letter, or a sign inside a word.
  new RegExp(`[${LETTER}][^\\0-~${FOREIGN}${BESIDE}]|[^\\0-~${FOREIGN}${BESIDE}][${LETTER}]`),
  new RegExp(`[${LETTER}](?![’‘·–—…\\u00a0\\u00ad])[${BESIDE}][a-z${FOREIGN}]`),
];
