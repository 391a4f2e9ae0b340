/** Cues that a target lacks: a person removed them, or split them, joined them with others, or wrote them anew at other times. Pure. */
import type { SegmentRecord } from '../../baseline.ts';
import type { StepwiseWork } from '../../clock.ts';
import { partsText } from '../../format.ts';
import type { Cue } from '../../formats/captions/cues.ts';
import type { CueTiming } from '../../formats/captions/timing.ts';
import { joinedRecord } from '../../segments/joined.ts';

export interface CurrentCue extends Cue {
  /** The line with the times as it is in the target. */
  readonly timingLine: string;
}

export interface PairedCues {
  /** The records of the last run, in its order, by the id of the cue of the source. */
  readonly base: ReadonlyMap<string, SegmentRecord>;
  /** The cues of the target with a record, by the same id. */
  readonly current: ReadonlyMap<string, CurrentCue>;
  /** The other cues of the target. */
  readonly free: readonly CurrentCue[];
}

interface KnownTimes extends PairedCues {
  /** The time at which the source showed a cue when the target was last written; undefined: the cue left the source. */
  timeOf(record: SegmentRecord): Times | undefined;
}

type Times = Pick<CueTiming, 'start' | 'end'>;

/**
 * Where a person put the text of a cue into other cues, its record says so (`joined`). When its source changes, it is not added beside
 * them. A step for each record.
 */
export function* missingSteps(known: KnownTimes): StepwiseWork<PairedCues> {
  const { base: before, timeOf } = known;
  const { current, free } = yield* pairByTime(known);
  const base = new Map(before);
  const records = [...before.values()];
  const beside = neighboursIn(records, current);
  const shown = cuesByTime(free);
  for (const [index, record] of records.entries()) {
    yield;
    const time = timeOf(record);
    if (current.has(record.id) || time === undefined) continue;
    base.set(record.id, withoutCue(record, overlapping(shown, time), beside[index] ?? []));
  }
  return { base, current, free };
}

/** Pairs cues that a person wrote anew at the time of the old one. A text beside a removed cue is not that cue. */
function* pairByTime({ base, current, free, timeOf }: KnownTimes): StepwiseWork<PairedCues> {
  const paired = new Map(current);
  const left = new Map(free.map((cue) => [timeKey(cue), cue]));
  for (const [id, cue] of current) {
    yield;
    const record = base.get(id);
    const time = record && timeOf(record);
    const isOther = time === undefined || timeKey(time) !== timeKey(cue);
    if (record?.target !== null || cue.text.trim() === '' || !isOther) continue;
    paired.delete(id);
    left.set(timeKey(cue), cue);
  }
  for (const record of base.values()) {
    yield;
    const time = paired.has(record.id) ? undefined : timeOf(record);
    const cue = time && left.get(timeKey(time));
    if (time === undefined || cue === undefined) continue;
    paired.set(record.id, cue);
    left.delete(timeKey(time));
  }
  const taken = new Set(paired.values());
  const all = [...free, ...current.values()].filter((cue) => !taken.has(cue));
  return { base, current: paired, free: all };
}

export function timeKey({ start, end }: Times): string {
  return `${start} ${end}`;
}

interface CueBeside {
  readonly record: SegmentRecord;
  readonly cue: CurrentCue;
}

/** For each record, the nearest cues of the target before and behind it that have a record. */
function neighboursIn(
  records: readonly SegmentRecord[],
  current: PairedCues['current'],
): readonly CueBeside[][] {
  const beside: CueBeside[][] = records.map(() => []);
  for (const order of [records.keys(), [...records.keys()].reverse()]) {
    let last: CueBeside | undefined;
    for (const index of order) {
      const record = records[index];
      const cue = record && current.get(record.id);
      if (last !== undefined) beside[index]?.push(last);
      if (record !== undefined && cue !== undefined) last = { record, cue };
    }
  }
  return beside;
}

/** The record of a cue that the target has no more. @param over the cues that a person shows at its time */
function withoutCue(
  record: SegmentRecord,
  over: readonly CurrentCue[],
  beside: readonly CueBeside[],
): SegmentRecord {
  const before = record.joined && partsText(record.joined);
  const isSame = ({ cue }: CueBeside) => cue.text === before;
  if (over.length === 0 && beside.some(isSame)) return record;
  const wasRemoved = record.target === null && record.joined === undefined;
  const edited = beside.filter(({ record: { target }, cue }) => {
    return !wasRemoved && cue.text.trim() !== '' && cue.text !== partsText(target ?? []);
  });
  const own = over.length > 0 ? over : edited.slice(0, 1).map(({ cue }) => cue);
  const joined = own.map(({ text }) => text).join('\n');
  if (joined === '') {
    const { joined: _, ...removed } = record;
    return removed;
  }
  return joined === before ? record : joinedRecord(record, [joined]);
}

/** In the order of their times. */
export function cuesByTime(cues: readonly CurrentCue[]): readonly CurrentCue[] {
  return cues.toSorted((a, b) => a.start - b.start);
}

/** So many cues before a time are compared with it: on a screen there are few at once. */
const REACH = 20;

/** The cues that are shown at a time, for at least half of it or half of theirs. */
export function overlapping(byTime: readonly CurrentCue[], { start, end }: Times): CurrentCue[] {
  let [low, high] = [0, byTime.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((byTime[middle]?.start ?? 0) < end) low = middle + 1;
    else high = middle;
  }
  return byTime.slice(Math.max(0, low - REACH), low).filter((cue) => {
    const shared = Math.min(cue.end, end) - Math.max(cue.start, start);
    return shared > 0 && shared * 2 >= Math.min(cue.end - cue.start, end - start);
  });
}
