/** The insertions that add entries to a JSON text in its own layout, however many at once. */
import type { Edit } from '../format.ts';
import type { KeyStep } from '../text/key-path.ts';
import { type Addition, growths, type NewValue, type Sprout } from './growths.ts';
import { indentationAt, itemEnd, type JsonStyle, separator, styleOf } from './json-layout.ts';
import type { JsonStrings } from './json-strings.ts';
import type { JsonChild, JsonContainer, JsonNode } from './json-tree.ts';

/** A text to be quoted, or a literal to be written as it is. */
export type JsonValue = { readonly text: string } | { readonly literal: string };
export type JsonAddition = Addition<JsonValue>;

/** The file that is added to. */
export interface JsonTarget {
  readonly text: string;
  readonly root: JsonNode;
  readonly strings: JsonStrings;
  readonly file: string;
}

/** Throws JobFailure `unsupported` where the source has a group and this file a text under the same key. */
export function insertionEdits(target: JsonTarget, additions: readonly JsonAddition[]): Edit[] {
  const place = { ...target, style: styleOf(target.text, target.root) };
  const grown = growths<JsonContainer, JsonValue>(target.root, additions, target.file);
  return [...grown].flatMap(([container, sprouts]) => growthEdits(place, container, sprouts));
}

interface Place extends JsonTarget {
  readonly style: JsonStyle;
}

function growthEdits(
  place: Place,
  container: JsonContainer,
  sprouts: readonly Sprout<JsonValue>[],
): Edit[] {
  if (container.children.length === 0) return [fillEmpty(place, container, sprouts)];
  return [...Map.groupBy(sprouts, ({ anchor }) => anchor)].flatMap(([anchor, group]) =>
    entriesAfter(place, { container, anchor }, group),
  );
}

function entriesAfter(
  place: Place,
  { container, anchor }: { readonly container: JsonContainer; readonly anchor: number },
  sprouts: readonly Sprout<JsonValue>[],
): Edit[] {
  const child = container.children[anchor];
  const item = child === undefined ? undefined : itemEnd(place.text, child);
  const blanks = separator(place.text, container, anchor);
  const lead = endsInLineComment(place.text, child, item?.end)
    ? lineBreak(blanks, place.style)
    : blanks;
  const model = child ?? container.children[0];
  const entries = sprouts.map((sprout) => lead + entryText(place, sprout, { lead, model }));
  if (child !== undefined && item !== undefined && item.comma === undefined) {
    return [insertion(child.end, ','), insertion(item.end, entries.join(','))];
  }
  return [
    insertion(item?.end ?? container.start + 1, entries.map((entry) => `${entry},`).join('')),
  ];
}

function endsInLineComment(text: string, child: JsonChild | undefined, end = 0): boolean {
  return child !== undefined && text.slice(child.end, end).includes('//');
}

function lineBreak(blanks: string, { lineEnd }: JsonStyle): string {
  return /[\r\n]/.test(blanks) ? blanks : `${lineEnd || '\n'}${blanks}`;
}

function fillEmpty(
  place: Place,
  container: JsonContainer,
  sprouts: readonly Sprout<JsonValue>[],
): Edit {
  const { text, style } = place;
  const inner = text.slice(container.start + 1, container.end - 1);
  const at = container.start + 1 + inner.trimEnd().length;
  const outer = style.lineEnd === '' ? '' : style.lineEnd + indentationAt(text, container.start);
  const lead = outer === '' ? '' : outer + style.indent;
  const closing = /[\r\n]/.test(text.slice(at, container.end - 1)) ? '' : outer;
  const entries = sprouts.map(
    (sprout) => lead + entryText(place, sprout, { lead, model: undefined }),
  );
  return insertion(at, entries.join(',') + closing);
}

function insertion(at: number, text: string): Edit {
  return { start: at, end: at, text };
}

/** The blanks before an entry, and the neighbour whose key shows how keys are written. */
interface EntryStyle {
  readonly lead: string;
  readonly model: JsonChild | undefined;
}

interface NewEntry {
  readonly step: KeyStep;
  readonly value: NewValue<JsonValue>;
}

function entryText(place: Place, { step, value }: NewEntry, entry: EntryStyle): string {
  const written = valueText(place, value, entry);
  if (typeof step === 'number') return written;
  return keyText(place, step, entry.model) + colonOf(place, entry.model) + written;
}

function valueText(place: Place, value: NewValue<JsonValue>, { lead, model }: EntryStyle): string {
  if (value.kind === 'leaf') return leafText(place, value.value);
  const [open, close] = value.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const isSpread = /[\r\n]/.test(lead);
  const inner = isSpread ? lead + place.style.indent : '';
  const entries = value.children.map(
    (child) => inner + entryText(place, child, { lead: inner, model }),
  );
  return open + entries.join(isSpread ? ',' : ', ') + (isSpread ? lead : '') + close;
}

function leafText({ strings, style }: Place, value: JsonValue): string {
  return 'text' in value ? strings.literal(value.text, style.valueQuote) : value.literal;
}

function colonOf({ text, style }: Place, model: JsonChild | undefined): string {
  const own = model === undefined ? '' : text.slice(model.keyEnd, model.value.start);
  return /^[ \t]*:[ \t]*$/.test(own) ? own : style.colon;
}

function keyText(
  { text, strings, style }: Place,
  key: string,
  model: JsonChild | undefined,
): string {
  const first = model === undefined ? style.keyQuote : text.charAt(model.start);
  const quote = first === '"' || first === "'" ? first : '';
  if (quote === '' && /^[A-Za-z_$][\w$]*$/.test(key)) return key;
  return strings.literal(key, quote || style.valueQuote);
}
