/** Writes a target: the source's bytes with other texts, or a new file in the other format. Pure. */
import { allSteps, type StepwiseWork } from '../../clock.ts';
import { writeFile } from './convert.ts';
import type { Cue } from './cues.ts';
import { encodeSubtitles } from './decode.ts';
import type { SubtitleFile } from './read.ts';
import type { SubtitleFormat } from './timing.ts';

/** A cue of the target, in the target's format. */
export interface RenderedCue {
  /** Timing line. */
  readonly timing: string;
  /** Lines joined by LF. */
  readonly text: string;
  /** Cues that only the target has: those to be written before it, and behind it. */
  readonly before?: readonly AddedCue[];
  readonly after?: readonly AddedCue[];
}

export interface AddedCue {
  /** Number or name; empty for none. */
  readonly id: string;
  readonly timing: string;
  readonly text: string;
}

/** @param cues one for each cue of the source */
export function render(...file: Parameters<typeof renderSteps>): Uint8Array {
  return allSteps(renderSteps(...file));
}

/** Like `render`, one step for each cue. */
export function* renderSteps(
  source: SubtitleFile,
  cues: readonly RenderedCue[],
  format: SubtitleFormat,
): StepwiseWork<Uint8Array> {
  const { mark, lineEnd } = source;
  if (source.format !== format) {
    const all = cues.flatMap((cue) => [...(cue.before ?? []), cue, ...(cue.after ?? [])]);
    return encodeSubtitles({ text: writeFile(all, { format, lineEnd }), mark });
  }
  const chunks = yield* splice(source, cues);
  return Buffer.concat([encodeSubtitles({ text: '', mark }), ...chunks]);
}

/** The most characters that are encoded in one step: those of 100,000 cues take 0.1 s. */
const CHUNK = 1 << 18;

function* splice(
  { text, cues, lineEnd }: SubtitleFile,
  rendered: readonly RenderedCue[],
): StepwiseWork<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  let chunk = '';
  let position = 0;
  for (const [nth, cue] of cues.entries()) {
    const own = rendered[nth] ?? { timing: '', text: cue.text };
    const end = lineEndOf(cue, { text, lineEnd });
    chunk += text.slice(position, cue.begins);
    chunk += added(own.before, end)
      .map((each) => each + end + end)
      .join('');
    chunk += text.slice(cue.begins, cue.timing.start) + own.timing;
    chunk += text.slice(cue.timing.end, cue.span.start);
    chunk += contentOf(cue, own.text, { text, end });
    chunk += added(own.after, end)
      .map((each) => end + end + each)
      .join('');
    position = cue.span.end;
    if (chunk.length > CHUNK) chunks.push(Buffer.from(chunk, 'utf8'));
    if (chunk.length > CHUNK) chunk = '';
    yield;
  }
  return [...chunks, Buffer.from(chunk + text.slice(position), 'utf8')];
}

/** A cue has the line ends of its timing line: a file may mix them. */
function lineEndOf(cue: Cue, { text, lineEnd }: Pick<SubtitleFile, 'text' | 'lineEnd'>): string {
  const behind = text.slice(cue.timing.end, cue.timing.end + 3);
  return /^(?:\r{0,2}\n|\r)/.exec(behind)?.[0] ?? lineEnd;
}

function added(cues: readonly AddedCue[] | undefined, lineEnd: string): string[] {
  return (cues ?? []).map(({ id, timing, text }) => {
    const lines = [...(id === '' ? [] : [id]), timing, ...text.split('\n')];
    return lines.join(lineEnd);
  });
}

function contentOf(
  cue: Cue,
  content: string,
  { text, end }: { readonly text: string; readonly end: string },
): string {
  if (content === cue.text) return text.slice(cue.span.start, cue.span.end);
  const written = content.replaceAll('\n', end);
  const wasEmpty = cue.span.start === cue.timing.end;
  return wasEmpty && written !== '' ? end + written : written;
}
