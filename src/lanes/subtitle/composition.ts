/** Makes the bytes of a subtitle target, and reads them back as a check before they are written. */

import type { CueRecord, SegmentRecord } from '../../baseline.ts';
import { stepsInTurns, type Turns, turnsOf } from '../../clock.ts';
import { partsText } from '../../format.ts';
import { blocksOf, hasStyleOf, isSameFrame } from '../../formats/captions/frame.ts';
import { packExpected } from '../../formats/captions/packed.ts';
import {
  type RenderedCue,
  type ReplacedSubtitles,
  renderSteps,
} from '../../formats/captions/render.ts';
import { CHECK_SUBTITLES } from '../../formats/captions/thread-calls.ts';
import { parse } from '../../parsing/parse.ts';
import { timeOf, timesForLock } from './cue-times.ts';
import { FILM_TURN_MS, type ReadSubtitles, type SubtitleInspection } from './inspection.ts';
import { areSameCues, editsOfTarget } from './target-edits.ts';

export interface SubtitleComposition {
  readonly bytes: Uint8Array;
  /** Why the bytes must not be written; undefined when the check found nothing. */
  readonly problem: string | undefined;
  /** What the lock says of the times in the target. */
  readonly times: CueRecord['times'];
}

/** @param records one for each cue of the source, in order */
export async function composeSubtitles(
  seen: SubtitleInspection,
  records: readonly SegmentRecord[],
  file: string,
): Promise<SubtitleComposition> {
  const { film, source, target } = seen;
  const turns = turnsOf(FILM_TURN_MS);
  const shown = await stepsInTurns(showSteps(seen, records), turns);
  const all = shown.flatMap((cue) => {
    return [...cue.before, ...(cue.isLeftOut ? [] : [cue]), ...cue.after];
  });
  await turns.next();
  const times = timesForLock({
    cues: film.cues,
    own: shown.map((cue) => (cue.isLeftOut ? undefined : cue)),
    lines: all.map(({ timing }) => timing),
  });
  await turns.next();
  const keepsFrame = target !== undefined && !hasNewFrame(seen, records);
  if (keepsFrame && holdsCues(target, all))
    return { bytes: target.bytes, problem: undefined, times };
  // A header, notes and styles of a person stay.
  const isOwn = await hasOtherBlocks(seen, seen.target, turns);
  const isNew = await hasOtherBlocks(seen, seen.source, turns);
  const edits = isNew && !isOwn ? undefined : editsOfTarget(seen, shown);
  const rendered =
    target !== undefined && keepsFrame && isInOrder(seen, shown)
      ? renderSteps(target.file, all.map(textAndTiming), film.format, target.file)
      : target !== undefined && edits !== undefined && (keepsFrame || isOwn || !areSameCues(edits))
        ? renderSteps(target.file, edits, film.format, target.file)
        : renderSteps(source.file, shown, film.format, keptOf(seen));
  await turns.next();
  const bytes = await stepsInTurns(rendered, turns);
  await turns.next();
  const expected = packExpected(all);
  const subject = { file, bytes: bytes.byteLength };
  const written = { bytes, expected, file, fallback: target?.file.encoding ?? 'utf-8' };
  return { bytes, problem: await parse(CHECK_SUBTITLES, written, subject), times };
}

/** Line ends and byte order mark of the target stay where they were not those of the source. */
function keptOf({ film, base, target }: SubtitleInspection): ReplacedSubtitles | undefined {
  const frame = base.get(film.cues[0]?.id ?? '')?.cue?.frame;
  if (target === undefined) return undefined;
  return hasStyleOf(frame, target.file) ? target.file : { ...target.file, keepsStyle: true };
}

/** The cues of the new target. A step for each cue of the source. */
function* showSteps(seen: SubtitleInspection, records: readonly SegmentRecord[]) {
  const shown: (ShownCue & AddedLines)[] = [];
  for (const [nth, cue] of seen.film.cues.entries()) {
    const record = records[nth];
    // A person removed or emptied it.
    const isTakenOut = record?.target === null;
    const there = isTakenOut ? (seen.current.get(cue.id)?.text ?? '') : cue.text;
    const text = partsText(record?.target ?? [there]);
    const isLeftOut = isTakenOut && !seen.current.has(cue.id);
    const own = { ...timeOf(seen, cue), text, isEmpty: isTakenOut || cue.text.trim() === '' };
    const before = nth === 0 ? addedAt(seen, '') : [];
    shown.push({ ...own, isLeftOut, before, after: addedAt(seen, cue.id) });
    yield;
  }
  return shown;
}

type AddedLines = Readonly<Record<'before' | 'after', ReturnType<typeof addedAt>>>;

/** Whether the source changed outside its cues since the target was written. False at first contact, when this is unknown. */
function hasNewFrame({ film, base }: SubtitleInspection, records: readonly SegmentRecord[]) {
  const before = base.get(film.cues[0]?.id ?? '')?.cue?.frame;
  return before !== undefined && !isSameFrame(before, records[0]?.cue?.frame);
}

/**
 * Whether a file has another header, other notes or styles than the source had when the target was written. In the source they are changed,
 * in the target they are a person's.
 */
async function hasOtherBlocks(
  { base }: SubtitleInspection,
  read: ReadSubtitles | undefined,
  turns: Turns,
): Promise<boolean> {
  const before = blocksBefore(base);
  if (before === undefined || read === undefined) return false;
  return before !== (await stepsInTurns(blocksOf(read.file), turns));
}

function blocksBefore(base: SubtitleInspection['base']): string | undefined {
  return base.values().find(({ cue }) => cue?.blocks !== undefined)?.cue?.blocks;
}

/** The cues that a person added to the target after the cue `id`; '' for the beginning. */
function addedAt({ added }: SubtitleInspection, id: string) {
  return (added.get(id) ?? []).map(({ id: own, line, start, end, timingLine, text }) => {
    return { id: own, line, start, end, timing: timingLine, text, isEmpty: text.trim() === '' };
  });
}

interface ShownCue {
  /** The timing line. */
  readonly timing: string;
  /** Milliseconds, from the timing line. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
  readonly isEmpty: boolean;
  /** A person removed it: it is not written. */
  readonly isLeftOut: boolean;
}

/** Whether the target holds exactly the shown cues, none to be filled, and those that a person added, in order. */
function isInOrder(
  { film, target, current, added }: SubtitleInspection,
  shown: readonly Pick<ShownCue, 'isEmpty' | 'isLeftOut'>[],
): boolean {
  const there = film.cues.flatMap(({ id }, nth) => {
    const own = current.get(id);
    const isFilled = own?.text.trim() === '' && shown[nth]?.isEmpty !== true;
    const lines = shown[nth]?.isLeftOut ? [] : [isFilled ? undefined : own?.line];
    return [...lines, ...(added.get(id) ?? []).map(({ line }) => line)];
  });
  const wanted = [...(added.get('') ?? []).map(({ line }) => line), ...there];
  const found = target?.file.cues ?? [];
  return (
    target?.file.format === film.format &&
    found.length === wanted.length &&
    found.every(({ line }, nth) => line === wanted[nth])
  );
}

/** Whether a target holds exactly these cues. */
function holdsCues({ file }: ReadSubtitles, shown: readonly Pick<ShownCue, 'timing' | 'text'>[]) {
  if (file.cues.length !== shown.length) return false;
  return file.cues.every((cue, nth) => {
    const own = shown[nth];
    return (
      cue.text === own?.text && file.text.slice(cue.timing.start, cue.timing.end) === own.timing
    );
  });
}

function textAndTiming({ timing, text }: Pick<ShownCue, 'timing' | 'text'>): RenderedCue {
  return { timing, text };
}
