/** The frame of a subtitle file, everything but the cue texts: numbers, names, notes, styles, line ends, byte order mark. Pure. */
import { hash } from 'node:crypto';
import type { SubtitleFile } from './read.ts';
import type { SubtitleFormat } from './timing.ts';

/** A hash of the frame. A target in the other format takes over only line ends and byte order mark. */
export function frameOf(
  { text, cues, mark, lineEnd, format }: SubtitleFile,
  target: SubtitleFormat,
): string {
  const pieces = [String(mark), lineEnd];
  let position = 0;
  for (const { timing, span } of format === target ? cues : []) {
    pieces.push(text.slice(position, timing.start), text.slice(timing.end, span.start));
    position = span.end;
  }
  if (format === target) pieces.push(text.slice(position));
  return hash('sha256', pieces.join('\0')).slice(0, 12);
}
