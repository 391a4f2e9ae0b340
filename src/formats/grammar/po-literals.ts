/** String literals of gettext files, on one line or several: decoded, and written in the way of msgmerge without its wrapping. */
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  readEscaped,
  writeEscaped,
} from '../text/escapes.ts';

const SHORT: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['a', '\x07'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
]);

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ...[...SHORT].map(([letter, character]): [string, string] => [character, `\\${letter}`]),
]);

/** The escapes of C, as gettext's po-lex.c reads them. */
const NOTATION: Notation = {
  lead: /\\/,
  escapes: [
    { pattern: /\\([0-7]{1,3})/y, read: ([, octal = '']) => fromCode(octal, 8) },
    { pattern: /\\x([0-9a-fA-F]{1,2})/y, read: ([, hex = '']) => fromCode(hex, 16) },
    { pattern: /\\([^x])/y, read: ([, character = '']) => SHORT.get(character) ?? character },
  ],
};

// Bytes beyond ASCII would need the charset; such escapes stay as they are.
function fromCode(digits: string, base: number): string | undefined {
  const code = Number.parseInt(digits, base);
  return code < 0x80 ? String.fromCharCode(code) : undefined;
}

const LITERAL = /"((?:[^"\\\r\n]|\\.)*)"/g;

export class PoLiterals {
  readonly #memory = new EscapeMemory();

  /** @param raw from the first quote to the last */
  read(raw: string): string {
    return readEscaped(contentOf(raw), NOTATION, this.#memory);
  }

  /** Several lines where the text has several, after an empty first one, as gettext does it. */
  write(text: string, { like, lineEnd }: { like: string; lineEnd: string }): string {
    const habits = habitsOf(contentOf(like), NOTATION, this.#memory);
    const lines = text.split(/(?<=\n)(?!$)/).map((line) => `"${encode(line, habits)}"`);
    return lines.length === 1 ? (lines[0] ?? '""') : ['""', ...lines].join(lineEnd);
  }
}

function contentOf(raw: string): string {
  return [...raw.matchAll(LITERAL)].map(([, content]) => content).join('');
}

function encode(line: string, habits: EscapeMemory): string {
  return writeEscaped(line, (character) => NEEDED.get(character), habits);
}
