/**
 * The three-way merge of one file in one language: the source now, the target now, and the records of the last run.
 * Decides for each segment: keep it, buy it, or let it wait for a person. Pure; used by the plan and by the lane.
 *
 *   source   target              then
 *   same     same                keep
 *   same     changed             keep: it is a person's text now
 *   same     missing             restore the recorded text
 *   changed  ours                buy
 *   changed  a person's          conflict, keep or buy: `human_edits` decides
 *   changed  of another key      restore here, if the source text was that key's and is not any more
 *   new      missing             move, if a key with this text vanished; as changed, if a person's with a similar one did; else buy
 *   new      present             adopt or buy: `existing` decides
 *   gone     present             remove or keep: `deleted_source` decides
 */
import type { Origin, SegmentRecord } from '../baseline.ts';
import { allSteps, type StepwiseWork } from '../clock.ts';
import { type Part, partsText } from '../format.ts';
import { decideSegment } from './decide.ts';
import type { Decision, MergePolicy, WantedSegment } from './decision.ts';
import { findExchanged } from './exchanged-texts.ts';
import { originNow } from './record.ts';
import { findRenames } from './renamed-keys.ts';
import { findReworded } from './reworded-entries.ts';
import { type Assertion, NO_TARGET, sourceHash, targetHash } from './statements.ts';

export interface MergeInput {
  /** In the order of the source. */
  readonly wanted: readonly WantedSegment[];
  /** The texts of the target, by id; empty when there is no target. */
  readonly found: ReadonlyMap<string, readonly Part[]>;
  /**
   * Keyed formats: ids of `found` whose value is empty (`""`, null). Absent: every blank text counts as missing, and is written again when
   * a person empties it.
   */
  readonly vacant?: ReadonlySet<string>;
  /** By id; empty at first contact. */
  readonly base: ReadonlyMap<string, SegmentRecord>;
  readonly policy: MergePolicy;
  /** The file has all languages: an entry takes its translation along when it gets another key. */
  readonly isShared?: true;
}

export interface Merge {
  /** One per wanted segment, in order. */
  readonly decisions: readonly Decision[];
  /** Segments that leave the target: they left the source, or they moved to another id. */
  readonly removed: readonly Removed[];
  /** Ids that only the target has, and that stay. */
  readonly kept: readonly string[];
}

export interface Removed {
  readonly id: string;
  readonly movedTo?: string;
  /** The text of the target, for the log of what a person loses. */
  readonly target: readonly Part[] | null;
  readonly origin: Origin;
}

export function merge(input: MergeInput): Merge {
  return allSteps(mergeSteps(input));
}

/** Does the same as `merge`, in one step for each segment. */
export function* mergeSteps(input: MergeInput): StepwiseWork<Merge> {
  const { wanted, found, base, policy } = input;
  const wantedIds = new Set(wanted.map(({ id }) => id));
  yield;
  const keepsEdited = policy.keepsEdited === true || policy.policies.deletedSource === 'keep';
  const renames = findRenames(wanted, { base, found, keepsEdited });
  const reworded = input.isShared ? findReworded(wanted, { base, found, renames }) : base;
  const known = { base, found, statements: policy.statements };
  const exchanged = input.vacant === undefined ? NONE_EXCHANGED : findExchanged(wanted, known);
  const decisions: Decision[] = [];
  for (const segment of wanted) {
    yield;
    const other = exchanged.get(segment.id);
    if (other !== undefined) {
      const current = { from: undefined, here: undefined, found: textAt(input, other, segment) };
      decisions.push(decideSegment({ wanted: segment, ...current, base: base.get(other) }, policy));
      continue;
    }
    const from = renames.get(segment.id);
    const old = from === undefined ? undefined : textAt(input, from, segment);
    const here = textAt(input, segment.id, segment);
    const current = { wanted: segment, from, here, found: here ?? old };
    const record = base.get(from ?? segment.id) ?? reworded.get(segment.id);
    decisions.push(decideSegment({ ...current, base: record }, policy));
  }
  yield;
  const gone = [...base.values()].filter(({ id }) => !wantedIds.has(id));
  const movedTo = new Map([...renames].map(([to, from]) => [from, to]));
  const leaves = gone.filter(
    ({ id }) => policy.policies.deletedSource !== 'keep' || movedTo.has(id),
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

const NONE_EXCHANGED: ReadonlyMap<string, string> = new Map();

/**
 * An empty value waits for a translation when the source has words (PO's `msgstr ""`), unless a person emptied it. When the source has no
 * words, an empty value is a value like any other.
 */
function textAt(
  { found, vacant, base, policy }: MergeInput,
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
  if (!vacant.has(id) || !hasWords || wasFilled(base.get(id))) return parts;
  return wasEmptied(policy.statements?.(id) ?? [], source) ? parts : undefined;
}

function wasFilled(record: SegmentRecord | undefined): boolean {
  if (record === undefined || record.target === null) return false;
  return record.origin === 'human' || partsText(record.target) !== '';
}

/** By the lock: another checkout saw that a person emptied the value, or a translation of this source was there before. */
function wasEmptied(statements: readonly Assertion[], source: readonly Part[]): boolean {
  const text = sourceHash(partsText(source));
  return statements.some(({ source: of, target, mark }) =>
    target === EMPTY ? mark === 'human' : of === text && target !== NO_TARGET,
  );
}

const EMPTY = targetHash('');

function removedSegment(
  record: SegmentRecord,
  found: readonly Part[] | undefined,
  movedTo: string | undefined,
): Removed {
  return {
    id: record.id,
    target: found ?? record.target,
    origin: originNow(record, found),
    ...(movedTo === undefined ? {} : { movedTo }),
  };
}
