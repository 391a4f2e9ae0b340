/**
 * Aliases of YAML. When an entry with an anchor leaves, the first alias that stays gets the anchor and the value in its place. When its text
 * changes, the aliases that stand for other texts get the value.
 */
import YAML from 'yaml';
import type { Edit, Segment, Span } from '../../format.ts';
import type { KeyPath } from '../text/key-path.ts';
import { lineStart, malformed, positionsOf } from '../text/position.ts';
import { splice } from '../text/splice.ts';

/**
 * Adds the edits of aliases to the removals of entries. Without its anchor, an alias is an error, and programs refuse the whole file.
 * Throws JobFailure `malformed` at an alias that cannot take the value.
 */
export function withKeptAnchors(
  text: string,
  removals: readonly Edit[],
  file: string,
): readonly Edit[] {
  if (removals.length === 0 || !/[\s[{,:-]\*[^\s*]/.test(text)) return removals;
  const isGone = ({ start, end }: Span) =>
    removals.some((edit) => edit.start <= start && end <= edit.end);
  const isLost = ({ alias, node }: AnchorUse) => node && isGone(node) && !isGone(alias);
  const all = usesIn(text);
  const [lost, ...others] = all.filter(isLost);
  if (lost === undefined) return removals;
  const first = new Map<number, AnchorUse>();
  for (const use of [lost, ...others].toReversed()) first.set(use.node?.start ?? 0, use);
  const moved = [...first.values()].map(({ alias, node = alias }) => ({
    ...alias,
    text: valueAt(text, node, alias),
  }));
  const edits = [...removals, ...moved].toSorted((one, other) => one.start - other.start);
  const isOpen = ({ node }: AnchorUse) => node === undefined;
  if (usesIn(splice(text, edits)).filter(isOpen).length > all.filter(isOpen).length) {
    const why = 'the source removes the entry whose anchor is used here: write its text here';
    throw malformed(file, { text, offset: lost.alias.start }, why);
  }
  return edits;
}

/** Writes the value in place of these aliases, where it is one of the changed texts. @param segments of the text */
export function detachedAliases(
  text: string,
  segments: readonly Segment[],
  ids: { readonly references: ReadonlySet<string>; readonly changed: ReadonlySet<string> },
): readonly Edit[] {
  const aliases = segments.filter(({ id, isReference }) => isReference && ids.references.has(id));
  const changed = segments.filter(({ id }) => ids.changed.has(id));
  if (aliases.length === 0 || changed.length === 0) return [];
  const starts = new Set(aliases.map(({ start }) => start));
  return usesIn(text).flatMap(({ alias, node }): Edit[] => {
    const value = changed.find(({ start }) => node && isValueOf(text, node, start));
    if (value === undefined || !starts.has(alias.start)) return [];
    return [{ ...alias, text: valueAt(text, value, alias) }];
  });
}

/** Whether a value begins there, behind the anchor and tag of a node. The value is the node itself, not a part of its map. */
function isValueOf(text: string, node: Span, start: number): boolean {
  if (start < node.start || start >= node.end) return false;
  return /^(?:[&!]\S*\s+)*$/.test(text.slice(node.start, start));
}

/** A value, with its anchor if the span has it, indented for the line of the alias. */
function valueAt(text: string, node: Span, alias: Span): string {
  const step = indentAt(text, alias.start).length - indentAt(text, node.start).length;
  const [head = '', ...lines] = text.slice(node.start, node.end).trimEnd().split('\n');
  const indented = lines.map((line) =>
    step > 0 && line.trim() !== ''
      ? ' '.repeat(step) + line
      : line.replace(/^ */, (own) => own.slice(Math.min(own.length, -step))),
  );
  return [head, ...indented].join('\n');
}

function indentAt(text: string, offset: number): string {
  return /^ */.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

interface AnchorUse {
  readonly alias: Span;
  /** With its anchor and tag; undefined for an alias without an anchor. */
  readonly node: Span | undefined;
}

/** All aliases, each with the last node before it that has its anchor (YAML 1.2, 7.1). */
function usesIn(text: string): AnchorUse[] {
  const uses: AnchorUse[] = [];
  for (const document of YAML.parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' })) {
    const anchors = new Map<string, Span>();
    YAML.visit(document as YAML.Document, {
      Alias: (_, { source, range }) => {
        if (!range) return;
        uses.push({ alias: { start: range[0], end: range[1] }, node: anchors.get(source) });
      },
      Node: (_, node) => {
        if (YAML.isAlias(node) || node.anchor === undefined || !node.range) return;
        const [start, end] = node.range;
        anchors.set(node.anchor, { start: start - propertiesBefore(text, start), end });
      },
    });
  }
  return uses;
}

/** The length of anchor and tag before a value, with the blanks behind them. */
function propertiesBefore(text: string, offset: number): number {
  const before = text.slice(Math.max(0, offset - LONGEST_PROPERTIES), offset);
  return /(?:(?<=\s)[&!]\S*\s+)+$/.exec(before)?.[0].length ?? 0;
}

/** More than the names of an anchor and a tag, with an indentation. */
const LONGEST_PROPERTIES = 400;

/** Finds the alias or merge by which a map of the first document takes over the value at a path. Looks below the language of Rails, too. */
export function referenceTo(
  text: string,
): (path: KeyPath) => readonly { readonly reference: string; readonly line: number }[] {
  const [document] = YAML.parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent' });
  const root: unknown = document?.contents;
  const [only, ...others] = YAML.isMap(root) ? root.items : [];
  const below = others.length === 0 ? only?.value : undefined;
  const resolved = (node: unknown) =>
    YAML.isAlias(node) && document !== undefined ? node.resolve(document) : node;
  const find = (node: unknown, [step, ...rest]: KeyPath): YAML.Node | undefined => {
    if (YAML.isAlias(node)) return node;
    if (!YAML.isMap(node)) return undefined;
    const valueIn = (key: unknown) =>
      node.items.findLast((pair) => YAML.isScalar(pair.key) && pair.key.value === key)?.value;
    const own = valueIn(step);
    if (own !== undefined) return find(own, rest);
    const merged = valueIn('<<');
    const list = YAML.isSeq(merged) ? merged.items : [merged];
    const from = list.find((each) => {
      const map = resolved(each);
      return YAML.isMap(map) && map.has(step);
    });
    return YAML.isNode(from) ? from : undefined;
  };
  const positionAt = positionsOf(text);
  return (path) => {
    const node = find(root, path) ?? find(below, path);
    if (!node?.range) return [];
    const reference = YAML.isAlias(node) ? `*${node.source}` : '<<';
    return [{ reference, line: positionAt(node.range[0]).line }];
  };
}
