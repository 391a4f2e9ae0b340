/** Fluent: one text per value, attribute and variant; placeables are moved, plural variants follow the target language. */

import {
  type Doc,
  type ExpectedTarget,
  type Format,
  type FormatOptions,
  type Part,
  partsText,
  type Segment,
} from '../format.ts';
import type { LanguageTag } from '../language.ts';
import { isPluralCategory, isReachable } from '../segments/inline/plurals.ts';
import { insertionEdits, patternOf, removalEdits, renameEdits } from './grammar/fluent-edits.ts';
import { type FluentEntry, type FluentLeaf, openFluent } from './grammar/fluent-tree.ts';
import { COUNTING, withoutShadowed } from './text/duplicates.ts';
import { acrossShapes } from './text/existing-shapes.ts';
import { shortestId } from './text/key-path.ts';
import { expandKeyPlurals } from './text/key-plurals.ts';
import { normalizeParts } from './text/parts.ts';
import { withForms } from './text/plural-form.ts';
import { positionsOf } from './text/position.ts';
import { makeSegment, uniqueIds } from './text/segment.ts';

export const ftl: Format = {
  name: 'ftl',
  shape: 'keyed',
  messageOf: (id, isId) => shortestId(id.replace(/[[~].*$/s, ''), isId),
  parse,
  expect: ({ segments }, target) =>
    withForms(fluentForms(segments, target), segments, target.language),
  expectsByMaker: 'variants',
};

function parse(text: string, options: FormatOptions): Doc {
  const file = openFluent(text);
  const ids = uniqueIds();
  const positionAt = positionsOf(text);
  const counting = file.entries.filter(({ isShadowed }) => !isShadowed);
  const segments = counting.flatMap((entry) =>
    entry.texts.map((leaf) =>
      makeSegment(text, {
        ...fluentSegment(entry, leaf),
        id: ids(leaf.id),
        line: positionAt(leaf.start).line,
      }),
    ),
  );
  const keys = uniqueIds();
  const entries = file.entries.flatMap(({ key, keyStart }) =>
    key === undefined ? [] : [{ id: keys(key), line: positionAt(keyStart).line }],
  );
  const doc: Doc = {
    segments,
    warnings: file.warnings,
    insert: (insertions) => insertionEdits(text, file, insertions),
    remove: (removed) => removalEdits(text, file, removed),
    rename: (renames) => renameEdits(file, renames),
  };
  return withoutShadowed(doc, { counting: COUNTING.ftl, file: options.file, entries });
}

function fluentSegment(entry: FluentEntry, leaf: FluentLeaf): Omit<Segment, 'id' | 'line'> {
  const { comment } = entry;
  const { start, end, parts, encode, plural } = leaf;
  return {
    start,
    end,
    parts,
    encode,
    syntax: 'markup',
    ...(comment === undefined ? {} : { context: comment }),
    ...(plural === undefined ? {} : { plural }),
    ...(isBound(entry, leaf) ? { positional: true } : {}),
    ...(isPrivate(entry, leaf) ? { state: 'do-not-translate' } : {}),
  };
}

// A message value and the text around a choice (`id~1`) cannot be removed while the rest of the message stays.
function isBound({ texts }: FluentEntry, { id, isDefault, owner }: FluentLeaf): boolean {
  return isDefault === true || /~\d+$/.test(id) || (owner === undefined && texts.length > 1);
}

/** Attributes of terms are for selectors and never shown (Project Fluent, "Terms"). */
function isPrivate({ key }: FluentEntry, { id }: FluentLeaf): boolean {
  return key?.startsWith('-') === true && id.startsWith(`${key}.`);
}

/**
 * The texts that a Fluent target needs: variants by the categories of its language, but none where a person's message has another shape.
 */
function fluentForms(segments: readonly Segment[], target: ExpectedTarget): readonly Segment[] {
  const { language, ours = new Set() } = target;
  const expanded = withoutUnreachable(expandKeyPlurals(segments, language), language);
  if (target.segments === undefined) return expanded;
  const current = Map.groupBy(target.segments, ({ id }) => patternOf(id));
  const own = new Set(segments.map(({ id }) => id));
  const sources = Map.groupBy(segments, ({ id }) => patternOf(id));
  return [...Map.groupBy(expanded, ({ id }) => patternOf(id))].flatMap(([base, wanted]) => {
    const texts = current.get(base);
    if (texts === undefined) return wanted;
    const found = texts.map(({ id }) => id);
    const ids = wanted.map(({ id }) => id);
    if (isOneText(base, ids) !== isOneText(base, found)) {
      const isInPieces = [...ids, ...found].some((id) => id.includes('~'));
      if (!isInPieces) return acrossShapes(wanted, texts, target);
      const whole = found.length === 1 ? wholeSentence(base, sources.get(base) ?? []) : wanted;
      const shaped = acrossShapes(whole, texts, target);
      if (shaped === whole) return wanted;
      return whole === wanted ? [] : shaped;
    }
    // A default variant is used for every missing variant: a new variant beside a person's default would hide it.
    const isOurs = found.every((id) => ours.has(id));
    const isNew = ({ id }: Segment) => isOurs && own.has(id);
    return wanted.filter((each) => found.includes(each.id) || ours.has(each.id) || isNew(each));
  });
}

/**
 * A sentence around a choice as one text, with the default variant: a translation in one piece belongs to it. The pieces of a person's
 * sentence belong to no source.
 */
function wholeSentence(base: string, own: readonly Segment[]): readonly Segment[] {
  const [first] = own;
  if (first === undefined) return [];
  const pieces = own.filter(({ id, positional }) => positional === true && !id.includes(']['));
  const parts = pieces.flatMap(({ parts: piece }, index): Part[] => {
    const isApart = index > 0 && !/^[.,:;!?)]/.test(partsText(piece));
    return isApart ? [' ', ...piece] : [...piece];
  });
  const { plural: _, positional: __, ...text } = first;
  return [{ ...text, id: base, parts: normalizeParts(parts) }];
}

/** `[one]` is never reached beside `[1]` when the language uses `one` only for 1. */
function withoutUnreachable(segments: readonly Segment[], language: LanguageTag): Segment[] {
  const exact = new Map<string, Set<number>>();
  for (const { id } of segments) {
    const { group, number } = /^(?<group>.*\[)(?<number>\d+)\]$/s.exec(id)?.groups ?? {};
    if (group === undefined) continue;
    exact.set(group, (exact.get(group) ?? new Set()).add(Number(number)));
  }
  return segments.filter(({ plural }) => {
    const taken = exact.get(plural?.group ?? '');
    if (plural === undefined || taken === undefined || !isPluralCategory(plural.category)) {
      return true;
    }
    const { category } = plural;
    return category === 'other' || isReachable(category, { language, type: 'cardinal', taken });
  });
}

function isOneText(base: string, ids: readonly string[]): boolean {
  return ids.length === 1 && ids[0] === base;
}
