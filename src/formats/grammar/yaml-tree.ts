/** A YAML text as a tree with spans, parsed by `yaml`, whose ranges exclude anchors, tags and comments. */

import YAML from 'yaml';
import type { Span } from '../../format.ts';
import type { KeyStep } from '../text/key-path.ts';
import { malformed } from '../text/position.ts';

export type YamlNode = YamlGroup | YamlString | YamlLiteral;

/** The step of a `<<` without quotes. It is part of the ids of texts in a map that stands there, so it stays as it is. */
const MERGE = String(Symbol('<<'));

/** Whether a key takes over the texts of another map. */
export function isMerge(step: KeyStep): boolean {
  return step === MERGE || step === '<<';
}

/** A map or a list; a key without a value counts as an empty map. */
export interface YamlGroup extends Span {
  readonly kind: 'object' | 'list';
  /** The key has no value at all: a new value needs this before it. */
  readonly lead?: ' ' | ': ';
  /** An empty group that may become a list or a map. */
  readonly isEither?: true;
  readonly inFlow?: boolean;
  /** `{…}` and `[…]`. */
  readonly isFlow: boolean;
  readonly children: readonly YamlChild[];
}

/** The span of the scalar as written: with quotes, or with the `|` or `>` of a block and its lines. */
export interface YamlString extends Span {
  readonly kind: 'string';
  readonly style: 'plain' | 'single' | 'double' | 'literal' | 'folded';
  readonly value: string;
  readonly inFlow: boolean;
  /** Behind the tag `!`, which says that it is a string. */
  readonly hasPlainTag?: true;
}

/** Number, boolean, alias, or a value with a tag of its own. */
export interface YamlLiteral extends Span {
  readonly kind: 'literal';
  /** Aliases and tagged values have a meaning only in their own file. */
  readonly isLocal: boolean;
  readonly isNull?: true;
  readonly inFlow?: boolean;
}

/** An entry, from the `?` that may be before its key. */
export interface YamlChild extends Span {
  readonly step: KeyStep;
  readonly keyStart: number;
  /** The style of the key's scalar. */
  readonly keyKind?: string;
  readonly keyEnd: number;
  readonly value: YamlNode;
}

/** One node per document of the file; undefined for an empty one. Throws JobFailure `malformed` with line and column. */
export function parseYamlTrees(text: string, file: string): readonly (YamlNode | undefined)[] {
  const documents = YAML.parseAllDocuments(text, {
    uniqueKeys: false,
    merge: true,
    logLevel: 'silent',
  });
  if (!Array.isArray(documents)) return [];
  return documents.map((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw malformed(file, { text, offset: error.pos[0] }, reason(error));
    return isNode(document.contents)
      ? nodeOf(document.contents, { text, inFlow: false })
      : undefined;
  });
}

/** The values of the first document as a program reads them, with aliases and merges resolved; undefined when they cannot be resolved. */
export function valuesOf(text: string): unknown {
  try {
    const [document] = YAML.parseAllDocuments(text, {
      uniqueKeys: false,
      merge: true,
      logLevel: 'silent',
    });
    return document?.toJS();
  } catch {
    return undefined;
  }
}

function reason(error: Error): string {
  if ('code' in error && error.code === 'BLOCK_AS_IMPLICIT_KEY') {
    return 'a second ": " in one line: put the text into quotes';
  }
  return (error.message.split('\n')[0] ?? '').replace(/ at line \d+, column \d+:?$/, '');
}

interface ScalarSource {
  readonly text: string;
  readonly inFlow: boolean;
}

function isNode(value: unknown): value is YAML.Node {
  return YAML.isNode(value);
}

function nodeOf(node: YAML.Node, scalarSource: ScalarSource): YamlNode {
  const [start, end] = rangeOf(node);
  if (YAML.isMap(node) || YAML.isSeq(node)) return groupOf(node, { start, end }, scalarSource);
  if (!YAML.isScalar(node)) return { kind: 'literal', start, end, isLocal: true };
  return scalarOf(node, { start, end }, scalarSource);
}

function groupOf(
  node: YAML.YAMLMap | YAML.YAMLSeq,
  span: Span,
  scalarSource: ScalarSource,
): YamlNode {
  // A tag (`!reference [a, b]`, `!!omap`) means that the group holds no texts.
  if (hasOwnTag(node, ['map', 'seq'])) return { kind: 'literal', ...span, isLocal: true };
  const isFlow = node.flow === true;
  const inner = { ...scalarSource, inFlow: scalarSource.inFlow || isFlow };
  const children = YAML.isMap(node)
    ? node.items.flatMap((pair) => memberOf(pair, inner))
    : node.items.flatMap((item, index) => elementOf(item, index, inner));
  return { kind: YAML.isMap(node) ? 'object' : 'list', ...span, isFlow, children };
}

function memberOf(pair: YAML.Pair, scalarSource: ScalarSource): YamlChild[] {
  const { key, value } = pair;
  if (!isNode(key)) return [];
  const [keyStart, keyEnd] = rangeOf(key);
  const start = withQuestionMark(scalarSource.text, keyStart);
  const node = isNode(value)
    ? nodeOf(value, scalarSource)
    : missingValue(pair, { keyEnd }, scalarSource);
  // `<<` merges and alias keys do not name an entry.
  const step = YAML.isScalar(key) ? String(key.value ?? '') : '<<';
  const keyKind = YAML.isScalar(key) ? typeof key.value : 'alias';
  const end = Math.max(keyEnd, contentEnd(node));
  return [{ step, keyKind, start, keyStart, keyEnd, end, value: node }];
}

/** `? key`: the sign, an anchor and a tag may be before a key. */
function withQuestionMark(text: string, key: number): number {
  // A whole file may be on one line.
  const before = text.slice(Math.max(0, key - 100), key);
  return key - (/\?[ \t]+(?:[&!]\S*[ \t]+)*$/.exec(before)?.[0].length ?? 0);
}

/** `{ a, b: x }`: a key without a colon. `? a` of a block cannot get a value in place. */
function missingValue(
  { key }: YAML.Pair,
  { keyEnd }: { readonly keyEnd: number },
  { inFlow }: ScalarSource,
): YamlNode {
  const span = { start: keyEnd, end: keyEnd };
  if (!inFlow || !YAML.isScalar(key)) return { kind: 'literal', ...span, isLocal: true };
  return {
    kind: 'object',
    ...span,
    isFlow: false,
    isEither: true,
    lead: ': ',
    inFlow,
    children: [],
  };
}

function elementOf(item: unknown, step: number, scalarSource: ScalarSource): YamlChild[] {
  // `[a: b]` is a map of one pair without a range of its own.
  if (!isNode(item)) return [];
  const value = nodeOf(item, scalarSource);
  const { start } = value;
  return [{ step, start, keyStart: start, keyEnd: start, end: contentEnd(value), value }];
}

// The range of a block group may include blank lines and comments behind its last entry.
function contentEnd(node: YamlNode): number {
  if (node.kind === 'string' || node.kind === 'literal' || node.isFlow) return node.end;
  return node.children.at(-1)?.end ?? node.start;
}

function scalarOf(node: YAML.Scalar, span: Span, { text, inFlow }: ScalarSource): YamlNode {
  if (node.value === null && span.start === span.end) {
    return {
      kind: 'object',
      ...span,
      isFlow: false,
      isEither: true,
      lead: ' ',
      inFlow,
      children: [],
    };
  }
  const hasPlainTag = node.tag === '!';
  if (!hasPlainTag && hasOwnTag(node, ['str'])) {
    return { kind: 'literal', ...span, isLocal: true };
  }
  const style = STYLES.get(node.type ?? '');
  if (node.value === null)
    return { kind: 'literal', ...span, isLocal: false, isNull: true, inFlow };
  if (typeof node.value !== 'string' || style === undefined) {
    return { kind: 'literal', ...span, isLocal: false };
  }
  if (style === 'plain' && isPlainValueOfYaml11(node.value)) {
    return { kind: 'literal', ...span, isLocal: false };
  }
  const string = { kind: 'string', ...withoutTail(text, span), style, inFlow } as const;
  return { ...string, value: node.value, ...(hasPlainTag && { hasPlainTag }) };
}

// The line breaks and blank lines at the end of a block belong to the file, not to the text; a no-break space is text.
function withoutTail(text: string, { start, end }: Span): Span {
  let tail = end;
  while (tail > start && /[ \t\r\n]/.test(text.charAt(tail - 1))) tail -= 1;
  return { start, end: tail };
}

const STYLES: ReadonlyMap<string, YamlString['style']> = new Map([
  ['PLAIN', 'plain'],
  ['QUOTE_SINGLE', 'single'],
  ['QUOTE_DOUBLE', 'double'],
  ['BLOCK_LITERAL', 'literal'],
  ['BLOCK_FOLDED', 'folded'],
]);

/**
 * Whether a plain scalar is not a string for YAML 1.1 or 1.2: `no`, `1_000`, `12:30`, dates. Ruby and PyYAML read 1.1
 * (https://yaml.org/type/), so such texts must be quoted, and unquoted ones are values.
 */
export function isPlainValueOfYaml11(text: string): boolean {
  return /^(?:~|null|true|false|yes|no|on|off|y|n|=|<<|[-+]?(?:\.inf|\.nan|0b[01_]+|0x[\da-f_]+|0o?[0-7_]+|[\d.][\d_.,:e+-]*)|\d{4}-\d\d?-\d\d?.*)$/i.test(
    text,
  );
}

function hasOwnTag(node: YAML.Node, plain: readonly string[]): boolean {
  return node.tag !== undefined && !plain.some((name) => node.tag === `tag:yaml.org,2002:${name}`);
}

function rangeOf(node: YAML.Node): readonly [number, number] {
  const range = node.range;
  if (range === null || range === undefined) throw new TypeError('yaml gave no range');
  return [range[0], range[1]];
}
