/**
 * Earlier versions read a list, a table or code directly below the title of a box as one text. Its records are read as today: each item
 * and each cell has one. They read the lines of blocks (`/// tip | Title`) and includes as words, too. Pure.
 */
import type { BaselineRecord, SegmentRecord } from '../baseline.ts';
import { partsText, type Segment } from '../format.ts';
import { hasCommandsAlone } from '../formats/grammar/markdown-code.ts';
import { textsOfContainers } from '../formats/grammar/markdown-containers.ts';
import { joinedRecord } from '../segments/joined.ts';
import { alikeness } from '../segments/similarity.ts';
import { type ReadRecord, withReadRecords } from './container-records.ts';
import { type JointTexts, jointTexts } from './read-before.ts';

interface PageNow {
  readonly text: string;
  readonly segments: readonly Segment[];
}

/** Both pages as they are read now. */
export interface ContentPages {
  readonly source: PageNow;
  readonly target: PageNow | undefined;
  /** The lines of both frames. */
  lines(): readonly string[];
}

export function withContentRead(known: BaselineRecord, pages: ContentPages): BaselineRecord {
  const source = contentsIn(pages.source.segments);
  const target = contentsIn(pages.target?.segments ?? []);
  const [ours, theirs] = [pages.source.segments, pages.target?.segments ?? []].map(
    (segments) => new Set(segments.map(({ parts }) => partsText(parts))),
  );
  const read = (record: SegmentRecord): ReadRecord | undefined => {
    const text = record.target && partsText(record.target);
    if (isLineNow(record.source) && ours?.has(record.source) === false) {
      // Words of ours leave with the record, and the line comes in their place.
      return theirs?.has(text ?? '') ? undefined : { records: [], around: [record.source] };
    }
    const own = likeText(source, record.source);
    const records = own && recordsOfItems(record, own, target);
    return records && own && { records, around: around(pages.source.text, own) };
  };
  return withReadRecords(known, read, pages.lines);
}

/** A block without a title, or an include: now a line of the frame. */
function isLineNow(text: string): boolean {
  const texts = textsOfContainers(text, { start: 0, end: text.length });
  return texts?.length === 0 || hasCommandsAlone(text);
}

function contentsIn(segments: readonly Segment[]): JointTexts[] {
  return jointTexts(segments).filter(({ as, members }) => as === 'content' && members.length > 0);
}

/** From this share of common letter pairs on, two texts count as one that changed. */
const ALIKE = 0.5;

function likeText(all: readonly JointTexts[], text: string): JointTexts | undefined {
  const same = all.find((each) => each.text === text);
  if (same !== undefined) return same;
  const scored = all.map((each) => ({ each, score: alikeness(each.text, text) }));
  const best = scored.toSorted((a, b) => b.score - a.score)[0];
  return best !== undefined && best.score >= ALIKE ? best.each : undefined;
}

function recordsOfItems(
  record: SegmentRecord,
  { members }: JointTexts,
  target: readonly JointTexts[],
): SegmentRecord[] | undefined {
  const sources = sourcesIn(record.source, members);
  const each = sources.map((source, nth) => ({ ...record, id: `${record.id}.${nth}`, source }));
  if (record.target === null) return each;
  const text = partsText(record.target);
  const there = likeText(target, text);
  if (there?.members.length === members.length) {
    // A person who changed one of the texts since is the author of all.
    const changed = there.text === text ? {} : ({ origin: 'human' } as const);
    return each.map((one, nth) => ({
      ...one,
      ...changed,
      target: there.members[nth]?.parts ?? null,
    }));
  }
  // A line of ours with the marks of a list inside leaves, and its texts are bought.
  if (record.origin === 'machine') return undefined;
  const whole = record.target;
  return each.map((one, nth) =>
    nth === 0 ? { ...one, origin: 'human' } : joinedRecord(one, whole),
  );
}

/** A text that the source has no more. */
const NO_LONGER_THERE = '';

/** What the record says of each text: that it is as today, or that it was another one. */
function sourcesIn(text: string, members: readonly Segment[]): string[] {
  let from = 0;
  return members.map(({ parts }) => {
    const own = partsText(parts);
    const at = text.indexOf(own, from);
    if (at < 0) return NO_LONGER_THERE;
    from = at + own.length;
    return own;
  });
}

function around(text: string, { start, end, members }: JointTexts): string[] {
  const edges = [start, ...members.map((each) => each.end)];
  return edges.map((edge, nth) => text.slice(edge, members[nth]?.start ?? end));
}
