/** Writes a target: the source's bytes with other texts in their places, or a new file in the other format. Pure. */
import { writeFile } from './convert.ts';
import { encodeSubtitles } from './decode.ts';
import type { Cue, SubtitleFile } from './read.ts';
import type { SubtitleFormat } from './timing.ts';

/** What shall stand for a cue, in the target's format. */
export interface RenderedCue {
  /** Timing line. */
  readonly timing: string;
  /** Lines joined by LF. */
  readonly text: string;
}

/** @param cues one for each cue of the source */
export function render(
  source: SubtitleFile,
  cues: readonly RenderedCue[],
  format: SubtitleFormat,
): Uint8Array {
  const { mark, lineEnd } = source;
  const text =
    source.format === format ? splice(source, cues) : writeFile(cues, { format, lineEnd });
  return encodeSubtitles({ text, mark });
}

function splice({ text, cues, lineEnd }: SubtitleFile, rendered: readonly RenderedCue[]): string {
  const pieces: string[] = [];
  let position = 0;
  for (const [nth, cue] of cues.entries()) {
    const { timing, text: content } = rendered[nth] ?? { timing: '', text: cue.text };
    pieces.push(text.slice(position, cue.timing.start), timing);
    pieces.push(text.slice(cue.timing.end, cue.span.start));
    pieces.push(contentOf(cue, content, { text, lineEnd }));
    position = cue.span.end;
  }
  return pieces.join('') + text.slice(position);
}

/** The line ends of a cue are those of its timing line: a file may mix them. */
function contentOf(
  cue: Cue,
  content: string,
  file: Pick<SubtitleFile, 'text' | 'lineEnd'>,
): string {
  if (content === cue.text) return file.text.slice(cue.span.start, cue.span.end);
  const behind = file.text.slice(cue.timing.end, cue.timing.end + 3);
  const lineEnd = /^(?:\r{0,2}\n|\r)/.exec(behind)?.[0] ?? file.lineEnd;
  const written = content.replaceAll('\n', lineEnd);
  const wasEmpty = cue.span.start === cue.timing.end;
  return wasEmpty && written !== '' ? lineEnd + written : written;
}
