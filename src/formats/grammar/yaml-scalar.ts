/** Writes a text as a YAML scalar: in the style of the replaced one if that can hold it, else in double quotes. */
import YAML from 'yaml';
import {
  EscapeMemory,
  fromHex,
  type Notation,
  readEscaped,
  unicodeEscape,
  writeEscaped,
} from '../text/escapes.ts';
import { isPlainValueOfYaml11, type YamlString } from './yaml-tree.ts';

/** A scalar to be replaced: `raw` is its current spelling. */
export interface ReplacedScalar {
  readonly raw: string;
  readonly value: string;
  readonly style: YamlString['style'];
  readonly inFlow: boolean;
}

export function rewriteScalar(content: string, replaced: ReplacedScalar): string {
  switch (replaced.style) {
    case 'literal':
    case 'folded':
      return blockScalar(content, replaced);
    case 'double':
      return doubleQuoted(content, habits(replaced.raw));
    case 'single':
      return singleQuoted(content);
    case 'plain':
      return isPlainSafe(content, replaced.inFlow) ? content : doubleQuoted(content);
  }
}

/** A scalar for a new entry, in the style of a neighbour. */
export function newScalar(
  content: string,
  { style, inFlow }: Pick<ReplacedScalar, 'style' | 'inFlow'>,
): string {
  if (style === 'single') return singleQuoted(content);
  if (style !== 'double' && isPlainSafe(content, inFlow)) return content;
  return doubleQuoted(content);
}

/** A literal block for a new entry of several lines; undefined when a block cannot hold the text. */
export function newBlock(
  content: string,
  { indent, lineEnd }: { readonly indent: string; readonly lineEnd: string },
): string | undefined {
  if (!content.trimEnd().includes('\n')) return undefined;
  const written = blockScalar(content, {
    raw: `|${lineEnd}${indent}x`,
    value: '',
    style: 'literal',
    inFlow: false,
  });
  return written.startsWith('|') ? written : undefined;
}

const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({
    n: '\n',
    t: '\t',
    r: '\r',
    '0': '\0',
    a: '\x07',
    b: '\b',
    e: '\x1b',
    f: '\f',
    v: '\v',
    N: '\x85',
    _: '\xa0',
    L: '\u2028',
    P: '\u2029',
  }),
);

const DOUBLE_QUOTED: Notation = {
  lead: /\\/,
  escapes: [
    { pattern: /\\u([0-9a-fA-F]{4})/y, read: ([, hex = '']) => fromHex(hex) },
    { pattern: /\\x([0-9a-fA-F]{2})/y, read: ([, hex = '']) => fromHex(hex) },
    { pattern: /\\U([0-9a-fA-F]{8})/y, read: ([, hex = '']) => fromHex(hex) },
    { pattern: /\\([^uxU])/y, read: ([, character = '']) => SHORT.get(character) ?? character },
  ],
};

const NEEDED: ReadonlyMap<string, string> = new Map(
  Object.entries({ '"': '\\"', '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }),
);

function habits(raw: string): EscapeMemory {
  const memory = new EscapeMemory(new EscapeMemory());
  const inner = raw.slice(1, -1);
  // In a scalar over several lines a backslash also folds lines, so its habits are unknown.
  if (!/[\r\n]/.test(inner)) readEscaped(inner, DOUBLE_QUOTED, memory);
  return memory;
}

function doubleQuoted(content: string, memory: EscapeMemory = new EscapeMemory()): string {
  const written = writeEscaped(
    content,
    (character) =>
      NEEDED.get(character) ?? (isPrintable(character) ? undefined : unicodeEscape(character)),
    memory,
  );
  return `"${written}"`;
}

// YAML 1.2.2, production c-printable, without U+0085, U+2028 and U+2029: they are legal, but YAML 1.1 reads them as line ends.
function isPrintable(character: string): boolean {
  if (character < ' ' || (character >= '\x7f' && character < '\xa0')) return false;
  return (
    character !== '\u2028' &&
    character !== '\u2029' &&
    character !== '\uFEFF' &&
    character < '\ufffe'
  );
}

function singleQuoted(content: string): string {
  const isOneLine = [...content].every((character) => isPrintable(character));
  return isOneLine ? `'${content.replaceAll("'", "''")}'` : doubleQuoted(content);
}

/** Whether an unquoted text is read as the same text by YAML 1.1 and 1.2. */
export function isPlainSafe(content: string, inFlow: boolean): boolean {
  if (content === '' || /^[ \t]|[ \t]$/.test(content)) return false;
  if (![...content].every((character) => isPrintable(character))) return false;
  if (/^[-?:,[\]{}#&*!|>'"%@`]/.test(content) && !/^[-?:][^\s,[\]{}]/.test(content)) return false;
  if (/:(?:\s|$)|\s#|^(?:---|\.\.\.)/.test(content)) return false;
  if (inFlow && /[,[\]{}]/.test(content)) return false;
  if (isPlainValueOfYaml11(content)) return false;
  return parsesAsItself(content);
}

function parsesAsItself(content: string): boolean {
  try {
    return YAML.parse(content, { version: '1.1', logLevel: 'silent' }) === content;
  } catch {
    return false;
  }
}

function blockScalar(content: string, { raw, value, style }: ReplacedScalar): string {
  const header = /^[|>][^\r\n]*/.exec(raw)?.[0] ?? '|';
  const indent = blockIndent(raw, header);
  const written = chomped(content, { header, value, style });
  if (written === undefined || indent === undefined) return doubleQuoted(content);
  const text = content.replace(/\n+$/, '');
  // A folded block joins lines with a blank; one more line break keeps each of them.
  const unfolded = style === 'folded' ? text.replace(/\n+/g, '$&\n') : text;
  const lineEnd = /\r\n|\n/.exec(raw)?.[0] ?? '\n';
  const body = unfolded.split('\n').map((line) => (line === '' ? '' : indent + line));
  return [written, ...body].join(lineEnd);
}

// Undefined when a number gives the indentation, which may not fit the new text.
function blockIndent(raw: string, header: string): string | undefined {
  if (/^[|>][+-]?\d/.test(header)) return undefined;
  const lines = raw.slice(header.length).split(/\r?\n/);
  return /^ +/.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0];
}

/** The block header that keeps the text's own final line ends; undefined when a block cannot hold the text. */
function chomped(
  content: string,
  { header, value, style }: { header: string; value: string; style: YamlString['style'] },
): string | undefined {
  if (content.trim() === '' || /^[ \n\t]/.test(content)) return undefined;
  if (![...content].every((character) => character === '\n' || isPrintable(character))) {
    return undefined;
  }
  if (style === 'folded' && /\n[ \t]/.test(content)) return undefined;
  const trailing = trailingBreaks(content);
  if (/^.\+/.test(header)) return trailing === trailingBreaks(value) ? header : undefined;
  if (trailing > 1) return undefined;
  const bare = header.replace(/^(.)-/, '$1');
  return trailing === 1 ? bare : bare.replace(/^./, '$&-');
}

function trailingBreaks(content: string): number {
  return content.length - content.replace(/\n+$/, '').length;
}
