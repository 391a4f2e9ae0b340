/** The target of a subtitle job as bytes, read back before anybody sees it. Pure. */
import type { SubtitleExamination } from './examine-subtitles.ts';
import { partsText } from './format.ts';
import type { SegmentRecord } from './segments/record.ts';
import { gateProblem } from './subtitles/gate.ts';
import { render } from './subtitles/render.ts';

export interface Composition {
  readonly bytes: Uint8Array;
  /** Why it must not be delivered. */
  readonly problem: string | undefined;
}

/** @param records one for each cue of the source, in order */
export function composeSubtitles(
  seen: SubtitleExamination,
  records: readonly SegmentRecord[],
  file: string,
): Composition {
  const { film, source, target } = seen;
  const shown = film.cues.map((cue, nth) => {
    const record = records[nth];
    const text = record === undefined ? cue.text : partsText(record.target ?? [cue.text]);
    return { ...timeOf(seen, nth), text, isEmpty: cue.text.trim() === '' };
  });
  // What stands there already keeps its own bytes, also those between its subtitles.
  if (target !== undefined && isStanding(seen, shown)) {
    return { bytes: target.bytes, problem: undefined };
  }
  const bytes = render(source.file, shown, film.format);
  return { bytes, problem: gateProblem(bytes, shown, file) };
}

interface ShownCue {
  /** Timing line, and what it says in milliseconds. */
  readonly timing: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A cue that a person moved stays there until its source is moved. */
function timeOf(
  { film, base, standing }: SubtitleExamination,
  nth: number,
): Pick<ShownCue, 'timing' | 'start' | 'end'> {
  const cue = film.cues[nth] ?? { id: '', timing: '', start: 0, end: 0 };
  const there = standing.get(cue.id);
  const written = base.get(cue.id)?.cue?.timing;
  const sourceMoved = written !== undefined && written !== cue.timing;
  if (there === undefined || sourceMoved) return cue;
  return { timing: there.timingLine, start: there.start, end: there.end };
}

function isStanding({ film, target, standing }: SubtitleExamination, shown: readonly ShownCue[]) {
  if (target?.file.cues.length !== film.cues.length) return false;
  return film.cues.every(({ id }, nth) => {
    const there = standing.get(id);
    const own = shown[nth];
    return (
      there?.line === target.file.cues[nth]?.line &&
      there?.text === own?.text &&
      there?.timingLine === own?.timing
    );
  });
}
