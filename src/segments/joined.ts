/** Paragraphs of a target that a person joined: the translation of one stands in the paragraph of another. Pure. */
import type { SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import type { Choice } from './record.ts';
import { alikeness, containment } from './similarity.ts';

export interface StandingPage {
  /** By id: which segment of the target it is. */
  readonly placed: ReadonlyMap<string, number>;
  readonly found: readonly (readonly Part[])[];
}

/** Share of a text from which on it stands in another one. */
export const CONTAINED = 0.6;
/** Share of letter pairs from which on two texts are one, edited. */
const ALIKE = 0.5;
/** Paragraphs that are looked into beside the neighbours: a person joins what stands together. */
const REACH = 20;

/**
 * What has no paragraph of its own: it stands in another one, or a person took it out.
 * @param records in the order of the source
 * @returns records that changed, by id; undefined: the paragraph that held it is the machine's now, so that it is missing
 */
export function joinedRecords(
  records: readonly SegmentRecord[],
  standing: StandingPage,
): Map<string, SegmentRecord | undefined> {
  const changed = new Map<string, SegmentRecord | undefined>();
  const before = new Map(records.map((record) => [standing.placed.get(record.id), record]));
  for (const [index, record] of records.entries()) {
    if (standing.placed.has(record.id)) continue;
    if (record.joined !== undefined) {
      changed.set(record.id, seenAgain(record, record.joined, { before, ...standing }));
    } else if (record.target !== null && record.state !== 'held') {
      const text = partsText(record.target);
      const whole = neighbours(records, index, standing).find((at) =>
        holds(standing.found[at] ?? [], before.get(at), text),
      );
      if (whole !== undefined) {
        changed.set(record.id, joinedTo(record, standing.found[whole] ?? []));
      }
    }
  }
  return changed;
}

interface Aligned extends StandingPage {
  readonly base: ReadonlyMap<string, SegmentRecord>;
}

/** A person's own text for a part is one for the paragraph that has it: that is the part's now, and what was told to have it is a part. */
export function partsDecided(
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
    records.set(holder, joinedTo(whole, choice.parts));
    places.delete(holder);
  }
  return { base: records, placed: places };
}

/**
 * The source of a paragraph is gone, and the paragraph has another text as well: it is that text's now, and was made for both.
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

export function joinedTo({ id, source }: SegmentRecord, joined: readonly Part[]): SegmentRecord {
  return { id, source, target: null, origin: 'human', state: 'ok', joined };
}

/** From the paragraph that stands before it to the one behind it. */
function neighbours(
  records: readonly SegmentRecord[],
  index: number,
  { placed, found }: StandingPage,
): number[] {
  const placeOf = ({ id }: SegmentRecord) => placed.get(id);
  const previous = records.slice(0, index).findLast((each) => placed.has(each.id));
  const next = records.slice(index + 1).find((each) => placed.has(each.id));
  const first = (previous && placeOf(previous)) ?? 0;
  const last = (next && placeOf(next)) ?? found.length - 1;
  const length = Math.min(REACH, Math.max(0, last - first + 1));
  return Array.from({ length }, (_, nth) => first + nth);
}

/** A person changed that paragraph, and it has the text that it had not before. */
function holds(found: readonly Part[], before: SegmentRecord | undefined, text: string): boolean {
  const now = partsText(found);
  const then = partsText(before?.target ?? []);
  return now !== then && containment(text, now) >= CONTAINED && containment(text, then) < CONTAINED;
}

interface Known extends StandingPage {
  /** Which record a segment of the target has. */
  readonly before: ReadonlyMap<number | undefined, SegmentRecord>;
}

/** Whoever edits the paragraph after the source was seen has decided what it shall say of it. */
function seenAgain(
  record: SegmentRecord,
  joined: readonly Part[],
  { before, found }: Known,
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
  if ((scores[at] ?? 0) >= ALIKE) return joinedTo(record, found[at] ?? []);
  const { joined: _, ...takenOut } = record;
  return takenOut;
}
