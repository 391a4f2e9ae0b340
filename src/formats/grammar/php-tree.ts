/** The array that a PHP file returns, as literals with spans, over php-parser. */
import { Engine, type Entry, type Node, type Array as PhpArray, type Program } from 'php-parser';
import { malformed, unexpectedAt } from '../text/position.ts';
import type { LiteralEntry, LiteralNode } from './literal-tree.ts';

/** A file that returns no array has no texts. Throws JobFailure `malformed` with line and column. */
export function parsePhpTree(text: string, file: string): LiteralNode {
  const program = parse(text, file);
  const returned = program.children.find((node) => node.kind === 'return') as
    | (Node & { expr: Node | null })
    | undefined;
  const node = returned?.expr;
  if (node?.kind !== 'array') return { kind: 'object', start: 0, end: text.length, children: [] };
  return nodeOf(text, node);
}

function parse(text: string, file: string): Program {
  const engine = new Engine({
    parser: { extractDoc: false, suppressErrors: false },
    ast: { withPositions: true },
  });
  try {
    return engine.parseCode(text, file);
  } catch (error) {
    const at = { text, offset: faultOffset(text, error) };
    throw malformed(file, at, unexpectedAt(at));
  }
}

// The parser knows line and column (from 0), not the offset.
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
  const { start, end } = spanOf(node);
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
  const span = spanOf(node);
  const start = text.charAt(span.start) === '[' ? span.start : text.indexOf('(', span.start);
  const entries = node.items.filter((item) => item !== null);
  const isList = entries.every((item) => item.kind !== 'entry' || (item as Entry).key === null);
  const children = entries.map((entry, index) => entryOf(text, entry, { index, isList }));
  if (entries.length === 0)
    return { kind: 'object', isEither: true, start, end: span.end, children };
  return { kind: isList ? 'list' : 'object', start, end: span.end, children };
}

function entryOf(
  text: string,
  item: Node,
  { index, isList }: { readonly index: number; readonly isList: boolean },
): LiteralEntry {
  const { key, value } = item.kind === 'entry' ? (item as Entry) : { key: null, value: item };
  const node = nodeOf(text, value);
  const end = spanOf(value).end;
  if (key === null) {
    const { start } = spanOf(value);
    return { step: isList ? index : String(index), start, keyEnd: start, end, value: node };
  }
  const { start, end: keyEnd } = spanOf(key);
  const step = String((key as Node & { value?: unknown }).value ?? text.slice(start, keyEnd));
  return { step, start, keyEnd, end, value: node };
}

function spanOf(node: Node): { readonly start: number; readonly end: number } {
  const start = node.loc?.start.offset;
  const end = node.loc?.end.offset;
  if (start === undefined || end === undefined) throw new TypeError(`${node.kind} has no place`);
  return { start, end };
}
