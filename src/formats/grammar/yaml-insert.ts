/** The edits that insert entries into a YAML text: lines in block groups, commas in flow groups. */
import type { Edit } from '../../format.ts';
import { lineStart } from '../text/position.ts';
import { insertion } from '../text/splice.ts';
import {
  type Addition,
  type ChildInsertion,
  type GroupReplacement,
  insertions,
  type NewChild,
  type NewValue,
} from './insertions.ts';
import { afterLine, entryStart, indentStep, indentTo, startsLine } from './yaml-layout.ts';
import { isPlainSafe, newBlock, newScalar } from './yaml-scalar.ts';
import {
  isMerge,
  type YamlChild,
  type YamlGroup,
  type YamlNode,
  type YamlString,
} from './yaml-tree.ts';

/** A text with the style of its model, or a literal to be written unchanged. */
export type YamlValue =
  | { readonly text: string; readonly style: YamlString['style'] }
  | { readonly literal: string };

export interface YamlTarget {
  readonly text: string;
  readonly root: YamlNode;
  readonly file: string;
}

/** Throws JobFailure `unsupported` when the source has a group and this file a text under the same key. */
export function insertionEdits(
  target: YamlTarget,
  additions: readonly Addition<YamlValue>[],
): Edit[] {
  const into = placeIn(target);
  const sorted = insertions<YamlGroup, YamlValue>(target.root, additions, target);
  const added = [...sorted.insertions].flatMap(([group, insertions]) =>
    [...Map.groupBy(insertions, ({ anchor }) => behindMerge(group, anchor))].map(
      ([anchor, entries]) =>
        group.isFlow
          ? flowEdit(into, { group, anchor }, entries)
          : blockEdit(into, { group, anchor }, entries),
    ),
  );
  return [...added, ...sorted.replacements.flatMap((instead) => groupEdits(into, instead))];
}

/** Ruby reads a map in its order: a `<<` behind a key would replace its text. */
function behindMerge({ kind, children }: YamlGroup, anchor: number): number {
  if (kind === 'list' || anchor !== -1) return anchor;
  const first = children.findIndex(({ step }) => !isMerge(step));
  return first === -1 ? children.length - 1 : first - 1;
}

/** Replaces null by a group: on lines below its key, or in braces within a flow group. */
function groupEdits(
  into: InsertionStep,
  { branch, index, group }: GroupReplacement<YamlGroup, YamlValue>,
): Edit[] {
  const { text, step } = into;
  const model = branch.children[index];
  if (model === undefined) return [];
  const { start, end } = model.value;
  if (branch.isFlow || typeof model.step === 'number') {
    const entries = group.children.map((child) => flowEntry(into, child, model));
    return [{ start, end, text: flowGroup(group.kind, entries) }];
  }
  const style = { indent: indentTo(text, model.start) + step, model };
  const lines = group.children.map((child) => blockEntry(into, child, style)).join('');
  const colon = text.indexOf(':', model.keyEnd) + 1;
  return [{ start: colon, end, text: '' }, linesAt(into, afterLine(text, model), lines)];
}

export interface ElementStyle {
  readonly inFlow: boolean;
  readonly indent?: string;
  readonly model?: YamlChild | undefined;
}

/** A new list element: with its dash and line break, or between commas. */
export function newEntry(
  target: YamlTarget,
  value: NewValue<YamlValue>,
  { inFlow, indent = '', model }: ElementStyle,
): string {
  const into = placeIn(target);
  if (inFlow) return flowEntry(into, { step: 0, value }, model);
  return blockEntry(into, { step: 0, value }, { indent, model });
}

function placeIn(target: YamlTarget): InsertionStep {
  return {
    ...target,
    lineEnd: /\r\n|\n/.exec(target.text)?.[0] ?? '\n',
    step: indentStep(target.text, target.root),
  };
}

interface InsertionStep extends YamlTarget {
  readonly lineEnd: string;
  readonly step: string;
}

interface InsertionSpot {
  readonly group: YamlGroup;
  readonly anchor: number;
}

type YamlInsertions = readonly ChildInsertion<YamlValue>[];

function blockEdit(into: InsertionStep, spot: InsertionSpot, entries: YamlInsertions): Edit {
  const { at, indent, model } = blockSpot(into, spot);
  const lines = entries.map((entry) => blockEntry(into, entry, { indent, model })).join('');
  return linesAt(into, at, lines);
}

function linesAt({ text, lineEnd }: InsertionStep, at: number, lines: string): Edit {
  const needsBreak = at > 0 && text.charAt(at - 1) !== '\n';
  return needsBreak
    ? insertion(at, lineEnd + lines.slice(0, lines.length - lineEnd.length))
    : insertion(at, lines);
}

interface BlockSpot {
  readonly at: number;
  readonly indent: string;
  readonly model: YamlChild | undefined;
}

function blockSpot(
  { text, step, root }: InsertionStep,
  { group, anchor }: InsertionSpot,
): BlockSpot {
  const [first] = group.children;
  if (first === undefined) {
    // A key without a value: the empty group is on the line of its key.
    const indent = group === root ? '' : indentOfLine(text, group.start) + step;
    const at = afterLine(text, {
      ...group,
      step: '',
      keyStart: group.start,
      keyEnd: group.start,
      value: group,
    });
    return { at, indent, model: undefined };
  }
  const indent = indentTo(text, group.kind === 'list' ? group.start : first.start);
  const child = group.children[anchor];
  // A new first entry goes before the first key. If that key is behind a dash, the entry goes behind the key, on a line of its own.
  const isAhead = child === undefined && group.kind === 'object' && startsLine(text, first.start);
  const at = isAhead ? entryStart(text, first.start) : afterLine(text, child ?? first);
  return { at, indent, model: child ?? first };
}

function indentOfLine(text: string, offset: number): string {
  return /^[ ]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? '';
}

interface YamlEntryStyle {
  readonly indent: string;
  readonly model: YamlChild | undefined;
}

function blockEntry(
  into: InsertionStep,
  { step, value }: NewChild<YamlValue>,
  style: YamlEntryStyle,
): string {
  const { indent, model } = style;
  const head = indent + (typeof step === 'number' ? '-' : `${keyText(into.text, step, model)}:`);
  const inner = { indent: indent + into.step, model };
  if (value.kind === 'leaf') {
    return `${head} ${blockText(into, value.value, inner.indent)}${into.lineEnd}`;
  }
  const lines = value.children.map((child) => blockEntry(into, child, inner)).join('');
  // Behind a dash, the first entry of a group is on the same line.
  if (typeof step !== 'number') return head + into.lineEnd + lines;
  return `${head}${lines.slice(head.length)}`;
}

function blockText({ lineEnd }: InsertionStep, value: YamlValue, indent: string): string {
  const isBlock = 'text' in value && (value.style === 'literal' || value.style === 'folded');
  const block = isBlock ? newBlock(value.text, { indent, lineEnd }) : undefined;
  return block ?? leafText(value, false);
}

function flowEdit(
  into: InsertionStep,
  { group, anchor }: InsertionSpot,
  entries: YamlInsertions,
): Edit {
  const child = group.children[anchor];
  const written = entries.map((entry) => flowEntry(into, entry, child ?? group.children[0]));
  if (child !== undefined) return insertion(child.end, `, ${written.join(', ')}`);
  const [first] = group.children;
  if (first === undefined) return insertion(group.start + 1, written.join(', '));
  return insertion(first.start, `${written.join(', ')}, `);
}

function flowEntry(
  into: InsertionStep,
  { step, value }: NewChild<YamlValue>,
  model: YamlChild | undefined,
): string {
  const written =
    value.kind === 'leaf'
      ? leafText(value.value, true)
      : flowGroup(
          value.kind,
          value.children.map((child) => flowEntry(into, child, model)),
        );
  return typeof step === 'number' ? written : `${keyText(into.text, step, model)}: ${written}`;
}

function flowGroup(kind: 'object' | 'list', entries: readonly string[]): string {
  return kind === 'object' ? `{${entries.join(', ')}}` : `[${entries.join(', ')}]`;
}

function leafText(value: YamlValue, inFlow: boolean): string {
  return 'literal' in value ? value.literal : newScalar(value.text, { style: value.style, inFlow });
}

/** A key in the style of its neighbour's key. */
export function keyText(text: string, key: string, model: YamlChild | undefined): string {
  const quote = model === undefined ? '' : text.charAt(model.keyStart);
  if (quote === "'") return newScalar(key, { style: 'single', inFlow: true });
  const isPlain = quote !== '"' && isPlainSafe(key, true);
  return isPlain ? key : newScalar(key, { style: 'double', inFlow: true });
}
