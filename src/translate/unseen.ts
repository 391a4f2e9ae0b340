/**
 * Texts that an earlier version or earlier settings did not take for texts. In a target of ours they wait until a person approves their
 * price. Pure.
 */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText, type Segment } from '../format.ts';
import { titlesIn } from '../formats/grammar/markdown-titles.ts';
import type { SequenceAlignment } from '../segments/align-sequence.ts';
import type { WantedSegment } from '../segments/decision.ts';
import { apostrophesAtTags } from '../segments/icu-quotes.ts';
import { sameText } from '../segments/record.ts';

const WAITS = {
  state: 'held',
  awaits: 'approval',
  problem: 'an earlier version or earlier settings left it alone',
} as const;

/**
 * The same for keyed files. It finds keys without a record in a target of ours, if this version has not read texts of their kind in it
 * before. It also finds ICU messages in which earlier versions found no texts, because they read an apostrophe before `<` or `>` as a
 * quotation.
 */
export function withUnseenKeys(
  base: ReadonlyMap<string, SegmentRecord>,
  texts: UnseenKeys,
): ReadonlyMap<string, SegmentRecord> {
  if (base.size === 0) return base;
  const unseen = [...unseenTags(base, texts), ...unseenMessages(base, texts)];
  if (unseen.length === 0) return base;
  return new Map([...base, ...unseen.map((record) => [record.id, record] as const)]);
}

function unseenTags(
  base: ReadonlyMap<string, SegmentRecord>,
  { segments, wanted, found }: UnseenKeys,
): SegmentRecord[] {
  const ids = new Set(segments.flatMap(({ id, unseenBefore }) => (unseenBefore ? [id] : [])));
  if (ids.size === 0 || base.keys().some((id) => ids.has(id))) return [];
  return wanted
    .filter(({ id, treatment }) => ids.has(id) && treatment === 'translate')
    .flatMap(({ id, source }) => copiedUnseen({ id, source, target: found.get(id) }));
}

function unseenMessages(
  base: ReadonlyMap<string, SegmentRecord>,
  { wanted, found }: UnseenKeys,
): SegmentRecord[] {
  return wanted.flatMap(({ id, source, treatment }) => {
    const record = base.get(id);
    const isCopy = record?.origin === 'copied' && record.state === 'ok';
    if (!isCopy || treatment !== 'translate' || record.source !== partsText(source)) return [];
    if (apostrophesAtTags(record.source).length === 0) return [];
    return copiedUnseen({ id, source, target: found.get(id) });
  });
}

interface UnseenKeys {
  readonly segments: readonly Segment[];
  readonly wanted: readonly WantedSegment[];
  readonly found: ReadonlyMap<string, readonly Part[]>;
}

/** @returns the base, with records for those texts that the target has in the source's language */
export function withUnseen(
  { base, found }: SequenceAlignment,
  wanted: readonly WantedSegment[],
): ReadonlyMap<string, SegmentRecord> {
  const unseen = wanted.flatMap(({ id, source, treatment }): SegmentRecord[] => {
    const target = found.get(id);
    if (target === undefined || treatment !== 'translate') return [];
    const record = base.get(id);
    if (record !== undefined) return withUnseenTitles(record, source, target);
    return copiedUnseen({ id, source, target });
  });
  return new Map([...base, ...unseen.map((record) => [record.id, record] as const)]);
}

interface UnseenText {
  readonly id: string;
  readonly source: readonly Part[];
  readonly target: readonly Part[] | undefined;
}

function copiedUnseen({ id, source, target }: UnseenText): SegmentRecord[] {
  const text = partsText(source);
  if (target === undefined || partsText(target) !== text) return [];
  return [{ id, source: text, target, origin: 'copied', ...WAITS }];
}

/** A sentence of ours whose links still have the titles of the source. */
function withUnseenTitles(
  record: SegmentRecord,
  source: readonly Part[],
  target: readonly Part[],
): SegmentRecord[] {
  const titles = titlesIn(source);
  const isOurs = record.origin === 'machine' && record.state === 'ok';
  const isCurrent = record.source === partsText(source) && sameText(target, record.target);
  if (titles.length === 0 || !isOurs || !isCurrent) return [];
  const current = titlesIn(target);
  const isLeft = current.length === titles.length && titles.every((each, i) => each === current[i]);
  return isLeft ? [{ ...record, ...WAITS, unseen: titles }] : [];
}
