/** The strict core: what the tolerant reader made of a file must be the same cues to the `subtitle` library. Pure. */
import { parseSync } from 'subtitle';
import { JobFailure } from '../../failure.ts';
import { isBlank } from './lines.ts';
import { type Timing, timingLine } from './timing.ts';

/** What the library shall find. */
interface StrictCue extends Timing {
  readonly line: number;
  readonly text: string;
}

/** @throws JobFailure `malformed` with the line of the first cue that the library reads otherwise */
export function confirmStrictly(cues: readonly StrictCue[], file: string): void {
  const found = parseSync(canonical(cues)).filter((node) => node.type === 'cue');
  for (const [nth, cue] of cues.entries()) {
    const same = found[nth]?.data;
    if (same?.start === Math.max(0, cue.start) && same.end === Math.max(0, cue.end)) continue;
    throw new JobFailure({
      kind: 'malformed',
      where: { file, line: cue.line },
      message: 'this subtitle cannot be told from its neighbours',
    });
  }
  if (found.length !== cues.length) {
    const message = `${cues.length} subtitles were found, and ${found.length} by a stricter reader`;
    throw new JobFailure({ kind: 'malformed', where: { file }, message });
  }
}

/** One number, one timing line, text that cannot be taken for structure, one blank line. */
function canonical(cues: readonly StrictCue[]): string {
  return cues
    .map((cue, nth) => {
      const timing = timingLine({ start: cue.start, end: cue.end, settings: '' }, 'srt');
      return `${nth + 1}\n${timing}\n${cue.text.split('\n').map(protect).join('\n')}\n`;
    })
    .join('\n');
}

/** Invisible, and no blank to the library. */
const WORD_JOINER = '\u2060';

// A line that begins with NOTE ends the cue for the library and swallows the rest, in SRT too; a blank line ends its text.
function protect(line: string): string {
  return line.startsWith('NOTE') || isBlank(line)
    ? WORD_JOINER + line.replaceAll(/[\r\n]/g, '')
    : line;
}
