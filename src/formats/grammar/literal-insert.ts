/** The edits that insert entries into literals, in the layout of the file, any number at once. */
import { formatLocation, JobFailure } from '../../failure.ts';
import type { Edit } from '../../format.ts';
import { positionsOf } from '../text/position.ts';
import { insertion } from '../text/splice.ts';
import {
  type Addition,
  type ChildInsertion,
  type GroupReplacement,
  insertions,
  type NewChild,
  type NewValue,
} from './insertions.ts';
import {
  indentationAt,
  itemEnd,
  type LiteralStyle,
  lineTail,
  quoteAt,
  separator,
  styleOf,
} from './literal-layout.ts';
import type {
  LiteralEntry,
  LiteralGrammar,
  LiteralGroup,
  LiteralNode,
  LiteralStrings,
} from './literal-tree.ts';

/** A text to be quoted, or a literal to be written unchanged. */
export type LiteralValue = { readonly text: string } | { readonly literal: string };
export type LiteralAddition = Addition<LiteralValue>;

/** The file that gets the insertions. */
export interface LiteralTarget {
  readonly text: string;
  readonly root: LiteralNode;
  readonly strings: LiteralStrings;
  readonly grammar: LiteralGrammar;
  readonly file: string;
}

/** Throws JobFailure `unsupported` when the source has a group and this file a text under the same key. */
export function insertionEdits(
  target: LiteralTarget,
  additions: readonly LiteralAddition[],
): Edit[] {
  const place = { ...target, style: styleOf(target.text, target.root, target.grammar) };
  const sorted = insertions<LiteralGroup, LiteralValue>(target.root, additions, target);
  for (const [container, added] of sorted.insertions) refuseFrame(target, container, added);
  return [
    ...[...sorted.insertions].flatMap(([container, added]) => editsIn(place, container, added)),
    ...sorted.replacements.flatMap((replacement) => groupEdit(place, replacement)),
  ];
}

/** A text needs a group of literals; a file that calls a function to make its texts has none, or only a part of them. */
function refuseFrame(
  { text, file }: LiteralTarget,
  container: LiteralGroup,
  [first]: readonly ChildInsertion<LiteralValue>[],
): void {
  if (container.kind !== 'object' || first === undefined) return;
  if (container.isFrame !== true && container.isPart !== true) return;
  const { line } = positionsOf(text)(container.start);
  throw new JobFailure({
    kind: 'unsupported',
    what: `${formatLocation({ file, line })}: there is no literal that can take "${first.step}"`,
    advice: 'Write it there yourself, or let the file return its texts as one literal.',
  });
}

/** Replaces null by a group, laid out like a new one. */
function groupEdit(
  place: LiteralPlace,
  { branch, index, group }: GroupReplacement<LiteralGroup, LiteralValue>,
): Edit[] {
  const model = branch.children[index];
  if (model === undefined) return [];
  const { start, end } = model.value;
  const lead = separator(place.text, branch, index);
  return [{ start, end, text: valueText(place, group, { lead, model }) }];
}

/** A new element, behind the given blanks. */
export function newElementText(
  target: LiteralTarget,
  value: NewValue<LiteralValue>,
  { list, lead }: { readonly list: LiteralGroup; readonly lead: string },
): string {
  const place = { ...target, style: styleOf(target.text, target.root, target.grammar) };
  const group = list.children.map((child) => child.value).find(({ kind }) => kind === 'object');
  const model = group?.kind === 'object' ? group.children[0] : undefined;
  return valueText(place, value, { lead, model });
}

export interface LiteralPlace extends LiteralTarget {
  readonly style: LiteralStyle;
}

function editsIn(
  place: LiteralPlace,
  container: LiteralGroup,
  insertions: readonly ChildInsertion<LiteralValue>[],
): Edit[] {
  if (container.children.length === 0) return [fillEmpty(place, container, insertions)];
  return [...Map.groupBy(insertions, ({ anchor }) => anchor)].flatMap(([anchor, group]) =>
    entriesAfter(place, { container, anchor }, group),
  );
}

function entriesAfter(
  place: LiteralPlace,
  { container, anchor }: { readonly container: LiteralGroup; readonly anchor: number },
  insertions: readonly ChildInsertion<LiteralValue>[],
): Edit[] {
  const child = container.children[anchor];
  const item = child === undefined ? undefined : itemEnd(place.text, child);
  const blanks = separator(place.text, container, anchor);
  const lead = endsInLineComment(place.text, child, item?.end)
    ? lineBreak(blanks, place.style)
    : blanks;
  const model = child ?? container.children[0];
  if (child === undefined && model !== undefined && !/[\r\n]/.test(lead)) {
    const between = `,${separator(place.text, container, 0)}`;
    const ahead = insertions.map(
      (insertion) => entryText(place, insertion, { lead, model }) + between,
    );
    return [insertion(model.start, ahead.join(''))];
  }
  const entries = insertions.map(
    (insertion) => lead + entryText(place, insertion, { lead, model }),
  );
  if (child !== undefined && item !== undefined && item.comma === undefined) {
    return [insertion(child.end, ','), insertion(item.end, entries.join(','))];
  }
  const at = item?.end ?? lineTail(place.text, container.start + 1);
  return [insertion(at, entries.map((entry) => `${entry},`).join(''))];
}

function endsInLineComment(text: string, child: LiteralEntry | undefined, end = 0): boolean {
  return child !== undefined && /\/\/|#/.test(text.slice(child.end, end));
}

function lineBreak(blanks: string, { lineEnd }: LiteralStyle): string {
  return /[\r\n]/.test(blanks) ? blanks : `${lineEnd || '\n'}${blanks}`;
}

function fillEmpty(
  place: LiteralPlace,
  container: LiteralGroup,
  insertions: readonly ChildInsertion<LiteralValue>[],
): Edit {
  const { text, style } = place;
  const inner = text.slice(container.start + 1, container.end - 1);
  const at = container.start + 1 + inner.trimEnd().length;
  const outer = style.lineEnd === '' ? '' : style.lineEnd + indentationAt(text, container.start);
  const lead = outer === '' ? '' : outer + style.indent;
  const closing = /[\r\n]/.test(text.slice(at, container.end - 1)) ? '' : outer;
  const entries = insertions.map(
    (insertion) => lead + entryText(place, insertion, { lead, model: undefined }),
  );
  return insertion(at, entries.join(',') + closing);
}

/** The blanks before an entry, and the neighbour whose key style is followed. */
interface LiteralEntryStyle {
  readonly lead: string;
  readonly model: LiteralEntry | undefined;
}

function entryText(
  place: LiteralPlace,
  { step, value }: NewChild<LiteralValue>,
  entry: LiteralEntryStyle,
): string {
  const written = valueText(place, value, entry);
  if (typeof step === 'number') return written;
  return keyText(place, step, entry.model) + colonOf(place, entry.model) + written;
}

function valueText(
  place: LiteralPlace,
  value: NewValue<LiteralValue>,
  { lead, model }: LiteralEntryStyle,
): string {
  if (value.kind === 'leaf') return leafText(place, value.value);
  const [open, close] = place.grammar[value.kind];
  const isSpread = /[\r\n]/.test(lead);
  const inner = isSpread ? lead + place.style.indent : '';
  const entries = value.children.map(
    (child) => inner + entryText(place, child, { lead: inner, model }),
  );
  return open + entries.join(isSpread ? ',' : ', ') + (isSpread ? lead : '') + close;
}

function leafText({ strings, style }: LiteralPlace, value: LiteralValue): string {
  return 'text' in value ? strings.literal(value.text, style.valueQuote) : value.literal;
}

function colonOf({ text, style, grammar }: LiteralPlace, model: LiteralEntry | undefined): string {
  const own = model === undefined ? '' : text.slice(model.keyEnd, model.value.start);
  return grammar.colon.test(own) ? own : style.colon;
}

/** A key in the style of its neighbour's key. */
export function keyText(
  { text, strings, style, grammar }: LiteralPlace,
  key: string,
  model: LiteralEntry | undefined,
): string {
  if (style.keyQuote === '' && grammar.bareKey?.test(key)) return key;
  const own = (model === undefined ? '' : quoteAt(text, model.start)) || style.keyQuote;
  return strings.literal(key, own || style.valueQuote);
}
