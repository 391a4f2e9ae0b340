/** Decodes the bytes of a PDF string by its font: ToUnicode map, or encoding and glyph names (ISO 32000-1, 9.6.6 and 9.10). */
import type { PdfFile } from './pdf-file.ts';
import {
  isArray,
  isDictionary,
  isName,
  isString,
  isWord,
  type PdfDictionary,
  PdfReader,
  type PdfValue,
} from './pdf-values.ts';

export interface PdfFont {
  /** @param bytes one character per byte */
  decode(bytes: string): readonly PdfGlyph[];
}

export interface PdfGlyph {
  /** Empty when the file does not define its text. */
  readonly text: string;
  /** In thousandths of the font size. */
  readonly width: number;
  /** A single byte 32, to which word spacing applies. */
  readonly isSpace: boolean;
}

const DEFAULT_WIDTH = 500;

export function readFont(file: PdfFile, font: PdfDictionary): PdfFont {
  const subtype = file.resolve(font.entries.get('Subtype'));
  const composite = isName(subtype) && subtype.name === 'Type0';
  const map = readUnicodeMap(file.stream(font.entries.get('ToUnicode')));
  const bytesPerCode = composite ? 2 : 1;
  const encoding = composite ? new Map<number, string>() : simpleEncoding(file, font);
  const widths = composite ? new Map<number, number>() : simpleWidths(file, font);
  return {
    decode(bytes) {
      const glyphs: PdfGlyph[] = [];
      for (let at = 0; at + bytesPerCode <= bytes.length; at += bytesPerCode) {
        const code = composite
          ? bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1)
          : bytes.charCodeAt(at);
        glyphs.push({
          text: map.get(code) ?? encoding.get(code) ?? '',
          width: widths.get(code) ?? DEFAULT_WIDTH,
          isSpace: !composite && code === 32,
        });
      }
      return glyphs;
    },
  };
}

function simpleWidths(file: PdfFile, font: PdfDictionary): ReadonlyMap<number, number> {
  const first = file.resolve(font.entries.get('FirstChar'));
  const list = file.resolve(font.entries.get('Widths'));
  if (typeof first !== 'number' || !isArray(list)) return new Map();
  const widths = list.items.map((item) => file.resolve(item));
  return new Map(
    widths.flatMap((width, index) => (typeof width === 'number' ? [[first + index, width]] : [])),
  );
}

/** Reads `beginbfchar` and `beginbfrange` sections (Adobe Technical Note 5411). */
function readUnicodeMap(cmap: string | undefined): ReadonlyMap<number, string> {
  const map = new Map<number, string>();
  if (cmap === undefined) return map;
  const reader = new PdfReader(cmap);
  let operands: PdfValue[] = [];
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (!isWord(token)) {
      operands.push(token);
      continue;
    }
    if (token.word === 'endbfchar') addCharacters(map, operands);
    if (token.word === 'endbfrange') addRanges(map, operands);
    operands = [];
  }
  return map;
}

function addCharacters(map: Map<number, string>, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 1 < operands.length; at += 2) {
    const [code, text] = [operands[at], operands[at + 1]];
    if (isString(code) && isString(text)) map.set(characterCode(code.bytes), utf16(text.bytes));
  }
}

function addRanges(map: Map<number, string>, operands: readonly PdfValue[]): void {
  for (let at = 0; at + 2 < operands.length; at += 3) {
    const [low, high, target] = [operands[at], operands[at + 1], operands[at + 2]];
    if (!isString(low) || !isString(high)) continue;
    const first = characterCode(low.bytes);
    const last = Math.min(characterCode(high.bytes), 0xffff);
    for (let code = first; code <= last; code++) {
      const text = rangeText(target, code - first);
      if (text !== undefined) map.set(code, text);
    }
  }
}

function rangeText(target: PdfValue | undefined, offset: number): string | undefined {
  const item = isArray(target) ? target.items[offset] : undefined;
  if (isString(item)) return utf16(item.bytes);
  if (!isString(target)) return undefined;
  const start = utf16(target.bytes);
  const last = start.codePointAt(start.length - 1) ?? 0;
  return start.slice(0, -1) + String.fromCodePoint(Math.min(last + offset, 0x10ffff));
}

function characterCode(bytes: string): number {
  return Array.from(bytes).reduce((code, byte) => code * 256 + byte.charCodeAt(0), 0);
}

function utf16(bytes: string): string {
  return new TextDecoder('utf-16be').decode(Buffer.from(bytes, 'latin1'));
}

function simpleEncoding(file: PdfFile, font: PdfDictionary): ReadonlyMap<number, string> {
  const encoding = file.resolve(font.entries.get('Encoding'));
  const dictionary = isDictionary(encoding) ? encoding : undefined;
  const base = dictionary ? file.resolve(dictionary.entries.get('BaseEncoding')) : encoding;
  const label = isName(base) && base.name === 'MacRomanEncoding' ? 'macintosh' : 'windows-1252';
  const decoder = new TextDecoder(label);
  const map = new Map<number, string>();
  for (let code = 32; code < 256; code++) map.set(code, decoder.decode(Uint8Array.of(code)));
  addDifferences(map, file.resolve(dictionary?.entries.get('Differences')));
  return map;
}

function addDifferences(map: Map<number, string>, differences: PdfValue | undefined): void {
  if (!isArray(differences)) return;
  let code = 0;
  for (const item of differences.items) {
    if (typeof item === 'number') code = item;
    else if (isName(item)) map.set(code++, glyphText(item.name));
  }
}

// Glyph names and their texts (Adobe Glyph List; the names that Latin text needs).

/** The text of a glyph, empty for an unknown name. */
function glyphText(name: string): string {
  const hex = /^(?:uni([\dA-F]{4})|u([\dA-F]{4,6}))$/.exec(name);
  if (hex)
    return String.fromCodePoint(Math.min(Number.parseInt(hex[1] ?? hex[2] ?? '0', 16), 0x10ffff));
  const known = GLYPHS.get(name);
  if (known !== undefined) return known;
  if (/^[A-Za-z]$/.test(name)) return name;
  const accented = /^([A-Za-z])(\w+)$/.exec(name);
  const mark = COMBINING_MARKS.get(accented?.[2] ?? '');
  return mark === undefined ? '' : `${accented?.[1] ?? ''}${mark}`.normalize('NFC');
}

const COMBINING_MARKS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    grave: '\u0300',
    acute: '\u0301',
    circumflex: '\u0302',
    tilde: '\u0303',
    macron: '\u0304',
    breve: '\u0306',
    dotaccent: '\u0307',
    dieresis: '\u0308',
    ring: '\u030A',
    hungarumlaut: '\u030B',
    caron: '\u030C',
    cedilla: '\u0327',
    ogonek: '\u0328',
  }),
);

const GLYPHS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    space: ' ',
    exclam: '!',
    quotedbl: '"',
    numbersign: '#',
    dollar: '$',
    percent: '%',
    ampersand: '&',
    quotesingle: "'",
    quoteright: '’',
    parenleft: '(',
    parenright: ')',
    asterisk: '*',
    plus: '+',
    comma: ',',
    hyphen: '-',
    period: '.',
    slash: '/',
    zero: '0',
    one: '1',
    two: '2',
    three: '3',
    four: '4',
    five: '5',
    six: '6',
    seven: '7',
    eight: '8',
    nine: '9',
    colon: ':',
    semicolon: ';',
    less: '<',
    equal: '=',
    greater: '>',
    question: '?',
    at: '@',
    bracketleft: '[',
    backslash: '\\',
    bracketright: ']',
    underscore: '_',
    quoteleft: '‘',
    braceleft: '{',
    bar: '|',
    braceright: '}',
    quotedblleft: '“',
    quotedblright: '”',
    quotesinglbase: '‚',
    quotedblbase: '„',
    endash: '–',
    emdash: '—',
    bullet: '•',
    ellipsis: '…',
    germandbls: 'ß',
    ae: 'æ',
    AE: 'Æ',
    oe: 'œ',
    OE: 'Œ',
    oslash: 'ø',
    Oslash: 'Ø',
    dotlessi: 'ı',
    fi: 'fi',
    fl: 'fl',
    ff: 'ff',
    ffi: 'ffi',
    ffl: 'ffl',
    guillemotleft: '«',
    guillemotright: '»',
    Euro: '€',
    sterling: '£',
    section: '§',
    copyright: '©',
    registered: '®',
    trademark: '™',
    degree: '°',
    exclamdown: '¡',
    questiondown: '¿',
    nbspace: ' ',
    minus: '−',
  }),
);
