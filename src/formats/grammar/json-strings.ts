/** String literals of JSON, JSON5 and JavaScript, including templates: decoded, and written with the habits of their file. */
import {
  decodeEscaped,
  EscapeMemory,
  fromHex,
  habitsOf,
  type Notation,
  readEscaped,
  unicodeEscape,
  writeEscaped,
} from '../text/escapes.ts';
import type { LiteralStrings } from './literal-tree.ts';

const SHORT: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['0', '\0'],
]);

const NEEDED: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t', '\b': '\\b', '\f': '\\f' }),
);

/**
 * A quote, or a character that `#needed` may escape: control characters, ends of lines, and surrogates, of which one may be alone.
 */
const MAY_NEED_ESCAPE = /["'`\\]|[^ -\u2027\u202a-\ud7ff\ue000-\uffff]/;

/** The escapes of JSON, JSON5 and JavaScript strings. */
export const JSON_NOTATION: Notation = {
  lead: /\\/,
  escapes: [
    { pattern: /\\u([0-9a-fA-F]{4})/y, read: ([, hex = '']) => fromHex(hex) },
    { pattern: /\\x([0-9a-fA-F]{2})/y, read: ([, hex = '']) => fromHex(hex) },
    { pattern: /\\u\{([0-9a-fA-F]{1,6})\}/y, read: ([, hex = '']) => fromHex(hex) },
    // A backslash before a line break continues the line (JSON5, JavaScript).
    { pattern: /\\(?:\r\n|[\n\r\u2028\u2029])/y, read: () => '' },
    { pattern: /\\([^ux])/y, read: ([, character = '']) => SHORT.get(character) ?? character },
  ],
};

/** Reads and writes the strings of one file. */
export class JsonStrings implements LiteralStrings {
  readonly #text: string;
  readonly #memory = new EscapeMemory();
  /** A file that escapes everything beyond ASCII keeps doing so. */
  readonly #isAscii: boolean;

  constructor(text: string) {
    this.#text = text;
    this.#isAscii = /\\u[0-9a-fA-F]{4}/.test(text) && !/[^\0-\x7f]/.test(text);
  }

  /** Decodes the content of a literal and learns how it is written. The span excludes the quotes. */
  read(start: number, end: number): string {
    const raw = this.#text.slice(start, end);
    // In a template, every line break is LF (ECMA-262, "TV").
    if (this.#isTemplate(start)) return decodeEscaped(raw.replace(/\r\n?/g, '\n'), JSON_NOTATION);
    return readEscaped(raw, JSON_NOTATION, this.#memory);
  }

  /** Encodes new content for a literal, with its own habits first, then those of the file. */
  rewrite(start: number, end: number, content: string): string {
    if (this.#isTemplate(start)) return this.#template(content);
    if (this.#isWrittenAsIs(content)) return content;
    const habits = habitsOf(this.#text.slice(start, end), JSON_NOTATION, this.#memory);
    return this.#write(content, this.#text.charAt(start - 1), habits);
  }

  /** A new literal with its quotes. */
  literal(content: string, quote: string): string {
    if (this.#isWrittenAsIs(content)) return quote + content + quote;
    return quote + this.#write(content, quote, this.#memory) + quote;
  }

  /** True for most texts of most files: they have nothing to escape and no habit to keep. */
  #isWrittenAsIs(content: string): boolean {
    return this.#memory.isPlain && !this.#isAscii && !MAY_NEED_ESCAPE.test(content);
  }

  #isTemplate(start: number): boolean {
    return this.#text.charAt(start - 1) === '`';
  }

  #template(content: string): string {
    const lineEnd = /\r\n/.test(this.#text) ? '\r\n' : '\n';
    return content
      .replace(/[`\\]|\$(?=\{)/g, '\\$&')
      .replaceAll('\r', '\\r')
      .replaceAll('\n', lineEnd);
  }

  #write(content: string, quote: string, memory: EscapeMemory): string {
    return writeEscaped(
      content,
      (character, index) =>
        character === quote ? `\\${quote}` : this.#needed(character, index, content),
      memory,
    );
  }

  #needed(character: string, index: number, content: string): string | undefined {
    const short = NEEDED.get(character);
    if (short !== undefined) return short;
    // U+2028 and U+2029 end a line in JavaScript before ES2019, which some programs use to read JSON.
    const isUnsafe = character < ' ' || character === '\u2028' || character === '\u2029';
    const isForeign = this.#isAscii && character > '~';
    return isUnsafe || isForeign || isLoneSurrogate(content, index)
      ? unicodeEscape(character)
      : undefined;
  }
}

function isLoneSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdfff) return false;
  const partner = unit < 0xdc00 ? text.charCodeAt(index + 1) : text.charCodeAt(index - 1);
  const wanted = unit < 0xdc00 ? 0xdc00 : 0xd800;
  return !(partner >= wanted && partner < wanted + 0x400);
}
