/** PHP files that return an array of texts (Laravel), for routes that say `lane: text`. */

import { Engine, type Entry, type Node, type Array as PhpArray, type Program } from 'php-parser';
import type { Format, Warning } from '../format.ts';
import { literalDoc, withoutStatedGroups } from './grammar/literal-doc.ts';
import { literalFile } from './grammar/literal-file.ts';
import type {
  LiteralEntry,
  LiteralGrammar,
  LiteralNode,
  LiteralStrings,
} from './grammar/literal-tree.ts';
import {
  EscapeMemory,
  habitsOf,
  type Notation,
  type Required,
  readEscaped,
  writeEscaped,
} from './text/escapes.ts';
import { messageOfKey } from './text/key-path.ts';
import { malformed, unexpectedAt } from './text/position.ts';

const GRAMMAR: LiteralGrammar = {
  colon: /^[ \t]*=>[ \t]*$/,
  usualColon: ' => ',
  object: ['[', ']'],
  list: ['[', ']'],
  usualQuote: "'",
};

export const php: Format = {
  name: 'php',
  shape: 'keyed',
  messageOf: messageOfKey,
  readsLineEnds: true,
  parse: (text, { file, role }) => {
    const program = parse(text, file);
    const root = returnedTree(program, text);
    const strings = new PhpStrings(text);
    const doc = literalDoc(literalFile({ text, root, strings, file, grammar: GRAMMAR }), {
      path: file,
      role,
      syntax: 'laravel',
    });
    return { ...doc, warnings: [...doc.warnings, ...assignedTexts(program)] };
  },
  expect: (source, target) => withoutStatedGroups(source.segments, target),
};

/** Texts that a file puts into variables, one by one (`$lang['hello'] = 'Hello'`), are not read. */
function assignedTexts({ children }: Program): Warning[] {
  return children.flatMap((node) => {
    const { left, right } =
      (node as { expression?: { left?: Node; right?: PhpText } }).expression ?? {};
    const isText = left?.kind === 'offsetlookup' && right?.kind === 'string';
    if (!isText || !/\p{L}{2}/u.test(String(right.value))) return [];
    const message =
      'a text that is put into a variable stays as it is; only an array that the file returns is read';
    return [{ line: left.loc?.start.line ?? 1, message }];
  });
}

type PhpText = Node & { readonly value?: unknown };

// Parses the array that a PHP file returns as literals with spans, with php-parser.

/** A file that returns no array has no texts. */
function returnedTree(program: Program, text: string): LiteralNode {
  const returned = program.children.find((node) => node.kind === 'return') as
    | (Node & { expr: Node | null })
    | undefined;
  const node = returned?.expr;
  if (node?.kind !== 'array') {
    const start = returned === undefined ? text.length : phpSpan(returned).start;
    return { kind: 'object', isFrame: true, start, end: text.length, children: [] };
  }
  return nodeOf(text, node);
}

/** Throws JobFailure `malformed` with line and column. */
function parse(text: string, file: string): Program {
  const engine = new Engine({
    parser: { extractDoc: false, suppressErrors: false },
    ast: { withPositions: true },
  });
  keepConcatenations(engine);
  try {
    return engine.parseCode(text, file);
  } catch (error) {
    // The stack does not suffice.
    if (error instanceof RangeError) throw error;
    const at = { text, offset: faultOffset(text, error) };
    throw malformed(file, at, unexpectedAt(at));
  }
}

/** A part of the parser that its types omit. */
interface TreeBuilder {
  resolvePrecedence(node: Node & { right?: Node }, parser: unknown): Node;
}

/**
 * The parser rebuilds a chain of operators at each of its operators: 8,000 concatenated strings took 3 s. A chain is no text, and only its
 * place is asked for, which does not depend on the order of its operators.
 */
function keepConcatenations(engine: Engine): void {
  const { ast: builder } = engine as unknown as { ast: TreeBuilder };
  const resolve = builder.resolvePrecedence;
  builder.resolvePrecedence = function (node, parser) {
    const isChain = node.kind === 'bin' && node.right?.kind === 'bin';
    return isChain ? node : resolve.call(this, node, parser);
  };
}

// The parser gives line and column (from 0), not the offset.
function faultOffset(text: string, error: unknown): number {
  const { lineNumber = 1, columnNumber = 0 } = error as {
    lineNumber?: number;
    columnNumber?: number;
  };
  const lines = text.split('\n').slice(0, lineNumber - 1);
  return Math.min(
    text.length,
    lines.reduce((sum, line) => sum + line.length + 1, 0) + columnNumber,
  );
}

function nodeOf(text: string, node: Node): LiteralNode {
  const { start, end } = phpSpan(node);
  if (node.kind === 'array') return arrayOf(text, node as PhpArray);
  const raw = text.slice(start, end);
  // Heredocs and strings with variables are expressions.
  if (node.kind === 'string' && /^(['"]).*\1$/s.test(raw)) return { kind: 'string', start, end };
  if (node.kind === 'nullkeyword') return { kind: 'literal', start, end, isNull: true };
  const isScalar = ['number', 'boolean'].includes(node.kind);
  return isScalar
    ? { kind: 'literal', start, end }
    : { kind: 'literal', start, end, isLocal: true };
}

function arrayOf(text: string, node: PhpArray): LiteralNode {
  const span = phpSpan(node);
  const start = text.charAt(span.start) === '[' ? span.start : text.indexOf('(', span.start);
  const entries = node.items.filter((item) => item !== null);
  const isList = entries.every((item) => item.kind !== 'entry' || (item as Entry).key === null);
  const children = entries.map((entry, index) => arrayEntry(text, entry, { index, isList }));
  if (entries.length === 0)
    return { kind: 'object', isEither: true, start, end: span.end, children };
  return { kind: isList ? 'list' : 'object', start, end: span.end, children };
}

function arrayEntry(
  text: string,
  item: Node,
  { index, isList }: { readonly index: number; readonly isList: boolean },
): LiteralEntry {
  const { key, value } = item.kind === 'entry' ? (item as Entry) : { key: null, value: item };
  const node = nodeOf(text, value);
  const end = phpSpan(value).end;
  if (key === null) {
    const { start } = phpSpan(value);
    return { step: isList ? index : String(index), start, keyEnd: start, end, value: node };
  }
  const { start, end: keyEnd } = phpSpan(key);
  const step = String((key as Node & { value?: unknown }).value ?? text.slice(start, keyEnd));
  return { step, start, keyEnd, end, value: withLead(text, keyEnd, node) };
}

/** The parser omits the `static` of a function from its place. */
function withLead(text: string, keyEnd: number, node: LiteralNode): LiteralNode {
  const arrow = /^\s*=>\s*(?=static\b)/.exec(text.slice(keyEnd, node.start))?.[0];
  return arrow === undefined || node.kind !== 'literal'
    ? node
    : { ...node, start: keyEnd + arrow.length };
}

function phpSpan(node: Node): { readonly start: number; readonly end: number } {
  const start = node.loc?.start.offset;
  const end = node.loc?.end.offset;
  if (start === undefined || end === undefined) throw new TypeError(`${node.kind} has no place`);
  return { start, end };
}

// Reads and writes PHP strings in single and double quotes, with the habits of their file.

// https://www.php.net/manual/en/language.types.string.php
const SINGLE: Notation = {
  lead: /\\/,
  escapes: [{ pattern: /\\(['\\])/y, read: ([, character = '']) => character }],
};
const SHORT: ReadonlyMap<string, string> = new Map(
  Object.entries({ n: '\n', t: '\t', r: '\r', v: '\v', e: '\x1b', f: '\f' }),
);
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

class PhpStrings implements LiteralStrings {
  readonly #text: string;
  readonly #memories = { "'": new EscapeMemory(), '"': new EscapeMemory() };

  readonly #inDouble: Required;

  constructor(text: string) {
    this.#text = text;
    this.#inDouble = text.includes('\r\n') ? neededWithCrlf : neededInDouble;
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
      : { notation: DOUBLE, memory: this.#memories['"'], required: this.#inDouble };
  }
}

// A backslash is an ordinary character unless it escapes the next one.
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

/** In a file with CRLF, a line break in a string is one of the file. */
const neededWithCrlf: Required = (character, index, text) =>
  character === '\r' && text.charAt(index + 1) === '\n' ? undefined : NEEDED.get(character);
