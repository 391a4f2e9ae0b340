/** TOML strings, basic and literal, of one line or several, written in the style of the replaced string. */
import {
  EscapeMemory,
  fromHex,
  type Notation,
  readEscaped,
  unicodeEscape,
  writeEscaped,
} from '../text/escapes.ts';

export interface StringStyle {
  /** The replaced string with its quotes. */
  readonly raw: string;
  /** The line end of the file. Readers see `\n` either way, as TOML allows. */
  readonly lineEnd: string;
}

/** Encodes a text in the style of a string. */
export function rewriteString(content: string, { raw, lineEnd }: StringStyle): string {
  const inLineEnds = (written: string) => written.replace(/\r?\n/g, lineEnd);
  if (raw.startsWith('"""')) return inLineEnds(multiLine(content, raw));
  if (raw.startsWith("'''") && !content.includes("'''") && isLiteral(content, /[\t\r\n]/)) {
    return inLineEnds(`${opening(raw)}${content}'''`);
  }
  if (raw.startsWith("'") && !content.includes("'") && isLiteral(content, /\t/)) {
    return `'${content}'`;
  }
  return basic(content, raw.startsWith('"') ? raw : '""');
}

/** A new one-line string. */
export function newString(content: string): string {
  return basic(content, '""');
}

const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({ b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', e: '\x1b' }),
);

const NOTATION: Notation = {
  lead: /\\/,
  escapes: [
    { pattern: /\\u([0-9a-fA-F]{4})/y, read: ([, hex = '']) => fromHex(hex) },
    { pattern: /\\U([0-9a-fA-F]{8})/y, read: ([, hex = '']) => fromHex(hex) },
    { pattern: /\\[ \t]*\r?\n\s*/y, read: () => '' },
    { pattern: /\\([^uU])/y, read: ([, character = '']) => SHORT.get(character) ?? character },
  ],
};

const NEEDED: ReadonlyMap<string, string> = new Map(
  Object.entries({ '\\': '\\\\', '\b': '\\b', '\f': '\\f' }),
);

function basic(content: string, raw: string): string {
  const needed = new Map([...NEEDED, ['"', '\\"'], ['\n', '\\n'], ['\r', '\\r'], ['\t', '\\t']]);
  const memory = new EscapeMemory(new EscapeMemory());
  readEscaped(raw.slice(1, -1), NOTATION, memory);
  return `"${writeEscaped(content, (character) => needed.get(character) ?? control(character), memory)}"`;
}

function multiLine(content: string, raw: string): string {
  const written = writeEscaped(
    content,
    (character, index, text) => {
      // Three quotes would end the string, and a quote before the closing quotes would join them.
      const meetsQuote =
        character === '"' && (text[index + 1] === '"' || index === text.length - 1);
      if (meetsQuote) return '\\"';
      const isBreak = character === '\n' || (character === '\r' && text[index + 1] === '\n');
      if (isBreak || character === '\t') return undefined;
      return NEEDED.get(character) ?? control(character);
    },
    new EscapeMemory(),
  );
  return `${opening(raw)}${written}"""`;
}

// A line break directly behind the opening quotes is dropped by readers, so a text that begins with one needs two.
function opening(raw: string): string {
  return /^(?:"""|''')(?:\r?\n)?/.exec(raw)?.[0] ?? raw.slice(0, 3);
}

// TOML 1.0: control characters other than tab are not permitted.
function control(character: string): string | undefined {
  return character < ' ' || character === '\x7f' ? unicodeEscape(character) : undefined;
}

function isLiteral(content: string, allowed: RegExp): boolean {
  return [...content].every((one) => allowed.test(one) || control(one) === undefined);
}
