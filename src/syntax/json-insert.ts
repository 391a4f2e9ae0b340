/** The insertions that add entries to a JSON text in its own layout, however many at once. */
import { JobFailure } from '../failure.ts';
import type { Edit } from '../format.ts';
import { joinKey, type KeyPath, type KeyStep } from '../text/key-path.ts';
import { indentationAt, itemEnd, type JsonStyle, separator, styleOf } from './json-layout.ts';
import type { JsonStrings } from './json-strings.ts';
import type { JsonChild, JsonContainer, JsonNode } from './json-tree.ts';

export interface Addition {
  readonly path: KeyPath;
  /** The existing entry that comes before it, anywhere in the file; null: none. */
  readonly after: KeyPath | null;
  /** A text to be quoted, or a literal to be written as it is. */
  readonly value: { readonly text: string } | { readonly literal: string };
}

/** The file that is added to. */
export interface JsonTarget {
  readonly text: string;
  readonly root: JsonNode;
  readonly strings: JsonStrings;
  readonly file: string;
}

/** Throws JobFailure `unsupported` where the source has a group and this file a text under the same key. */
export function insertionEdits(target: JsonTarget, additions: readonly Addition[]): Edit[] {
  const style = styleOf(target.text, target.root);
  const growths = new Growths(target);
  for (const addition of additions) growths.add(addition);
  return [...growths.all()].flatMap(([container, sprouts]) =>
    growthEdits({ ...target, style }, container, sprouts),
  );
}

type NewValue = Addition['value'] | NewGroup;

interface NewGroup {
  readonly kind: 'object' | 'list';
  readonly children: [KeyStep, NewValue][];
  readonly groups: Map<KeyStep, NewGroup>;
}

/** A new child of an existing container, behind its child number `anchor` (-1: first). */
interface Sprout {
  readonly anchor: number;
  readonly step: KeyStep;
  readonly value: NewValue;
}

/** Sorts additions by the existing container that they grow from; what several of them need anew is made once. */
class Growths {
  readonly #target: JsonTarget;
  readonly #sprouts = new Map<JsonContainer, Sprout[]>();
  readonly #groups = new Map<JsonContainer, Map<KeyStep, NewGroup>>();
  readonly #indexes = new Map<JsonContainer, ReadonlyMap<KeyStep, number>>();

  constructor(target: JsonTarget) {
    this.#target = target;
  }

  all(): ReadonlyMap<JsonContainer, readonly Sprout[]> {
    return this.#sprouts;
  }

  add(addition: Addition): void {
    const { container, depth } = this.#deepest(addition.path);
    const step = addition.path[depth];
    if (step === undefined) throw this.#misfit(addition.path);
    const rest = addition.path.slice(depth + 1);
    const known = rest.length === 0 ? undefined : this.#groups.get(container)?.get(step);
    if (known !== undefined) {
      fillGroup(known, rest, addition.value);
      return;
    }
    const value = rest.length === 0 ? addition.value : this.#newGroup(container, step, rest);
    if ('kind' in value) fillGroup(value, rest, addition.value);
    const sprout = { anchor: this.#anchor(container, depth, addition), step, value };
    const sprouts = this.#sprouts.get(container);
    if (sprouts === undefined) this.#sprouts.set(container, [sprout]);
    else sprouts.push(sprout);
  }

  // The last container on the way that exists; a key that is there twice is only ever added to its first.
  #deepest(path: KeyPath): { readonly container: JsonContainer; readonly depth: number } {
    let node = this.#target.root;
    for (const [depth, step] of path.entries()) {
      if (node.kind === 'string' || node.kind === 'literal') throw this.#misfit(path);
      if ((typeof step === 'number') !== (node.kind === 'list')) throw this.#misfit(path);
      const child = node.children[this.#index(node).get(step) ?? -1];
      if (child === undefined || depth === path.length - 1) return { container: node, depth };
      node = child.value;
    }
    throw this.#misfit(path);
  }

  #newGroup(container: JsonContainer, step: KeyStep, rest: KeyPath): NewGroup {
    const group = emptyGroup(rest);
    const groups = this.#groups.get(container) ?? new Map<KeyStep, NewGroup>();
    this.#groups.set(container, groups.set(step, group));
    return group;
  }

  #anchor(container: JsonContainer, depth: number, { path, after }: Addition): number {
    if (after === null) return -1;
    for (let index = 0; index < depth; index += 1) if (after[index] !== path[index]) return -1;
    return this.#index(container).get(after[depth] ?? '') ?? -1;
  }

  #index(container: JsonContainer): ReadonlyMap<KeyStep, number> {
    const known = this.#indexes.get(container);
    if (known !== undefined) return known;
    const index = new Map<KeyStep, number>();
    for (const [position, { step }] of container.children.entries()) {
      if (!index.has(step)) index.set(step, position);
    }
    this.#indexes.set(container, index);
    return index;
  }

  #misfit(path: KeyPath): JobFailure {
    return new JobFailure({
      kind: 'unsupported',
      what: `${this.#target.file}: "${joinKey(path)}" does not fit: the file has a text where the source has a group, or a list where it has keys`,
      advice: 'Take the entry out of the target, then it is written anew.',
    });
  }
}

function emptyGroup(rest: KeyPath): NewGroup {
  return { kind: typeof rest[0] === 'number' ? 'list' : 'object', children: [], groups: new Map() };
}

function fillGroup(group: NewGroup, path: KeyPath, value: NewValue): void {
  const [step, ...rest] = path;
  if (step === undefined) return;
  if (rest.length === 0) {
    group.children.push([step, value]);
    return;
  }
  let inner = group.groups.get(step);
  if (inner === undefined) {
    inner = emptyGroup(rest);
    group.groups.set(step, inner);
    group.children.push([step, inner]);
  }
  fillGroup(inner, rest, value);
}

interface Place extends JsonTarget {
  readonly style: JsonStyle;
}

function growthEdits(place: Place, container: JsonContainer, sprouts: readonly Sprout[]): Edit[] {
  if (container.children.length === 0) return [fillEmpty(place, container, sprouts)];
  return [...Map.groupBy(sprouts, ({ anchor }) => anchor)].flatMap(([anchor, group]) =>
    entriesAfter(place, { container, anchor }, group),
  );
}

function entriesAfter(
  place: Place,
  { container, anchor }: { readonly container: JsonContainer; readonly anchor: number },
  sprouts: readonly Sprout[],
): Edit[] {
  const blanks = separator(place.text, container, anchor);
  const child = container.children[anchor];
  const item = child === undefined ? undefined : itemEnd(place.text, child);
  const lead =
    needsLineBreak(place.text, child, item?.end) && !/[\r\n]/.test(blanks)
      ? `${place.style.lineEnd || '\n'}${blanks}`
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

function needsLineBreak(
  text: string,
  child: JsonChild | undefined,
  end: number | undefined,
): boolean {
  return child !== undefined && end !== undefined && text.slice(child.end, end).includes('//');
}

function fillEmpty(place: Place, container: JsonContainer, sprouts: readonly Sprout[]): Edit {
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

function entryText(
  place: Place,
  { step, value }: { readonly step: KeyStep; readonly value: NewValue },
  entry: EntryStyle,
): string {
  const written = valueText(place, value, entry);
  if (typeof step === 'number') return written;
  return keyText(place, step, entry.model) + colonOf(place, entry.model) + written;
}

function valueText(place: Place, value: NewValue, { lead, model }: EntryStyle): string {
  if ('text' in value) return place.strings.literal(value.text, place.style.valueQuote);
  if ('literal' in value) return value.literal;
  const [open, close] = value.kind === 'object' ? ['{', '}'] : ['[', ']'];
  const isSpread = /[\r\n]/.test(lead);
  const inner = isSpread ? lead + place.style.indent : '';
  const entries = value.children.map(
    ([step, child]) => inner + entryText(place, { step, value: child }, { lead: inner, model }),
  );
  return open + entries.join(isSpread ? ',' : ', ') + (isSpread ? lead : '') + close;
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
