/** The target of an answered draft: which texts are written, stay or leave it, by their records. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import type { Part, Segment } from '../format.ts';
import { compose } from '../formats/text/compose.ts';
import type { ComposedFrame, Composition, SegmentPlacement } from '../formats/text/composition.ts';
import type { OpenFile } from '../formats/text/open.ts';
import type { ReadOtherwise } from '../formats/text/verify.ts';
import type { ListOrder } from '../segments/lists.ts';
import { sameText } from '../segments/record.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import { type WantsReview, wantsReview } from '../segments/review.ts';
import type { TextFindings, TextInspection } from './inspection.ts';
import type { TextCase } from './text-case.ts';

export interface AnsweredDraft {
  readonly text: TextCase;
  readonly seen: InspectedDraft;
  /** The answer for each bought segment, by id. */
  readonly bought: ReadonlyMap<string, TextAnswer>;
  /** ISO 8601. */
  readonly at: string;
}

export type InspectedDraft = TextInspection & Pick<TextFindings, 'found' | 'base'>;

export interface ComposedTarget {
  readonly bytes: Uint8Array | undefined;
  readonly frame?: ComposedFrame;
  readonly file?: OpenFile;
  readonly otherwise?: ReadOtherwise;
}

export function composed(
  draft: AnsweredDraft,
  records: readonly SegmentRecord[],
  left: ReadonlySet<string>,
): ComposedTarget {
  const { seen, at } = draft;
  const { target, source, reader, frame } = seen;
  const { merge, orders } = changesWithout(seen, left);
  const placements = placementsFor(draft, records, left);
  if (target === undefined && !isWorthAFile(seen, placements)) return { bytes: undefined };
  const removed = new Set(merge.removed.map(({ id }) => id));
  const getsNothing = staysAsItIs(seen, { placements, removed });
  if (target !== undefined && getsNothing && reader.format.shape === 'keyed') {
    return { bytes: target.encode(target.text) };
  }
  const {
    bytes,
    frame: written,
    file,
    otherwise,
  } = compose({
    ...reader,
    source,
    ...(target === undefined ? {} : { target }),
    ...(frame === undefined ? {} : { frame }),
    expected: seen.segments,
    placements,
    removed,
    removedHuman: humanIn(merge),
    renamed: renamesIn(merge),
    ...(orders === undefined ? {} : { orders, texts: targetsById(records) }),
    at,
  });
  const framed = written && { frame: written };
  if (target !== undefined && getsNothing && isSourceUnchanged(draft)) {
    return { bytes: target.encode(target.text), ...framed, file: target };
  }
  return { bytes, ...framed, ...(file && { file }), ...(otherwise && { otherwise }) };
}

/** In a keyed file, also without the removals and the list orders of texts that are left out. */
function changesWithout(
  { reader, merge, orders }: InspectedDraft,
  left: ReadonlySet<string>,
): Pick<InspectedDraft, 'merge' | 'orders'> {
  if (left.size === 0 || reader.format.shape !== 'keyed') {
    return { merge, ...(orders && { orders }) };
  }
  const removed = merge.removed.filter(({ id }) => !left.has(id));
  const isLeft = ({ open }: ListOrder) => [...left].some((id) => id.startsWith(open));
  return {
    merge: { ...merge, removed },
    ...(orders && { orders: orders.filter((order) => !isLeft(order)) }),
  };
}

/**
 * A page without a text, with only images or code, is written as a copy: otherwise readers of that language would not find the page.
 */
function isWorthAFile(
  { reader, segments }: InspectedDraft,
  placements: Composition['placements'],
): boolean {
  if (segments.length === 0) return reader.format.shape === 'sequence';
  return [...placements.values()].some(({ kind }) => kind === 'write');
}

function targetsById(records: readonly SegmentRecord[]): Map<string, readonly Part[]> {
  return new Map(records.flatMap(({ id, target }) => (target === null ? [] : [[id, target]])));
}

/** Ids of removed texts that a person wrote or that were there at first contact. Texts that move to another key are left out. */
function humanIn({ removed }: TextInspection['merge']): Set<string> {
  return new Set(
    removed.flatMap(({ id, origin, movedTo }) =>
      movedTo === undefined && (origin === 'human' || origin === 'adopted') ? [id] : [],
    ),
  );
}

function renamesIn({ removed }: TextInspection['merge']): Map<string, string> {
  return new Map(
    removed.flatMap(({ id, movedTo }) => (movedTo === undefined ? [] : [[id, movedTo] as const])),
  );
}

/**
 * Whether a sequence that needs no text stays as it is, to the byte. It also takes frame changes from its source. So the target stays
 * only if it was last made from the present source, and no person made a choice.
 */
function isSourceUnchanged({ seen, text }: AnsweredDraft): boolean {
  const { deliveredSource, instructions: word } = text;
  const isFirstContact = deliveredSource === undefined && seen.frame?.before === undefined;
  const isSame = isFirstContact || seen.source.hash === deliveredSource;
  return isSame && (word.choices?.size ?? 0) === 0;
}

/** Whether nothing is written and nothing removed. In a page, a paragraph without a place is not missing. */
function staysAsItIs(
  { reader, found }: InspectedDraft,
  { placements, removed }: Pick<Composition, 'placements'> & { removed: ReadonlySet<string> },
): boolean {
  const isPage = reader.format.shape === 'sequence';
  return (
    [...placements.values()].every(({ kind }) => kind === 'keep' || (isPage && kind === 'omit')) &&
    ![...removed].some((id) => found.has(id))
  );
}

function placementsFor(
  { text, seen }: AnsweredDraft,
  records: readonly SegmentRecord[],
  left: ReadonlySet<string>,
) {
  const { merge, inPlace, found, target, reader, segments } = seen;
  const wants = wantsReview(text.route.policies, text.job.language);
  const byId = new Map(records.map((record) => [record.id, record]));
  const ignored: SegmentPlacement = { kind: target === undefined ? 'omit' : 'keep' };
  // A list element that is left out of a keyed file would get the text of its source.
  const isKeyed = reader.format.shape === 'keyed';
  const placements = new Map(
    merge.decisions.map(({ id, kind }): [string, SegmentPlacement] => {
      if (kind === 'omit' || (isKeyed && left.has(id))) return [id, ignored];
      const record = byId.get(id);
      const placement = placementFor(record, inPlace.get(id), found.get(id));
      const isWanted = placement.kind === 'write' && record && isUnreviewed(record, wants);
      return [id, isWanted ? { ...placement, state: 'review-wanted' } : placement];
    }),
  );
  if (target === undefined || !isKeyed) return placements;
  for (const id of absentLists(segments, byId, left)) placements.set(id, ignored);
  return placements;
}

function isUnreviewed({ origin, review }: SegmentRecord, wants: WantsReview): boolean {
  return origin !== 'copied' && (review === 'wanted' || wants(origin));
}

/**
 * List elements without words, of lists that the target lacks as a whole or cannot take: they stay out together. So do the
 * value and the pieces of a Fluent message with its other texts.
 */
function absentLists(
  segments: readonly Segment[],
  records: ReadonlyMap<string, SegmentRecord>,
  left: ReadonlySet<string>,
): string[] {
  const elements = segments.flatMap(({ id, positional }) => (positional ? [id] : []));
  const listOf = (id: string) => id.replace(/(?:\[[^[\]]*\]|\.[^.[\]]*|~\d+)$/, '');
  const names = new Set(elements.map(listOf));
  const parts = segments.flatMap(({ id, positional }) =>
    !positional && names.has(listOf(id)) ? [id] : [],
  );
  const lists = Map.groupBy([...elements, ...parts], listOf);
  const staysOut = (id: string) => {
    const record = records.get(id);
    return left.has(id) || (record?.origin === 'copied' && record.target === null);
  };
  return [...lists.values()].flatMap((ids) => (ids.every(staysOut) ? ids : []));
}

// A text that is already there keeps its own bytes, however it is spelled; only other texts are written.
function placementFor(
  record: SegmentRecord | undefined,
  current: readonly Part[] | undefined,
  own: readonly Part[] | undefined,
): SegmentPlacement {
  const parts = record?.target ?? null;
  if (parts === null) {
    // A key without a text stays so until there is a text.
    if (current === own) return { kind: current === undefined ? 'omit' : 'keep' };
    // In a list, the text at this index belongs to an element that moved.
    return { kind: 'source' };
  }
  return sameText(current, parts) ? { kind: 'keep' } : { kind: 'write', parts };
}
