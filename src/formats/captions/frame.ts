/** The frame of a subtitle file, everything but the cue texts: numbers, names, notes, styles, line ends, byte order mark. Pure. */
import { hash } from 'node:crypto';
import type { SubtitleFile } from './read.ts';
import type { SubtitleFormat } from './timing.ts';

const HASH_LENGTH = 12;

/**
 * A hash of the frame, and behind it, readable, line ends and byte order mark. A target in the other format takes over only these two.
 */
export function frameOf(file: SubtitleFile, target: SubtitleFormat): string {
  const { text, cues, mark, lineEnd, format } = file;
  const pieces = [String(mark), lineEnd];
  let position = 0;
  for (const { timing, span } of format === target ? cues : []) {
    pieces.push(text.slice(position, timing.start), text.slice(timing.end, span.start));
    position = span.end;
  }
  if (format === target) pieces.push(text.slice(position));
  return hash('sha256', pieces.join('\0')).slice(0, HASH_LENGTH) + lineStyle(file);
}

/** A hash of what stands between the cues: the header, notes and styles. It stays when cues are added or removed. */
export function blocksOf({ text, cues }: Pick<SubtitleFile, 'text' | 'cues'>): string {
  let position = 0;
  const gaps = cues.map(({ begins, span }) => {
    const gap = text.slice(position, begins);
    position = span.end;
    return gap;
  });
  const blocks = [...gaps, text.slice(position)].map((gap) => gap.trim().replace(/\r\n?/g, '\n'));
  const written = blocks.filter((block) => block !== '').join('\0');
  return hash('sha256', written).slice(0, HASH_LENGTH);
}

function lineStyle({ mark, lineEnd }: Pick<SubtitleFile, 'mark' | 'lineEnd'>): string {
  return ` ${JSON.stringify(lineEnd).slice(1, -1)}${mark ? ' BOM' : ''}`;
}

/** Earlier versions recorded the hash alone. */
export function isSameFrame(one: string, other: string | undefined): boolean {
  return one.slice(0, HASH_LENGTH) === other?.slice(0, HASH_LENGTH);
}

/** Whether a file has the line ends and the mark that the source had then; false when that was not recorded. */
export function hasStyleOf(frame: string | undefined, file: SubtitleFile): boolean {
  return frame?.slice(HASH_LENGTH) === lineStyle(file);
}
