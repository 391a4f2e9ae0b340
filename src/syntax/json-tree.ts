/** A JSON, JSONC or JSON5 text as a tree of spans, over momoa, which keeps duplicate keys and every offset. */
import { type AnyNode, parse as parseMomoa, type ValueNode } from '@humanwhocodes/momoa';
import { malformed } from '../text/position.ts';

export type JsonDialect = 'json' | 'jsonc' | 'json5';

export type JsonNode = JsonObject | JsonList | JsonString | JsonLiteral;
export type JsonContainer = JsonObject | JsonList;

interface Span {
  readonly start: number;
  readonly end: number;
}

export interface JsonObject extends Span {
  readonly kind: 'object';
  readonly children: readonly JsonChild[];
}

export interface JsonList extends Span {
  readonly kind: 'list';
  readonly children: readonly JsonChild[];
}

/** The span includes the quotes. */
export interface JsonString extends Span {
  readonly kind: 'string';
}

/** Number, boolean, null. */
export interface JsonLiteral extends Span {
  readonly kind: 'literal';
}

/** A member of an object or an element of a list. */
export interface JsonChild extends Span {
  /** The key, or the index in a list. */
  readonly step: string | number;
  /** End of the written key; the element's start in lists. */
  readonly keyEnd: number;
  readonly value: JsonNode;
}

/** Throws JobFailure `malformed` with line and column. */
export function parseJsonTree(text: string, dialect: JsonDialect, file: string): JsonNode {
  try {
    const document = parseMomoa(text, {
      mode: dialect,
      ranges: true,
      allowTrailingCommas: dialect !== 'json',
    });
    return nodeOf(document.body);
  } catch (error) {
    throw malformed(file, { text, offset: offsetOf(error) }, messageOf(error));
  }
}

function nodeOf(node: ValueNode): JsonNode {
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
    case 'Null':
    case 'NaN':
    case 'Infinity':
      return { kind: 'literal', start, end };
  }
}

function memberOf(member: Extract<AnyNode, { type: 'Member' }>): JsonChild {
  const [start, keyEnd] = rangeOf(member.name);
  const value = nodeOf(member.value);
  const step = member.name.type === 'String' ? member.name.value : member.name.name;
  return { step, start, keyEnd, end: value.end, value };
}

function elementOf(value: JsonNode, step: number): JsonChild {
  return { step, start: value.start, keyEnd: value.start, end: value.end, value };
}

function rangeOf(node: AnyNode): readonly [number, number] {
  if (node.range === undefined) throw new TypeError(`momoa gave no range for ${node.type}`);
  return node.range;
}

function offsetOf(error: unknown): number {
  return error instanceof Error && 'offset' in error ? Number(error.offset) : 0;
}

function messageOf(error: unknown): string {
  if (error instanceof RangeError) return 'nested too deeply';
  const message = error instanceof Error ? error.message : String(error);
  // momoa ends its messages with its own position; ours stands in front.
  return message.replace(/ \(\d+:\d+\)$/, '').replace(/ found\.$/, '');
}
