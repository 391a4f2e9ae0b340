/** Joined paragraphs: a person put the translation of one paragraph into the paragraph of another. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { Choice } from './record.ts';
import { alikeness, containment } from './similarity.ts';

export interface CurrentPage {
  /** By id: the position of its segment in the target. */
  readonly placed: ReadonlyMap<string, number>;
  readonly found: readonly (readonly Part[])[];
}

/** From this share of common three-letter runs on, a text counts as contained in another. */
export const CONTAINED = 0.6;
/** From this share of common letter pairs on, two texts count as one, edited. */
const ALIKE = 0.5;
/** The most paragraphs that are searched, from the neighbour before to the neighbour behind: a person joins neighbours. */
const REACH = 20;

/**
 * Explains records without a paragraph of their own: the text is in another paragraph, or a person removed it.
 * @param records in the order of the source
 * @returns the records that changed, by id; undefined: the machine rewrote the paragraph that held the text, so the text is missing
 */
export function joinedRecords(
  records: readonly SegmentRecord[],
  current: CurrentPage,
): Map<string, SegmentRecord | undefined> {
  const changed = new Map<string, SegmentRecord | undefined>();
  const before = new Map(records.map((record) => [current.placed.get(record.id), record]));
  for (const [index, record] of records.entries()) {
    if (current.placed.has(record.id)) continue;
    if (record.joined !== undefined) {
      changed.set(record.id, updatedJoined(record, record.joined, { before, ...current }));
    } else if (record.target !== null && record.state !== 'held') {
      const text = partsText(record.target);
      const whole = neighbours(records, index, current).find((at) =>
        containsNow(current.found[at] ?? [], before.get(at), text),
      );
      if (whole !== undefined) {
        changed.set(record.id, joinedRecord(record, current.found[whole] ?? []));
      }
    }
  }
  return changed;
}

interface Aligned extends CurrentPage {
  readonly base: ReadonlyMap<string, SegmentRecord>;
}

/**
 * A person chose an own text for a part of a joined paragraph. Then the paragraph belongs to that part, and its former holder becomes a
 * part of it.
 */
export function withChosenParts(
  { base, placed, found }: Aligned,
  choices: ReadonlyMap<string, Choice>,
): Pick<Aligned, 'base' | 'placed'> {
  const [records, places] = [new Map(base), new Map(placed)];
  for (const [id, choice] of choices) {
    const record = records.get(id);
    if (typeof choice !== 'object' || record?.joined === undefined) continue;
    const text = partsText(record.joined);
    const at = found.findIndex((parts) => partsText(parts) === text);
    const holder = places.entries().find(([, place]) => place === at)?.[0];
    const whole = records.get(holder ?? '');
    if (holder === undefined || whole === undefined) continue;
    const { joined, ...own } = record;
    records.set(id, { ...own, target: joined });
    places.set(id, at);
    records.set(holder, joinedRecord(whole, choice.parts));
    places.delete(holder);
  }
  return { base: records, placed: places };
}

/**
 * The holder of a joined paragraph left the source. Then the paragraph belongs to the other text in it, and its source is both texts.
 * @param wanted ids that the source has
 */
export function withoutGoneHolders(
  { base, placed, found }: Aligned,
  wanted: ReadonlySet<string>,
): Aligned {
  const [records, places] = [new Map(base), new Map(placed)];
  for (const [holder, at] of placed) {
    const whole = base.get(holder);
    if (wanted.has(holder) || whole === undefined) continue;
    const text = partsText(found[at] ?? []);
    const isPart = ({ id, joined }: SegmentRecord) =>
      joined !== undefined && wanted.has(id) && !places.has(id) && partsText(joined) === text;
    const heir = base.values().find(isPart);
    if (heir === undefined) continue;
    const { joined: target = null, ...own } = heir;
    const source = `${whole.source}\n${heir.source}`;
    records.set(heir.id, { ...own, source, target, origin: whole.origin });
    places.set(heir.id, at);
    records.delete(holder);
    places.delete(holder);
  }
  return { base: records, placed: places, found };
}

export function joinedRecord(
  { id, source }: SegmentRecord,
  joined: readonly Part[],
): SegmentRecord {
  return { id, source, target: null, origin: 'human', state: 'ok', joined };
}

/** The positions between the nearest paragraph before it and the nearest paragraph behind it. */
function neighbours(
  records: readonly SegmentRecord[],
  index: number,
  { placed, found }: CurrentPage,
): number[] {
  const targetIndexOf = ({ id }: SegmentRecord) => placed.get(id);
  const previous = records.slice(0, index).findLast((each) => placed.has(each.id));
  const next = records.slice(index + 1).find((each) => placed.has(each.id));
  const first = (previous && targetIndexOf(previous)) ?? 0;
  const last = (next && targetIndexOf(next)) ?? found.length - 1;
  const length = Math.min(REACH, Math.max(0, last - first + 1));
  return Array.from({ length }, (_, nth) => first + nth);
}

/** Whether a person changed this paragraph so that it now contains the text. */
function containsNow(
  found: readonly Part[],
  before: SegmentRecord | undefined,
  text: string,
): boolean {
  const now = partsText(found);
  const then = partsText(before?.target ?? []);
  return now !== then && containment(text, now) >= CONTAINED && containment(text, then) < CONTAINED;
}

interface KnownPage extends CurrentPage {
  /** By position in the target: the record of that segment. */
  readonly before: ReadonlyMap<number | undefined, SegmentRecord>;
}

/** A person who edits the joined paragraph after we saw the source has decided for this source. */
function updatedJoined(
  record: SegmentRecord,
  joined: readonly Part[],
  { before, found }: KnownPage,
): SegmentRecord | undefined {
  const text = partsText(joined);
  const texts = found.map((parts) => partsText(parts));
  if (texts.includes(text)) return record;
  const scores = texts.map((each) => alikeness(text, each));
  const at = scores.indexOf(Math.max(...scores));
  const holder = before.get(at);
  if (holder?.origin === 'machine' && partsText(holder.target ?? []) === texts[at]) {
    return undefined;
  }
  if ((scores[at] ?? 0) >= ALIKE) return joinedRecord(record, found[at] ?? []);
  const { joined: _, ...takenOut } = record;
  return takenOut;
}
