/**
 * The times of the cues in a target. They follow the source, unless a person moved a cue. Which cues a person moved is known from the records
 * of this machine, and in another checkout from the lock. Pure.
 */
import type { FilmCue } from '../../formats/captions/film.ts';
import { readTiming } from '../../formats/captions/timing.ts';
import {
  type Assertion,
  type SourceHash,
  sourceHash,
  type TargetHash,
  targetHash,
} from '../../segments/statements.ts';
import { type CurrentCue, timeKey } from './missing-cues.ts';
import type { CueRelation } from './relation.ts';

/** Hashes of timing lines in source and target, as the lock states them: of all cues, or of one that a person moved. */
type TimePair = readonly [source: SourceHash, target: TargetHash];

type CueTimes = Pick<FilmCue, 'timing' | 'start' | 'end'>;

/** Of each cue of the source, the timing line in the target; undefined: the target does not have it. */
export interface ShownTimes {
  readonly cues: readonly FilmCue[];
  readonly own: readonly (CueTimes | undefined)[];
  /** All timing lines of the target. */
  readonly lines: readonly string[];
}

/** The lines of the lock about the times of a target, the one about all cues first. */
export function timesForLock({ cues, own, lines }: ShownTimes): readonly TimePair[] {
  const moved = cues.flatMap((cue, nth): TimePair[] => {
    const there = own[nth];
    if (there === undefined || isSameTiming(there, cue)) return [];
    return [[sourceHash(cue.timing), targetHash(there.timing)]];
  });
  const all = wholeHashes(
    cues.map(({ timing }) => timing),
    lines,
  );
  return [[all.source, all.target], ...moved];
}

function wholeHashes(source: readonly string[], target: readonly string[]) {
  const [ours, theirs] = [source, target].map((lines) => ['', ...lines].join('\n'));
  return { source: sourceHash(ours ?? ''), target: targetHash(theirs ?? '') };
}

/** Another form of the same times is no move. */
function isSameTiming(one: CueTimes, other: CueTimes): boolean {
  return (
    timeKey(one) === timeKey(other) &&
    partsOf(one.timing).settings === partsOf(other.timing).settings
  );
}

/** The timing line that the source had when the target was written, for a cue of the target; undefined: not known. */
export type WrittenTiming = (cue: FilmCue, there: CurrentCue) => string | undefined;

/**
 * What the lock says of the times in a target.
 * @param statements about the frame of the film
 * @param found the timing lines of the target
 */
export function timesByLock(
  statements: readonly Assertion[],
  cues: readonly FilmCue[],
  found: readonly string[],
): WrittenTiming {
  const now = wholeHashes(
    cues.map(({ timing }) => timing),
    found,
  );
  const moved = Map.groupBy(statements, ({ target }) => target);
  const isAsLeft = moved.has(now.target);
  const isSourceAsThen = statements.some(({ source }) => source === now.source);
  return (cue, there) => {
    const byPerson = moved.get(targetHash(there.timingLine)) ?? [];
    const isUnmoved = byPerson.some(({ source }) => source === sourceHash(cue.timing));
    if (isUnmoved || isSourceAsThen) return cue.timing;
    if (!isAsLeft) return undefined;
    // A person moved it away from a time that the source has not any more: only the new one is known.
    if (byPerson.length > 0) return '';
    const isSame = isSameTiming({ ...there, timing: there.timingLine }, cue);
    return isSame ? cue.timing : there.timingLine;
  };
}

/** The times of a cue, and its settings: those of the target, which a person may have changed, until they change in the source. */
export function timeOf({ base, current, written: byLock }: TimedFilm, cue: FilmCue): CueTimes {
  const there = current.get(cue.id);
  if (there === undefined) return cue;
  const own = { timing: there.timingLine, start: there.start, end: there.end };
  const written = base.get(cue.id)?.cue?.timing ?? byLock(cue, there);
  if (written === undefined || written === cue.timing) return own;
  const [before, now, theirs] = [partsOf(written), partsOf(cue.timing), partsOf(own.timing)];
  const times = before.times === now.times ? own : cue;
  // A person's settings stay when the source changes its own.
  const { settings } = before.settings === theirs.settings ? now : theirs;
  return {
    start: times.start,
    end: times.end,
    timing: `${partsOf(times.timing).times} ${settings}`.trimEnd(),
  };
}

interface TimedFilm extends Pick<CueRelation, 'base' | 'current'> {
  readonly written: WrittenTiming;
}

/** Cues of the target that stay at other times than in the source, because nothing shows who moved them. */
export function unexplainedTimes(
  { base, current, written }: TimedFilm,
  cues: readonly FilmCue[],
): readonly CurrentCue[] {
  return cues.flatMap((cue) => {
    const there = current.get(cue.id);
    if (there === undefined || timeKey(there) === timeKey(cue)) return [];
    const known = base.get(cue.id)?.cue?.timing ?? written(cue, there);
    return known === undefined ? [there] : [];
  });
}

/** A timing line in its two parts. */
function partsOf(line: string): { readonly times: string; readonly settings: string } {
  const settings = readTiming(line)?.settings ?? '';
  const end = settings === '' ? line.length : line.lastIndexOf(settings);
  return { times: line.slice(0, end).trimEnd(), settings };
}
