/** Edits that insert messages, attributes and variants into a Fluent resource, and remove them. */
import { JobFailure } from '../../failure.ts';
import type { Edit, Insertion, Span } from '../../format.ts';
import { blankStart, lineStart } from '../text/position.ts';
import { insertion, splice } from '../text/splice.ts';
import {
  type FluentEntry,
  type FluentFile,
  type FluentLeaf,
  fluentLineEnd,
  openFluent,
} from './fluent-tree.ts';
import { renamedBaseline } from './renamed-keys.ts';

/** The key of the message that a text belongs to: `-brand.attr[one]` -> `-brand`. */
export function entryKey(id: string): string {
  return /^-?[A-Za-z][\w-]*/.exec(id)?.[0] ?? id;
}

export function insertionEdits(
  text: string,
  file: FluentFile,
  insertions: readonly Insertion[],
): Edit[] {
  const entries = byKey(file);
  const sources = new SourceMessages();
  const grouped = Map.groupBy(insertions, ({ segment }) => entryKey(segment.id));
  return [...grouped].flatMap(([key, group]) => {
    const entry = entries.get(key);
    if (entry !== undefined) return partEdits(text, entry, { insertions: group, sources });
    return entryEdit(text, file, {
      after: neighbour(entries, group[0]),
      added: sources.entry(key, group),
    });
  });
}

function byKey({ entries }: FluentFile): Map<string | undefined, FluentEntry> {
  return new Map(
    entries.filter(({ isShadowed }) => !isShadowed).map((entry) => [entry.key, entry]),
  );
}

function neighbour(
  entries: ReadonlyMap<string | undefined, FluentEntry>,
  insertion: Insertion | undefined,
): FluentEntry | undefined {
  const after = insertion?.after;
  return typeof after === 'string' ? entries.get(entryKey(after)) : undefined;
}

/** New messages are copied from the source, with the new texts; comments and layout are kept. */
class SourceMessages {
  readonly #files = new Map<string, ReadonlyMap<string | undefined, FluentEntry>>();

  entry(key: string, insertions: readonly Insertion[]): string {
    const sourceText = insertions[0]?.sourceText ?? '';
    const entry = this.#entries(sourceText).get(key);
    if (entry === undefined) return '';
    const slice = sourceText.slice(entry.start, entry.end);
    const known = openFluent(slice).entries.find((one) => one.key === key);
    if (known === undefined) return '';
    const leaves = new Map(known.texts.map((leaf) => [leaf.id, leaf]));
    const edits = insertions.flatMap(({ segment, parts }): Edit[] => {
      const leaf = leaves.get(segment.id);
      if (leaf === undefined) return [];
      return [{ start: leaf.start, end: leaf.end, text: leaf.encode(parts) }];
    });
    const missing = insertions.filter(({ segment }) => !leaves.has(segment.id));
    const filled = splice(slice, [
      ...edits,
      ...partEdits(slice, known, { insertions: missing, sources: this }),
    ]);
    return withoutOtherForms(filled, new Set(insertions.map(({ segment }) => segment.id)));
  }

  /** A value, or an attribute from its dot on. */
  block(pattern: string, insertions: readonly Insertion[]): string {
    const text = this.entry(entryKey(pattern), insertions);
    const texts = openFluent(text).entries.flatMap((entry) => entry.texts);
    const { start, end } = texts.find(({ id }) => patternOf(id) === pattern)?.block ?? NOWHERE;
    return text.slice(start, end);
  }

  #entries(text: string): ReadonlyMap<string | undefined, FluentEntry> {
    const known = this.#files.get(text) ?? byKey(openFluent(text));
    this.#files.set(text, known);
    return known;
  }
}

/** The language of the target may lack plural forms that the source has. */
function withoutOtherForms(text: string, wanted: ReadonlySet<string>): string {
  const file = openFluent(text);
  const forms = file.entries.flatMap(({ texts }) =>
    texts.filter(({ plural, isDefault }) => plural !== undefined && isDefault !== true),
  );
  const others = forms.flatMap(({ id }) => (wanted.has(id) ? [] : [id]));
  return others.length === 0 ? text : splice(text, removalEdits(text, file, new Set(others)));
}

const NOWHERE: Span = { start: 0, end: 0 };

function entryEdit(
  text: string,
  file: FluentFile,
  { after, added }: { readonly after: FluentEntry | undefined; readonly added: string },
): Edit {
  const lineEnd = fluentLineEnd(text);
  const own = added.replace(/\r?\n/g, lineEnd);
  if (after === undefined) {
    const first = file.entries.find(({ key }) => key !== undefined);
    const at = first?.start ?? text.length;
    return insertion(at, own + (first === undefined ? lineEnd : gapAfter(text, file, first)));
  }
  return insertion(after.end, gapAfter(text, file, after) + own);
}

// The blank lines that the file has between entries here.
function gapAfter(text: string, file: FluentFile, entry: FluentEntry): string {
  const { index } = entry;
  const [left, right] =
    file.entries[index + 1] === undefined ? [index - 1, index] : [index, index + 1];
  const gap = text.slice(file.entries[left]?.end, file.entries[right]?.start);
  const lineEnd = fluentLineEnd(text);
  return left >= 0 && /^\s+$/.test(gap) && gap.includes('\n') ? gap : lineEnd;
}

/**
 * Inserts values, attributes and variants into an existing message: variants behind their siblings, with their indentation. A value or
 * attribute that is not there comes from the source as a whole.
 */
function partEdits(
  text: string,
  entry: FluentEntry,
  { insertions, sources }: { insertions: readonly Insertion[]; sources: SourceMessages },
): Edit[] {
  const present = new Set(entry.texts.map(({ id }) => patternOf(id)));
  const byPattern = Map.groupBy(insertions, ({ segment }) => patternOf(segment.id));
  return [...byPattern].flatMap(([pattern, group]) => {
    const [first] = group;
    if (first === undefined || present.has(pattern) || first.segment.id === pattern) {
      return group.map((added) => partEdit(text, entry, added));
    }
    const block = sources.block(pattern, group).replace(/\r?\n/g, fluentLineEnd(text));
    return pattern === entry.key
      ? [valueEdit(text, entry, block)]
      : [attributeEdit(text, entry, { added: first, parent: entryKey(pattern), block })];
  });
}

function partEdit(text: string, entry: FluentEntry, added: Insertion): Edit {
  const [, parent = '', attribute, variant] = PART.exec(added.segment.id) ?? [];
  const [model] = entry.texts;
  const value = model?.encode(added.parts) ?? '';
  if (added.segment.id === entry.key) return valueEdit(text, entry, value);
  if (variant !== undefined) {
    const edit = variantEdit(text, entry, { added, parent, name: variant });
    if (edit !== undefined) return edit;
  }
  if (attribute !== undefined && model !== undefined && parent === entry.key) {
    return attributeEdit(text, entry, { added, parent, block: `.${attribute} = ${value}` });
  }
  throw new JobFailure({
    kind: 'unsupported',
    what: `"${added.segment.id}" has no place in the message as the target has it`,
    advice: 'Remove the message from the target; then it is written again.',
  });
}

const PART = /^(.*?)(?:\.([\w-]+)|\[([^\]]+)\])$/s;

/** The value or attribute that a text belongs to: `key.title[one]~1` belongs to `key.title`. */
export function patternOf(id: string): string {
  return /^-?[A-Za-z][\w-]*(?:\.[A-Za-z][\w-]*)?/.exec(id)?.[0] ?? id;
}

/** Inserts the value of a message that has only attributes. */
function valueEdit(text: string, { keyStart }: FluentEntry, value: string): Edit {
  return insertion(text.indexOf('=', keyStart) + 1, ` ${value}`);
}

interface NewVariant {
  readonly added: Insertion;
  readonly parent: string;
  readonly name: string;
}

function variantEdit(
  text: string,
  entry: FluentEntry,
  { added, parent, name }: NewVariant,
): Edit | undefined {
  const sibling = siblingVariant(entry, parent);
  if (sibling?.owner === undefined) return undefined;
  const { start } = sibling.owner;
  const indent = columnOf(text, text.charAt(start) === '*' ? start + 1 : start);
  const line = `${indent}[${name}] ${sibling.encode(added.parts)}${fluentLineEnd(text)}`;
  return insertion(lineStart(text, start), line);
}

interface NewAttribute {
  readonly added: Insertion;
  readonly parent: string;
  /** From the dot to the end of its text. */
  readonly block: string;
}

function attributeEdit(
  text: string,
  entry: FluentEntry,
  { added, parent, block }: NewAttribute,
): Edit {
  const { texts } = entry;
  const before = texts.find(({ id }) => id === added.after);
  const attribute = texts.find(({ id }) => id.startsWith(`${parent}.`));
  const value = texts.findLast(({ id }) => patternOf(id) === parent);
  const indent = attribute === undefined ? '    ' : columnOf(text, attribute.block.start);
  const first = attribute === undefined ? entry.end : blankStart(text, attribute.block.start);
  const at = (before ?? value)?.block.end ?? first;
  return insertion(at, `${fluentLineEnd(text)}${indent}${block}`);
}

// New variants go before the default variant, which is last by convention.
function siblingVariant(entry: FluentEntry, parent: string): FluentLeaf | undefined {
  const variants = entry.texts.filter(({ id }) => id.startsWith(`${parent}[`));
  return variants.find(({ id }) => id === `${parent}[other]`) ?? variants.at(-1);
}

function columnOf(text: string, offset: number): string {
  return ' '.repeat(offset - lineStart(text, offset));
}

/** Removes a message when all its texts are removed; else single attributes and variants. */
export function removalEdits(text: string, file: FluentFile, ids: ReadonlySet<string>): Edit[] {
  const keys = file.entries.flatMap(({ key, texts, isShadowed }) =>
    !isShadowed && texts.length > 0 && texts.every(({ id }) => ids.has(id)) ? [key] : [],
  );
  // A shadowed message is removed, too: programs would read it when the message before it is gone.
  const isLeaving = ({ key }: FluentEntry) => keys.includes(key);
  const stays = file.entries.findIndex((entry) => !isLeaving(entry));
  const firstToStay = stays < 0 ? file.entries.length : stays;
  return file.entries.flatMap((entry, index) => {
    if (isLeaving(entry)) return [deletion(entrySpan(file, { index, firstToStay }))];
    return entry.isShadowed ? [] : partRemovals(text, entry, ids);
  });
}

/** A value or attribute whose texts are all removed goes as a whole; a term stays with its value. */
function partRemovals(text: string, entry: FluentEntry, ids: ReadonlySet<string>): Edit[] {
  const byPattern = Map.groupBy(entry.texts, ({ id }) => patternOf(id));
  return [...byPattern].flatMap(([pattern, texts]) => {
    const gone = texts.filter(({ id }) => ids.has(id));
    const block = gone.length < texts.length ? undefined : gone[0]?.block;
    if (block === undefined || pattern.startsWith('-')) {
      return gone.flatMap(({ owner }) =>
        owner === undefined ? [] : [deletion(lineSpan(text, owner))],
      );
    }
    if (pattern !== entry.key) return [deletion(lineSpan(text, block))];
    return [deletion({ start: text.indexOf('=', entry.keyStart) + 1, end: block.end })];
  });
}

/** Renames a message when all its texts are renamed. */
export function renameEdits({ entries }: FluentFile, renames: ReadonlyMap<string, string>): Edit[] {
  const repeated = new Set(entries.flatMap(({ key, isShadowed }) => (isShadowed ? [key] : [])));
  return entries.flatMap(({ key = '', keyStart: start, texts }) => {
    if (repeated.has(key)) return [];
    const to = renamedBaseline(
      key,
      texts.map(({ id }) => id),
      renames,
    );
    const isName = to !== undefined && /^-?[A-Za-z][\w-]*$/.test(to);
    return isName ? [{ start, end: start + key.length, text: to }] : [];
  });
}

interface LeavingEntry {
  readonly index: number;
  /** Index of the first entry that is not removed: entries before it are removed with the blank lines behind them. */
  readonly firstToStay: number;
}

function entrySpan({ entries }: FluentFile, { index, firstToStay }: LeavingEntry): Span {
  const { start, end } = entries[index] ?? { start: 0, end: 0 };
  return index < firstToStay
    ? { start, end: entries[index + 1]?.start ?? end }
    : { start: entries[index - 1]?.end ?? start, end };
}

function lineSpan(text: string, { start, end }: Span): Span {
  const trimmed = start + text.slice(start, end).trimEnd().length;
  return { start: blankStart(text, start), end: trimmed };
}

function deletion({ start, end }: Span): Edit {
  return { start, end, text: '' };
}
