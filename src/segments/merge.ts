/**
 * The three-way merge of one file in one language: the source now, the target now, and what we last saw and wrote.
 * Decides per segment what stands, what is bought and what waits for a person. Pure; used by the plan and by the lane.
 *
 *   source   target              then
 *   same     same                keep
 *   same     changed             keep, it is a person's now
 *   same     missing             restore what we recorded
 *   changed  ours                buy
 *   changed  a person's          conflict | keep | buy, as `human_edits` says
 *   new      missing             move, when a key with this text went away; else buy
 *   new      there               adopt, or buy, as `existing` says
 *   gone     there               remove, or keep, as `deleted_source` says
 */
import type { Origin, SegmentRecord } from '../baseline.ts';
import { type Part, partsText } from '../format.ts';
import { type Decision, decide, type MergeRules, type WantedSegment } from './decide.ts';
import { sameText } from './record.ts';

export interface MergeInput {
  /** In the order of the source. */
  readonly wanted: readonly WantedSegment[];
  /** What stands in the target, by id; empty when there is no target. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /**
   * Keyed formats: ids of `found` that stand there without a text (`""`, null). Absent: whatever is blank is none, and comes
   * back when a person empties it.
   */
  readonly vacant?: ReadonlySet<string>;
  /** By id; empty at first contact. */
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly rules: MergeRules;
}

export interface Merge {
  /** One per wanted segment, in order. */
  readonly decisions: readonly Decision[];
  /** What leaves the target: its source is gone, or it moved under another id. */
  readonly removed: readonly Removed[];
  /** Ids that stand in the target only, and stay. */
  readonly kept: readonly string[];
}

export interface Removed {
  readonly id: string;
  readonly movedTo?: string;
  /** What stood there, for the log of what a person loses. */
  readonly target: readonly Part[] | null;
  readonly origin: Origin;
}

export function merge(input: MergeInput): Merge {
  const { wanted, found, base, rules } = input;
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const renames = findRenames(wanted, base);
  const decisions = wanted.map((segment) => {
    const from = renames.get(segment.id);
    const old = from === undefined ? undefined : textAt(input, from, segment);
    const here = textAt(input, segment.id, segment);
    return decide(
      { wanted: segment, from, here, found: here ?? old, base: base.get(from ?? segment.id) },
      rules,
    );
  });
  const gone = [...base.values()].filter(({ id }) => !wantedIds.has(id));
  const movedTo = new Map([...renames].map(([to, from]) => [from, to]));
  const leaves = gone.filter(
    ({ id }) => rules.policies.deletedSource !== 'keep' || movedTo.has(id),
  );
  const leaving = new Set(leaves.map(({ id }) => id));
  return {
    decisions,
    removed: leaves.map((record) =>
      removedSegment(record, found.get(record.id), movedTo.get(record.id)),
    ),
    kept: [...found.keys()].filter((id) => !wantedIds.has(id) && !leaving.has(id)),
  };
}

/**
 * An empty value where the source has words is a place that waits for a translation (PO's `msgstr ""`), unless a person took
 * the text away that stood there. Where the source has none, an empty value is as good as any other.
 */
function textAt(
  { found, vacant, base }: MergeInput,
  id: string,
  { source, treatment, isLocked }: WantedSegment,
): readonly Part[] | undefined {
  const parts = found.get(id);
  if (parts === undefined) return undefined;
  if (vacant === undefined) {
    const isBlank = partsText(parts).trim() === '';
    return isBlank && partsText(source).trim() !== '' ? undefined : parts;
  }
  const hasWords = treatment === 'translate' || isLocked === true;
  return vacant.has(id) && hasWords && !wasFilled(base.get(id)) ? undefined : parts;
}

function wasFilled(record: SegmentRecord | undefined): boolean {
  if (record === undefined || record.target === null) return false;
  return record.origin === 'human' || partsText(record.target) !== '';
}

/** New ids whose text a vanished id had: the key was renamed, nothing has to be bought. */
function findRenames(
  wanted: readonly WantedSegment[],
  base: ReadonlyMap<string, SegmentRecord>,
): Map<string, string> {
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const vanished = Map.groupBy(
    [...base.values()].filter(({ id }) => !wantedIds.has(id)),
    ({ source }) => source,
  );
  const renames = new Map<string, string>();
  for (const { id, source, treatment } of wanted) {
    if (base.has(id) || treatment === 'omit') continue;
    const from = vanished.get(partsText(source))?.shift();
    if (from !== undefined) renames.set(id, from.id);
  }
  return renames;
}

function removedSegment(
  record: SegmentRecord,
  found: readonly Part[] | undefined,
  movedTo: string | undefined,
): Removed {
  const isEdited = found !== undefined && !sameText(found, record.target);
  return {
    id: record.id,
    target: found ?? record.target,
    origin: isEdited ? 'human' : record.origin,
    ...(movedTo === undefined ? {} : { movedTo }),
  };
}
