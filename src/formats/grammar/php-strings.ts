/** PHP strings in single and double quotes, written with the habits of their file. */
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  type Required,
  readEscaped,
  writeEscaped,
} from '../text/escapes.ts';
import type { LiteralStrings } from './literal-tree.ts';

// https://www.php.net/manual/en/language.types.string.php
const SINGLE: Notation = {
  lead: /\\/,
  escapes: [{ pattern: /\\(['\\])/y, read: ([, character = '']) => character }],
};
const SHORT: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['v', '\v'],
  ['e', '\x1b'],
  ['f', '\f'],
]);
const DOUBLE: Notation = {
  lead: /\\/,
  escapes: [
    {
      pattern: /\\u\{([0-9a-fA-F]+)\}/y,
      read: ([, hex = '']) => fromCode(Number.parseInt(hex, 16)),
    },
    { pattern: /\\([ntrvef])/y, read: ([, letter = '']) => SHORT.get(letter) },
    { pattern: /\\(["\\$])/y, read: ([, character = '']) => character },
  ],
};

function fromCode(code: number): string | undefined {
  return code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

export class PhpStrings implements LiteralStrings {
  readonly #text: string;
  readonly #memories = { "'": new EscapeMemory(), '"': new EscapeMemory() };

  constructor(text: string) {
    this.#text = text;
  }

  read(start: number, end: number): string {
    const { notation, memory } = this.#kind(this.#text.charAt(start - 1));
    return readEscaped(this.#text.slice(start, end), notation, memory);
  }

  rewrite(start: number, end: number, content: string): string {
    const { notation, memory, required } = this.#kind(this.#text.charAt(start - 1));
    const habits = habitsOf(this.#text.slice(start, end), notation, memory);
    return writeEscaped(content, required, habits);
  }

  literal(content: string, quote: string): string {
    const { memory, required } = this.#kind(quote);
    return quote + writeEscaped(content, required, memory) + quote;
  }

  #kind(quote: string) {
    return quote === "'"
      ? { notation: SINGLE, memory: this.#memories["'"], required: neededInSingle }
      : { notation: DOUBLE, memory: this.#memories['"'], required: neededInDouble };
  }
}

// A backslash is one by itself unless it would escape what follows it.
const neededInSingle: Required = (character, index, text) => {
  if (character === "'") return "\\'";
  if (character !== '\\') return undefined;
  const next = text.charAt(index + 1);
  return next === '' || next === "'" || next === '\\' ? '\\\\' : undefined;
};

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['$', '\\$'],
  ['\v', '\\v'],
  ['\x1b', '\\e'],
  ['\f', '\\f'],
  ['\r', '\\r'],
]);

const neededInDouble: Required = (character) => NEEDED.get(character);
