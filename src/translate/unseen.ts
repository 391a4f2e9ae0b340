/**
 * Texts that an earlier version or earlier settings did not take for texts. In a target of ours they wait until a person approves their
 * price. Pure.
 */
import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { type Part, partsText, type Segment } from '../format.ts';
import { titlesIn } from '../formats/grammar/markdown-titles.ts';
import type { SequenceAlignment } from '../segments/align-sequence.ts';
import type { WantedSegment } from '../segments/decision.ts';
import { lineKey, packedLines } from '../segments/frame/frame.ts';
import { apostrophesAtTags } from '../segments/inline/icu-quotes.ts';
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

/**
 * The base, with records for texts that the target has in the source's language. Texts of people whose source changed since have records,
 * too.
 */
export function withUnseen(
  { base, found }: SequenceAlignment,
  wanted: readonly WantedSegment[],
  page: EarlierReading,
): ReadonlyMap<string, SegmentRecord> {
  const isNew = newTextsIn(page);
  const unseen = wanted.flatMap(({ id, source, treatment }): SegmentRecord[] => {
    const target = found.get(id);
    if (target === undefined || treatment !== 'translate') return [];
    const record = base.get(id);
    if (record !== undefined) return withUnseenTitles(record, source, target);
    const copied = copiedUnseen({ id, source, target });
    if (copied.length > 0 || !isNew(id)) return copied;
    return [{ id, source: UNKNOWN_SOURCE, target, origin: 'adopted', state: 'ok' }];
  });
  return new Map([...base, ...unseen.map((record) => [record.id, record] as const)]);
}

/** A text that no source has. */
const UNKNOWN_SOURCE = '';

/** A source page now, and what an earlier reading of it left. */
export interface EarlierReading {
  readonly text: string;
  readonly segments: readonly Segment[];
  readonly known: BaselineRecord | undefined;
}

/**
 * Whether a text came into the source after the earlier reading: then the frame of that reading has no such line. Only a text alone on its
 * lines shows that.
 */
function newTextsIn({ text, segments, known }: EarlierReading): (id: string) => boolean {
  if (known?.frame === undefined) return () => false;
  const lines = packedLines(known.frame.lines);
  const places = new Map(segments.map((segment, at) => [segment.id, at]));
  return (id) => {
    const at = places.get(id) ?? -1;
    const segment = segments[at];
    if (segment === undefined) return false;
    let { start } = segment;
    while (start > 0 && !/[\r\n]/.test(text.charAt(start - 1))) start -= 1;
    REST_OF_LINE.lastIndex = segment.end;
    const end = segment.end + (REST_OF_LINE.exec(text)?.[0].length ?? 0);
    const isAlone =
      (segments[at - 1]?.end ?? 0) <= start && (segments[at + 1]?.start ?? end) >= end;
    const words = partsText(segment.parts);
    const wasInText = known.segments.some(({ source }) => source.includes(words));
    if (!isAlone || wasInText) return false;
    const all = text.slice(start, end).match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
    return !all.every((line) => lines.has(lineKey(line)));
  };
}

const REST_OF_LINE = /[^\r\n]*(?:\r\n|\n|\r|$)/y;

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
