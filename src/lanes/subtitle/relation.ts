/** Pairs the cues of a target with those of its source, and finds the cues that a person added. Pure. */
import type { SegmentRecord } from '../../baseline.ts';
import type { StepwiseWork } from '../../clock.ts';
import { type Part, partsText } from '../../format.ts';
import type { Cue } from '../../formats/captions/cues.ts';
import type { Film, FilmCue } from '../../formats/captions/film.ts';
import type { SubtitleFile } from '../../formats/captions/read.ts';
import { readTiming } from '../../formats/captions/timing.ts';
import type { Policies } from '../../project.ts';
import { alignSteps } from '../../segments/align.ts';
import type { WantedSegment } from '../../segments/decision.ts';
import {
  type SourceHash,
  sourceHash,
  type TargetHash,
  targetHash,
} from '../../segments/statements.ts';
import {
  type CurrentCue,
  cuesByTime,
  missingSteps,
  overlapping,
  type PairedCues,
  timeKey,
} from './missing-cues.ts';

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
   * Why the target cannot be merged: text would be lost. `unlike`: at first contact its cues have other times. `unplaced`: a person
   * took a cue out, in another checkout, and shows other text at the time of a new cue. `twice`: it has twins.
   */
  readonly blocker: 'unlike' | 'unplaced' | 'twice' | undefined;
}

export type Twins = readonly [own: CurrentCue, other: CurrentCue];

export interface CurrentFilm {
  readonly film: Film;
  readonly wanted: readonly WantedSegment[];
  readonly records: readonly SegmentRecord[];
  /** Hashes of the machine translations that the lock names. */
  readonly ours: ReadonlySet<TargetHash>;
  /** Sources of cues that a person took out of the target, as the lock states. */
  readonly takenOut: ReadonlySet<SourceHash>;
  /** This machine has no records of the film. */
  readonly isUnseen: boolean;
  readonly target: SubtitleFile | undefined;
  readonly existing: Policies['existing'];
}

/** Pairs cues by their texts and neighbours; at first contact by position or time. */
export function* relateSteps(given: CurrentFilm): StepwiseWork<CueRelation> {
  const { film, records, ours, takenOut, isUnseen, target, existing } = given;
  const cues = (target?.cues ?? []).map((cue) => currentCue(cue, target));
  yield;
  if (records.length === 0) return pairAtFirstContact(film, cues, existing);
  const times = new Map(film.cues.map((cue) => [cue.id, cue]));
  const hasStated = takenOut.size > 0;
  const stated = film.cues.filter(({ text }) => hasStated && takenOut.has(sourceHash(text)));
  const paired = yield* pairByText(given, cues);
  const { base, current, free } = yield* missingSteps({
    ...{ ...paired, base: withTakenOut(paired.base, stated) },
    timeOf: ({ id, cue }) => {
      const now = times.get(id);
      return now && (readTiming(cue?.timing ?? '') ?? now);
    },
  });
  yield;
  const atOnce = new Map(
    [...current].flatMap(([id, cue]) => (times.has(id) ? [[timeKey(cue), cue]] : [])),
  );
  yield;
  const alone = free.filter((cue) => !atOnce.has(timeKey(cue)));
  const added = placesOfCues(alone, { current, times });
  // A cue with the same time and text as another one is removed, and so is one with a machine's translation of another source.
  const twins = free.flatMap((cue): Twins[] => {
    const own = atOnce.get(timeKey(cue));
    if (own === undefined || own.text === cue.text || ours.has(targetHash(cue.text))) return [];
    return [[own, cue]];
  });
  const isOutdated = isUnseen && new Set(stated.map(({ text }) => text)).size < takenOut.size;
  const shown = cuesByTime(isOutdated ? alone : []);
  const isNew = ({ id }: FilmCue) => !base.has(id) && !current.has(id);
  const isUnplaced = film.cues.some((cue) => isNew(cue) && overlapping(shown, cue).length > 0);
  const blocker = twins.length > 0 ? 'twice' : isUnplaced ? 'unplaced' : undefined;
  return { base, current, added, twins, blocker };
}

function* pairByText(
  { wanted, records }: CurrentFilm,
  cues: readonly CurrentCue[],
): StepwiseWork<PairedCues> {
  // By identity: `alignSteps` returns the same arrays that it was given.
  const owner = new Map(cues.map((cue): [readonly Part[], CurrentCue] => [[cue.text], cue]));
  // Empty cues are alike: the times show which is which.
  const texts = [...owner.keys()].filter((parts) => partsText(parts).trim() !== '');
  const { base, found } = yield* alignSteps({ wanted, records, found: texts });
  const current = new Map<string, CurrentCue>();
  for (const [id, parts] of found) {
    const cue = owner.get(parts);
    if (cue !== undefined) current.set(id, cue);
  }
  const placed = new Set(current.values());
  return { base, current, free: cues.filter((cue) => !placed.has(cue)) };
}

/** In a new checkout only the lock knows the cues that a person took out. */
function withTakenOut(
  base: ReadonlyMap<string, SegmentRecord>,
  stated: readonly FilmCue[],
): ReadonlyMap<string, SegmentRecord> {
  const added = stated.flatMap(({ id, text: source }): [string, SegmentRecord][] => {
    if (base.has(id)) return [];
    return [[id, { id, source, target: null, origin: 'human', state: 'ok' }]];
  });
  return added.length === 0 ? base : new Map([...base, ...added]);
}

/** Added cues, by the id of the cue of the film before them. */
function placesOfCues(
  more: readonly CurrentCue[],
  {
    current,
    times,
  }: { current: ReadonlyMap<string, CurrentCue>; times: ReadonlyMap<string, unknown> },
): Map<string, CurrentCue[]> {
  const known = [...current]
    .filter(([id]) => times.has(id))
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
