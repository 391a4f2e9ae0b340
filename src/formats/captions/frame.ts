/** The frame of a subtitle file, everything but the cue texts: numbers, names, notes, styles, line ends, byte order mark. Pure. */
import { createHash } from 'node:crypto';
import type { StepwiseWork } from '../../clock.ts';
import type { SubtitleFile } from './read.ts';
import type { SubtitleFormat } from './timing.ts';

const HASH_LENGTH = 12;

/**
 * A hash of the frame, and behind it, readable, line ends and byte order mark. A target in the other format takes over only these two. A
 * step for each cue.
 */
export function* frameOf(file: SubtitleFile, target: SubtitleFormat): StepwiseWork<string> {
  return (yield* hashOf(framePieces(file, target))) + lineStyle(file);
}

function* framePieces(
  { text, cues, mark, lineEnd, format }: SubtitleFile,
  target: SubtitleFormat,
): Generator<string> {
  yield String(mark);
  yield lineEnd;
  if (format !== target) return;
  let position = 0;
  for (const { timing, span } of cues) {
    yield text.slice(position, timing.start);
    yield text.slice(timing.end, span.start);
    position = span.end;
  }
  yield text.slice(position);
}

/**
 * A hash of what stands between the cues: the header, notes and styles. It stays when cues are added or removed. A step for each cue.
 */
export function* blocksOf({
  text,
  cues,
}: Pick<SubtitleFile, 'text' | 'cues'>): StepwiseWork<string> {
  const blocks: string[] = [];
  let position = 0;
  for (const { begins, span } of [...cues, { begins: text.length, span: { end: text.length } }]) {
    const block = text.slice(position, begins).trim();
    if (block !== '') blocks.push(block.replace(/\r\n?/g, '\n'));
    position = span.end;
    yield;
  }
  return yield* hashOf(blocks);
}

/** Characters that are hashed at a time. */
const CHUNK = 1 << 16;

/** The beginning of a hash of the pieces, with a NUL between two of them. A step for each. */
function* hashOf(pieces: Iterable<string>): StepwiseWork<string> {
  const digest = createHash('sha256');
  let pending = '';
  let isFirst = true;
  for (const piece of pieces) {
    pending += isFirst ? piece : `\0${piece}`;
    isFirst = false;
    if (pending.length > CHUNK) {
      digest.update(pending);
      pending = '';
    }
    yield;
  }
  return digest.update(pending).digest('hex').slice(0, HASH_LENGTH);
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
