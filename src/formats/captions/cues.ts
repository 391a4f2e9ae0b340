/** Builds the cues with the `subtitle` library, from a cleaned text that the library always reads correctly. Pure. */
import { parseSync } from 'subtitle';
import { JobFailure } from '../../failure.ts';
import type { Span } from '../../format.ts';
import { type CueTiming, timingLine } from './timing.ts';

/** One subtitle as the reader found it, with details that the library drops. Spans are UTF-16 offsets into the file's text. */
export interface Block extends CueTiming {
  /** Number or name above the timing line; empty when there is none. */
  readonly id: string;
  /** 1-based line of the timing line. */
  readonly line: number;
  /** Start of its id, or of its timing line when it has no id. */
  readonly begins: number;
  /** Span of the timing line's content. */
  readonly timing: Span;
  /** Span of the text, without the last line end; empty for an empty cue. */
  readonly span: Span;
  /** Without line ends; the first and the last line are not blank. */
  readonly lines: readonly string[];
}

/** One subtitle. */
export interface Cue extends Omit<Block, 'lines'> {
  /** Lines joined by LF, with any line ends in the file. */
  readonly text: string;
}

/** @throws JobFailure `malformed` with the line of the first block that the library reads as another cue */
export function buildCues(blocks: readonly Block[], file: string): Cue[] {
  const nodes = parseSync(blocks.map(clean).join('\n'));
  const cues = blocks.map(({ lines: _, ...block }, nth) => {
    const node = nodes[nth];
    if (node?.type !== 'cue' || node.data.settings !== String(nth)) throw notAlone(block, file);
    const { start, end, text } = node.data;
    return {
      ...block,
      start: block.start < 0 ? -start : start,
      end: block.end < 0 ? -end : end,
      text: text.split('\n').map(uncovered).join('\n'),
    };
  });
  const last = blocks.at(-1);
  if (last !== undefined && nodes.length !== blocks.length) throw notAlone(last, file);
  return cues;
}

/**
 * The block in a clean form: one number, one timing line, the text, one blank line. Times before zero lose their sign, which the library
 * refuses. The settings hold the index of the block: if a cue has another index, it is not the cue of that block.
 */
function clean({ start, end, lines }: Block, nth: number): string {
  const times = { start: Math.abs(start), end: Math.abs(end), settings: String(nth) };
  return `${nth + 1}\n${timingLine(times, 'srt')}\n${lines.map(covered).join('\n')}\n`;
}

/** An invisible character that the library does not treat as blank. */
const COVER = '\u2060';

// Also in SRT, the library ends the cue at a line that begins with NOTE, and drops the rest.
function covered(line: string): string {
  return line.startsWith('NOTE') || line.startsWith(COVER) ? COVER + line : line;
}

function uncovered(line: string): string {
  return line.startsWith(COVER) ? line.slice(COVER.length) : line;
}

function notAlone({ line }: Pick<Block, 'line'>, file: string): JobFailure {
  const message = 'this subtitle cannot be separated from its neighbours';
  return new JobFailure({ kind: 'malformed', where: { file, line }, message });
}
