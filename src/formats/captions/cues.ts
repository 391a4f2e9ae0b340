/** The `subtitle` library builds the cues, from a text that holds nothing it would stumble over. Pure. */
import { parseSync } from 'subtitle';
import { JobFailure } from '../../failure.ts';
import type { LineSpan } from './lines.ts';
import { type CueTiming, timingLine } from './timing.ts';

/** What a reader found of one subtitle, and what the library does not carry. Spans are UTF-16 offsets into the file's text. */
export interface Block extends CueTiming {
  /** Number or name above the timing line; empty when there is none. */
  readonly id: string;
  /** 1-based, of the timing line. */
  readonly line: number;
  /** Where it begins: with its id, or its timing line when it has none. */
  readonly begins: number;
  /** Of the timing line's content. */
  readonly timing: LineSpan;
  /** Of the text, without the line end behind it; empty for an empty cue. */
  readonly span: LineSpan;
  /** Without line ends; neither the first nor the last is blank. */
  readonly lines: readonly string[];
}

/** One subtitle. */
export interface Cue extends Omit<Block, 'lines'> {
  /** Lines joined by LF, whatever ends them in the file. */
  readonly text: string;
}

/** @throws JobFailure `malformed` with the line of the first block that is another cue to the library */
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
 * One number, one timing line, the text, one blank line. Times before zero go without their sign, which the library refuses;
 * settings are the place of the block: a cue that carries another one is not the cue of that block.
 */
function clean({ start, end, lines }: Block, nth: number): string {
  const times = { start: Math.abs(start), end: Math.abs(end), settings: String(nth) };
  return `${nth + 1}\n${timingLine(times, 'srt')}\n${lines.map(covered).join('\n')}\n`;
}

/** Invisible, and no blank to the library. */
const COVER = '\u2060';

// A line that begins with NOTE ends the cue for the library and swallows the rest, in SRT too.
function covered(line: string): string {
  return line.startsWith('NOTE') || line.startsWith(COVER) ? COVER + line : line;
}

function uncovered(line: string): string {
  return line.startsWith(COVER) ? line.slice(COVER.length) : line;
}

function notAlone({ line }: Pick<Block, 'line'>, file: string): JobFailure {
  const message = 'this subtitle cannot be told from its neighbours';
  return new JobFailure({ kind: 'malformed', where: { file, line }, message });
}
