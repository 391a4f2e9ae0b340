/** Character references of HTML and Markdown: those of ordinary characters are text, all others are syntax. */
import { XML_ENTITIES } from '../../files/xml-characters.ts';
import { type Escape, isReadBy, type Notation } from '../text/escapes.ts';

const CHARACTER_OF_ENTITY: ReadonlyMap<string, string> = new Map([
  ...XML_ENTITIES,
  ['nbsp', '\u00a0'],
]);

/** The references that are read as text. */
export const CHARACTER_REFERENCES: readonly Escape[] = [
  { pattern: /&([a-z]+);/y, read: ([, name = '']) => CHARACTER_OF_ENTITY.get(name) },
  { pattern: /&#(\d{1,7});/y, read: ([, digits = '']) => fromCode(Number.parseInt(digits, 10)) },
  {
    pattern: /&#[xX]([0-9a-fA-F]{1,6});/y,
    read: ([, hex = '']) => fromCode(Number.parseInt(hex, 16)),
  },
];

// HTML reads references to controls and surrogates as something else (13.2.5.80): they stay as they are.
function fromCode(code: number): string | undefined {
  const isPlain = code > 0x20 && (code < 0x7f || code > 0x9f) && code <= 0x10ffff;
  return isPlain && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : undefined;
}

/** Whether a reference is read as text. */
export function isCharacterReference(raw: string): boolean {
  return isReadBy(CHARACTER_REFERENCES, raw);
}

/** Any reference. Those that are not read as text (`&copy;`, `&hellip;`, controls) are raw parts. */
export const REFERENCE = /&(?:[A-Za-z][A-Za-z0-9]*|#\d+|#[xX][0-9a-fA-F]+);/;

/** Whether `&` begins a reference here. HTML reads some names without a semicolon, Markdown none. */
export function beginsReference(
  text: string,
  index: number,
  dialect: 'html' | 'markdown',
): boolean {
  const rest = text.slice(index, index + 40);
  return dialect === 'html'
    ? /^&(?:#\d|#[xX][0-9a-fA-F]|[A-Za-z])/.test(rest)
    : /^&(?:#\d+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);/.test(rest);
}

/** A backslash escapes ASCII punctuation only (CommonMark 2.4). */
export const MARKDOWN_NOTATION: Notation = {
  lead: /[\\&]/,
  escapes: [
    { pattern: /\\([!-/:-@[-`{-~])/y, read: ([, character = '']) => character },
    ...CHARACTER_REFERENCES,
  ],
};
