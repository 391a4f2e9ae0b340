/** A JSON, JSONC or JSON5 text as a tree with spans, parsed by momoa, which keeps duplicate keys and all offsets. */
import { type AnyNode, parse as parseMomoa, type ValueNode } from '@humanwhocodes/momoa';
import { malformed, unexpectedAt } from '../text/position.ts';
import type { LiteralEntry, LiteralNode } from './literal-tree.ts';

export type JsonDialect = 'json' | 'jsonc' | 'json5';

/** Throws JobFailure `malformed` with line and column. */
export function parseJsonTree(text: string, dialect: JsonDialect, file: string): LiteralNode {
  try {
    const document = parseMomoa(closed(text), {
      mode: dialect,
      ranges: true,
      allowTrailingCommas: dialect !== 'json',
    });
    return nodeOf(document.body);
  } catch (error) {
    const at = { text, offset: offsetOf(error, text) };
    throw malformed(file, at, error instanceof RangeError ? 'nested too deeply' : unexpectedAt(at));
  }
}

/** A JSON5 string that is cut off behind a backslash puts momoa into an endless loop; with one more character momoa refuses it. */
function closed(text: string): string {
  return text.endsWith('\\') ? `${text} ` : text;
}

function nodeOf(node: ValueNode): LiteralNode {
  const [start, end] = rangeOf(node);
  switch (node.type) {
    case 'Object':
      return { kind: 'object', start, end, children: node.members.map(memberOf) };
    case 'Array':
      return {
        kind: 'list',
        start,
        end,
        children: node.elements.map(({ value }, index) => elementOf(nodeOf(value), index)),
      };
    case 'String':
      return { kind: 'string', start, end };
    case 'Number':
    case 'Boolean':
    case 'NaN':
    case 'Infinity':
      return { kind: 'literal', start, end };
    case 'Null':
      return { kind: 'literal', start, end, isNull: true };
  }
}

function memberOf(member: Extract<AnyNode, { type: 'Member' }>): LiteralEntry {
  const [start, keyEnd] = rangeOf(member.name);
  const value = nodeOf(member.value);
  const step = member.name.type === 'String' ? member.name.value : member.name.name;
  return { step, start, keyEnd, end: value.end, value };
}

function elementOf(value: LiteralNode, step: number): LiteralEntry {
  return { step, start: value.start, keyEnd: value.start, end: value.end, value };
}

function rangeOf(node: AnyNode): readonly [number, number] {
  if (node.range === undefined) throw new TypeError(`momoa gave no range for ${node.type}`);
  return node.range;
}

function offsetOf(error: unknown, text: string): number {
  // momoa may report it at the first character; the missing part is at the end.
  if (error instanceof Error && error.message.startsWith('Unexpected end of input'))
    return text.length;
  return error instanceof Error && 'offset' in error ? Number(error.offset) : 0;
}
