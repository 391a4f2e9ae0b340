/** Pairs the cues of a target with those of its source, and finds the cues that a person added. Pure. */
import type { SegmentRecord } from '../../baseline.ts';
import type { StepwiseWork } from '../../clock.ts';
import type { Part } from '../../format.ts';
import type { Cue } from '../../formats/captions/cues.ts';
import type { Film } from '../../formats/captions/film.ts';
import type { SubtitleFile } from '../../formats/captions/read.ts';
import type { Policies } from '../../project.ts';
import { alignSteps } from '../../segments/align.ts';
import type { WantedSegment } from '../../segments/decision.ts';
import { type TargetHash, targetHash } from '../../segments/statements.ts';

export interface CueRelation {
  /** The records of the baseline, by the id of the cue of the source. */
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The cues of the target, by the id of the cue of the source. */
  readonly current: ReadonlyMap<string, CurrentCue>;
  /** Cues that a person added to the target, by the id of the cue before them; '' for the beginning. */
  readonly added: ReadonlyMap<string, readonly CurrentCue[]>;
  /** Two cues of the target with the same time and other texts: a merge left both. */
  readonly twins: readonly Twins[];
  /**
   * Why the target cannot be merged: text would be lost. `unlike`: at first contact its cues have other times. `unplaced`: cues were
   * split or joined. `twice`: it has twins.
   */
  readonly blocker: 'unlike' | 'unplaced' | 'twice' | undefined;
}

export type Twins = readonly [own: CurrentCue, other: CurrentCue];

export interface CurrentCue extends Cue {
  /** The line with the times as it is in the target. */
  readonly timingLine: string;
}

interface CurrentFilm {
  readonly film: Film;
  readonly wanted: readonly WantedSegment[];
  readonly records: readonly SegmentRecord[];
  /** Hashes of the machine translations that the lock names. */
  readonly ours: ReadonlySet<TargetHash>;
  readonly target: SubtitleFile | undefined;
  readonly existing: Policies['existing'];
}

/** Pairs cues by their texts and neighbours; at first contact by position or time. */
export function* relateSteps({
  film,
  wanted,
  records,
  ours,
  target,
  existing,
}: CurrentFilm): StepwiseWork<CueRelation> {
  const cues = (target?.cues ?? []).map((cue) => currentCue(cue, target));
  yield;
  if (records.length === 0) return pairAtFirstContact(film, cues, existing);
  // By identity: `alignSteps` returns the same arrays that it was given.
  const owner = new Map(cues.map((cue): [readonly Part[], CurrentCue] => [[cue.text], cue]));
  const { base, found, unplaced } = yield* alignSteps({
    ...{ wanted, records },
    found: [...owner.keys()],
  });
  const current = new Map<string, CurrentCue>();
  for (const [id, parts] of found) {
    const cue = owner.get(parts);
    if (cue !== undefined) current.set(id, cue);
  }
  const more = unplaced.flatMap((parts) => owner.get(parts) ?? []);
  // Cues beyond those of the records: a person added them when all others are there, otherwise a cue was split or joined.
  yield;
  const isWhole = current.size === records.length;
  const wantedIds = new Set(wanted.map(({ id }) => id));
  const atOnce = new Map(
    [...current].flatMap(([id, cue]) => (wantedIds.has(id) ? [[timeKey(cue), cue]] : [])),
  );
  yield;
  const alone = more.filter((cue) => !atOnce.has(timeKey(cue)));
  const added = isWhole ? placesOfCues(alone, { current, wantedIds }) : new Map();
  // A cue with the same time and text as another one is removed, and so is one with a machine's translation of another source.
  const twins = more.flatMap((cue): Twins[] => {
    const own = atOnce.get(timeKey(cue));
    if (own === undefined || own.text === cue.text || ours.has(targetHash(cue.text))) return [];
    return [[own, cue]];
  });
  const lost = isWhole || more.length === 0 ? undefined : 'unplaced';
  return { base, current, added, twins, blocker: twins.length > 0 ? 'twice' : lost };
}

function timeKey({ start, end }: Pick<Cue, 'start' | 'end'>): string {
  return `${start} ${end}`;
}

/** Added cues, by the id of the cue of the film before them. */
function placesOfCues(
  more: readonly CurrentCue[],
  {
    current,
    wantedIds,
  }: { current: ReadonlyMap<string, CurrentCue>; wantedIds: ReadonlySet<string> },
): Map<string, CurrentCue[]> {
  const known = [...current]
    .filter(([id]) => wantedIds.has(id))
    .map(([id, { line }]) => ({ id, line }))
    .sort((a, b) => a.line - b.line);
  return Map.groupBy(more, (cue) => known.findLast(({ line }) => line < cue.line)?.id ?? '');
}

function currentCue(cue: Cue, target: SubtitleFile | undefined): CurrentCue {
  return { ...cue, timingLine: target?.text.slice(cue.timing.start, cue.timing.end) ?? '' };
}

/** Pairs cues at first contact: by position when both files have the same number, otherwise by time. */
function pairAtFirstContact(
  { cues }: Film,
  found: readonly CurrentCue[],
  existing: Policies['existing'],
): CueRelation {
  const none = {
    ...{ base: new Map(), current: new Map(), added: new Map() },
    ...{ twins: [], blocker: undefined },
  };
  if (found.length === cues.length) {
    return {
      ...none,
      current: new Map(cues.map(({ id }, nth) => [id, found[nth]]).flatMap(pair)),
    };
  }
  const byTime = new Map(found.map((cue) => [timeKey(cue), cue]));
  const current = new Map(cues.map((cue) => [cue.id, byTime.get(timeKey(cue))]).flatMap(pair));
  const isLost = current.size < found.length && existing === 'adopt';
  const blocker = isLost ? 'unlike' : undefined;
  return { ...none, current, blocker };
}

function pair([id, cue]: (string | CurrentCue | undefined)[]): [string, CurrentCue][] {
  return typeof id === 'string' && typeof cue === 'object' ? [[id, cue]] : [];
}
