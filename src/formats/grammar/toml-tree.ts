/** A TOML text as entries with paths and spans, parsed by toml-eslint-parser. */

import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import { excerptOf, type Span } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { joinKey, type KeyPath, type KeyStep } from '../text/key-path.ts';
import { MOST_LEVELS } from '../text/nesting.ts';
import { malformed, positionsOf } from '../text/position.ts';

/** A value with its place; the span includes the quotes. */
export interface TomlLeaf extends Span {
  readonly path: KeyPath;
  readonly kind: 'string' | 'literal';
  /** The decoded text of a string. */
  readonly value: string;
  /** The `key = value` or list element of this value. */
  readonly owner: Span;
  /** The container of the owner: a line of its own, an inline table, or a list. */
  readonly inside: 'line' | 'table' | 'list';
  /** The inline table around it: `{ … }`. */
  readonly table?: InlineTable;
}

export type InlineTable = Pick<TomlLeaf, 'owner' | 'inside' | 'table'>;

/** A table with a header. */
export interface TomlTable {
  readonly path: KeyPath;
  /** The bracket that its header begins with. */
  readonly start: number;
  /** Offset behind the keys of its header. */
  readonly head: number;
}

/** One written key, alone or in a dotted one: `a` and `b` of `a.b = …`, of `[a.b]` and of `{ a.b = … }`. */
export interface TomlKey extends Span {
  readonly path: KeyPath;
}

/** A list between brackets. */
export interface TomlArray extends Span {
  readonly elements: readonly Span[];
}

export interface TomlFile {
  readonly leaves: readonly TomlLeaf[];
  readonly keys: readonly TomlKey[];
  readonly tables: readonly TomlTable[];
  /** By their paths. */
  readonly arrays: ReadonlyMap<string, TomlArray>;
  /** Place of the first entry in each empty inline table, by its path. */
  readonly gaps: ReadonlyMap<string, number>;
}

const TOO_DEEP = `nested too deeply: more than ${MOST_LEVELS} keys are in each other`;

/** Throws JobFailure `malformed` with line and column. */
export function openToml(text: string, file: string): TomlFile {
  const found: TomlNode[] = [];
  const tables: TomlTable[] = [];
  const keys: TomlKey[] = [];
  const add = (nodes: Iterable<TomlNode>) => {
    for (const node of nodes) {
      const offset =
        node.kind === 'gap' ? node.at : (node.kind === 'array' ? node.array : node).start;
      if (node.path.length > MOST_LEVELS) throw malformed(file, { text, offset }, TOO_DEEP);
      found.push(node);
    }
  };
  for (const node of parse(text, file).body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      add(pairNodes(node, [], { inside: 'line' }));
      continue;
    }
    tables.push({
      path: node.resolvedKey,
      start: tomlSpan(node).start,
      head: tomlSpan(node.key).end,
    });
    append(keys, headerKeys(node));
    for (const pair of node.body) add(pairNodes(pair, node.resolvedKey, { inside: 'line' }));
  }
  const leaves = found.filter(
    (node) => node.kind !== 'gap' && node.kind !== 'array' && node.kind !== 'key',
  );
  const gaps = found.filter((node) => node.kind === 'gap');
  const arrays = found.filter((node) => node.kind === 'array');
  append(
    keys,
    found.filter((node) => node.kind === 'key'),
  );
  return {
    leaves,
    keys,
    tables,
    arrays: new Map(arrays.map(({ path, array }) => [joinKey(path), array])),
    gaps: new Map(gaps.map(({ path, at }) => [joinKey(path), at])),
  };
}

function parse(text: string, file: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    const long = error instanceof RangeError ? longStringIn(text) : undefined;
    if (long !== undefined) throw malformed(file, { text, offset: long }, TOO_LONG);
    const offset = error instanceof ParseError ? error.index : 0;
    const message = error instanceof Error ? error.message : String(error);
    throw malformed(file, { text, offset }, firstOf(text, offset) ?? message);
  }
}

/** The parser calls a function with one argument for each character of a string, and runs out of stack at some 120,000. */
const LONG = 50_000;
const TOO_LONG =
  'this string is longer than the parser of TOML can read (about 100,000 characters)';

function longStringIn(text: string): number | undefined {
  const strings = text.matchAll(/"""[\s\S]*?"""|'''[\s\S]*?'''|"[^"\n]*"|'[^'\n]*'/g);
  return strings.find(([string]) => string.length > LONG)?.index;
}

/** The parser reports the second of two equal keys (TOML 1.0: "Defining a key multiple times is invalid"); the first is above it. */
function firstOf(text: string, offset: number): string | undefined {
  const key = /^(?:[\w-]+|"[^"\n]*"|'[^'\n]*')(?=\s*=)/.exec(text.slice(offset))?.[0];
  if (key === undefined) return undefined;
  const header = text.lastIndexOf('\n[', offset) + 1;
  const above = text
    .slice(header, offset)
    .split('\n')
    .map((line) => line.trimStart());
  const isFirst = (line: string) => line.startsWith(key) && /^[ \t]*=/.test(line.slice(key.length));
  const nth = above.findIndex(isFirst);
  if (nth < 0) return undefined;
  return `the key "${excerptOf(key, 60)}" is in line ${positionsOf(text)(header).line + nth} already`;
}

type TomlNode =
  | TomlLeaf
  | { readonly kind: 'gap'; readonly path: KeyPath; readonly at: number }
  | { readonly kind: 'array'; readonly path: KeyPath; readonly array: TomlArray }
  | (TomlKey & { readonly kind: 'key' });

/** The path of a header, with the index in each list of tables. */
function headerKeys({ key, resolvedKey }: AST.TOMLTable): TomlKey[] {
  const steps = resolvedKey.entries().filter(([, step]) => typeof step === 'string');
  return [...steps].map(([index], at) => ({
    path: resolvedKey.slice(0, index + 1),
    ...tomlSpan(key.keys[at] ?? key),
  }));
}

function* pairNodes(
  pair: AST.TOMLKeyValue,
  base: KeyPath,
  parent: Pick<TomlLeaf, 'inside' | 'table'>,
): Generator<TomlNode> {
  const keys = pair.key.keys.map(
    (key): KeyStep => (key.type === 'TOMLBare' ? key.name : key.value),
  );
  for (const [index, key] of pair.key.keys.entries()) {
    yield { kind: 'key', path: [...base, ...keys.slice(0, index + 1)], ...tomlSpan(key) };
  }
  yield* valueNodes(pair.value, [...base, ...keys], { owner: tomlSpan(pair), ...parent });
}

function* valueNodes(
  node: AST.TOMLContentNode,
  path: KeyPath,
  parent: InlineTable,
): Generator<TomlNode> {
  if (node.type === 'TOMLInlineTable') {
    if (node.body.length === 0) yield { kind: 'gap', path, at: tomlSpan(node).start + 1 };
    for (const pair of node.body) yield* pairNodes(pair, path, { inside: 'table', table: parent });
  } else if (node.type === 'TOMLArray') {
    const elements = node.elements.map(tomlSpan);
    yield { kind: 'array', path, array: { ...tomlSpan(node), elements } };
    for (const [index, element] of node.elements.entries()) {
      const owner = tomlSpan(element);
      yield* valueNodes(element, [...path, index], { ...parent, owner, inside: 'list' });
    }
  } else if (node.kind === 'string') {
    yield { path, kind: 'string', value: node.value, ...tomlSpan(node), ...parent };
  } else {
    yield { path, kind: 'literal', value: '', ...tomlSpan(node), ...parent };
  }
}

function tomlSpan({ range }: AST.TOMLNode): Span {
  return { start: range[0], end: range[1] };
}
