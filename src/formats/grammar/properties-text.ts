/** Values of Java properties: decoded, and written with the habits of their file. */
import {
  decodeEscaped,
  EscapeMemory,
  habitsOf,
  type Notation,
  readEscaped,
  writeEscaped,
} from '../text/escapes.ts';
import { lineEndOf } from './flat-entries.ts';

const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', f: '\f' }),
);

const NEEDED: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\f': '\\f' }),
);

const NOTATION: Notation = {
  lead: /\\/,
  escapes: [
    {
      pattern: /\\u+([0-9a-fA-F]{4})/y,
      read: ([, hex = '']) => String.fromCharCode(Number.parseInt(hex, 16)),
    },
    { pattern: /\\(?:\r\n|\r|\n)[ \t\f]*/y, read: () => '' },
    { pattern: /\\([^u])/y, read: ([, character = '']) => SHORT.get(character) ?? character },
  ],
};

/** MessageFormat doubles an apostrophe (java.text.MessageFormat, "Patterns and Their Interpretation"). */
const MESSAGE_NOTATION: Notation = {
  lead: /[\\']/,
  escapes: [...NOTATION.escapes, { pattern: /''/y, read: () => "'" }],
};

const ARGUMENT = /\{\s*\d/;

export class PropertyTexts {
  readonly #memory = new EscapeMemory();
  /** A memory of their own, because `''` is not a habit of other values. */
  readonly #messages = new EscapeMemory();
  readonly #isAscii: boolean;
  readonly #isLatin: boolean;
  readonly #upper: boolean;
  readonly #doubles: boolean;
  readonly #lineEnd: string;

  /** @param values all raw values of the file: a single `Can't open {0}` shows that it does not use MessageFormat */
  constructor(text: string, values: readonly string[], encoding: string | undefined) {
    this.#isAscii = !/[^\0-\x7f]/.test(text);
    this.#isLatin = encoding === 'latin1';
    this.#upper = /\\u[0-9a-f]*[A-F]/i.test(text) && !/\\u[0-9A-F]*[a-f]/.test(text);
    this.#doubles = !values.some((value) => ARGUMENT.test(value) && hasLoneApostrophe(value));
    this.#lineEnd = lineEndOf(text);
  }

  static key(raw: string): string {
    return decodeEscaped(raw, NOTATION);
  }

  read(raw: string): string {
    const notation = this.#notation(raw);
    return readEscaped(raw, notation, this.#memoryOf(notation));
  }

  /** Writes a text with the habits of a raw value: its own, or that of the entry it was translated from. */
  write(text: string, raw: string): string {
    const notation = this.#notation(raw);
    const habits = habitsOf(
      raw.replace(/\\(?:\r\n|\r|\n)[ \t\f]*/g, ''),
      notation,
      this.#memoryOf(notation),
    );
    const fold = /\\n\\(?:\r\n|\r|\n)([ \t\f]*)/.exec(raw)?.[1];
    const lines = fold === undefined ? [text] : text.split(/(?<=\n)(?!$)/);
    return lines
      .map((line) =>
        writeEscaped(
          line,
          (character, index) => this.#required(notation, character, index),
          habits,
        ),
      )
      .join(`\\${this.#lineEnd}${fold ?? ''}`);
  }

  /** Escapes blanks and signs, which would end a key or begin a comment. */
  writeKey(key: string): string {
    return key.replace(/[\s\S]/g, (character, index: number) => {
      if (character === '\t') return '\\t';
      if (/[ :=]/.test(character) || (index === 0 && /[#!]/.test(character)))
        return `\\${character}`;
      return this.#required(NOTATION, character, 1) ?? character;
    });
  }

  #memoryOf(notation: Notation): EscapeMemory {
    return notation === MESSAGE_NOTATION ? this.#messages : this.#memory;
  }

  #notation(raw: string): Notation {
    return this.#doubles && ARGUMENT.test(raw) && !/'[{}]/.test(raw.replaceAll("''", ''))
      ? MESSAGE_NOTATION
      : NOTATION;
  }

  #required(notation: Notation, character: string, index: number): string | undefined {
    const needed = NEEDED.get(character);
    if (needed !== undefined) return needed;
    if (character === "'" && notation === MESSAGE_NOTATION) return "''";
    if (index === 0 && character === ' ') return '\\ ';
    if (index === 0 && character === '\t') return '\\t';
    const isForeign = character > '~' && (this.#isAscii || (this.#isLatin && character > '\xff'));
    const isControl = character < ' ' && character !== '\t';
    return isForeign || isControl ? this.#unicode(character) : undefined;
  }

  #unicode(character: string): string {
    const hex = character.charCodeAt(0).toString(16).padStart(4, '0');
    return `\\u${this.#upper ? hex.toUpperCase() : hex}`;
  }
}

function hasLoneApostrophe(raw: string): boolean {
  return /'(?![{}])/.test(raw.replaceAll("''", '').replace(/'[{}][^']*'/g, ''));
}
