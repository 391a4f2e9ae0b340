/** A TOML text as entries with paths and spans, over toml-eslint-parser. */
import { type AST, ParseError, parseTOML } from 'toml-eslint-parser';
import type { KeyPath, KeyStep } from '../text/key-path.ts';
import { malformed } from '../text/position.ts';

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A value with its place; the span includes the quotes. */
export interface TomlLeaf extends Span {
  readonly path: KeyPath;
  readonly kind: 'string' | 'literal';
  /** Of strings. */
  readonly value: string;
  /** The `key = value` or the element that it is. */
  readonly owner: Span;
  /** What the owner stands in: its own line, or braces or brackets on the way. */
  readonly inside: 'line' | 'table' | 'list';
}

/** A table with a header. */
export interface TomlTable {
  readonly path: KeyPath;
  /** Where the keys of its header end. */
  readonly head: number;
}

export interface TomlFile {
  readonly leaves: readonly TomlLeaf[];
  readonly tables: readonly TomlTable[];
}

/** Throws JobFailure `malformed` with line and column. */
export function openToml(text: string, file: string): TomlFile {
  const leaves: TomlLeaf[] = [];
  const tables: TomlTable[] = [];
  for (const node of parse(text, file).body[0].body) {
    if (node.type === 'TOMLKeyValue') {
      leaves.push(...pairLeaves(node, [], 'line'));
      continue;
    }
    tables.push({ path: node.resolvedKey, head: spanOf(node.key).end });
    leaves.push(...node.body.flatMap((pair) => [...pairLeaves(pair, node.resolvedKey, 'line')]));
  }
  return { leaves, tables };
}

function parse(text: string, file: string): AST.TOMLProgram {
  try {
    return parseTOML(text);
  } catch (error) {
    const offset = error instanceof ParseError ? error.index : 0;
    throw malformed(file, { text, offset }, error instanceof Error ? error.message : String(error));
  }
}

type Inside = TomlLeaf['inside'];

function* pairLeaves(pair: AST.TOMLKeyValue, base: KeyPath, inside: Inside): Generator<TomlLeaf> {
  const keys = pair.key.keys.map(
    (key): KeyStep => (key.type === 'TOMLBare' ? key.name : key.value),
  );
  yield* valueLeaves(pair.value, [...base, ...keys], { owner: spanOf(pair), inside });
}

function* valueLeaves(
  node: AST.TOMLContentNode,
  path: KeyPath,
  place: Pick<TomlLeaf, 'owner' | 'inside'>,
): Generator<TomlLeaf> {
  if (node.type === 'TOMLInlineTable') {
    for (const pair of node.body) yield* pairLeaves(pair, path, 'table');
  } else if (node.type === 'TOMLArray') {
    for (const [index, element] of node.elements.entries()) {
      const owner = spanOf(element);
      yield* valueLeaves(element, [...path, index], { owner, inside: 'list' });
    }
  } else if (node.kind === 'string') {
    yield { path, kind: 'string', value: node.value, ...spanOf(node), ...place };
  } else {
    yield { path, kind: 'literal', value: '', ...spanOf(node), ...place };
  }
}

function spanOf({ range }: AST.TOMLNode): Span {
  return { start: range[0], end: range[1] };
}
