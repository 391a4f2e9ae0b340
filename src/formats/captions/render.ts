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
  /** Its number or name, where it gets another one. */
  readonly newId?: string;
  /** Cues that only the target has: the cues to write before this one, and behind it. */
  readonly before?: readonly AddedCue[];
  readonly after?: readonly AddedCue[];
  /** The source's cue is not written. */
  readonly isLeftOut?: boolean;
}

export interface AddedCue {
  /** Number or name; empty for none. */
  readonly id: string;
  readonly timing: string;
  readonly text: string;
}

/** The target that is replaced: it keeps its encoding. */
export interface ReplacedSubtitles extends SubtitleFile {
  /** It also keeps its line ends and its byte order mark: a person chose them. */
  readonly keepsStyle?: true;
}

/**
 * @param cues one for each cue of the source
 * @param format of the target
 */
export function render(...file: Parameters<typeof renderSteps>): Uint8Array {
  return allSteps(renderSteps(...file));
}

/** Like `render`, one step for each cue and each encoded piece. */
export function* renderSteps(
  source: SubtitleFile,
  cues: readonly RenderedCue[],
  format: SubtitleFormat,
  current?: ReplacedSubtitles,
): StepwiseWork<Uint8Array> {
  const style = current?.keepsStyle ? current : source;
  const { lineEnd } = style;
  const encoding = current?.encoding ?? 'utf-8';
  const mark = encoding === 'utf-8' ? style.mark : current?.mark === true;
  if (source.format !== format) {
    const all = cues.flatMap((cue) => {
      return [...(cue.before ?? []), ...(cue.isLeftOut ? [] : [cue]), ...(cue.after ?? [])];
    });
    return yield* encodeSubtitles([writeFile(all, { format, lineEnd })], { mark, encoding });
  }
  const pieces = yield* splice(source, cues);
  const isOther = lineEnd !== source.lineEnd;
  const written = isOther ? pieces.map((piece) => inLineEnds(piece, lineEnd)) : pieces;
  return yield* encodeSubtitles(written, { mark, encoding });
}

/** A piece ends where a cue ends, so no line end is divided. */
function inLineEnds(piece: string, lineEnd: string): string {
  return piece.replace(/\r{0,2}\n|\r/g, lineEnd);
}

/** The most characters in one piece. */
const CHUNK = 1 << 18;

function* splice(
  { text, cues, lineEnd }: SubtitleFile,
  rendered: readonly RenderedCue[],
): StepwiseWork<string[]> {
  const chunks: string[] = [];
  let chunk = '';
  let position = 0;
  for (const [nth, cue] of cues.entries()) {
    const own = rendered[nth] ?? { timing: '', text: cue.text };
    const end = lineEndOf(cue, { text, lineEnd });
    const gap = text.slice(position, cue.begins);
    const before = added(own.before, end).map((each) => each + end + end);
    const after = added(own.after, end).map((each) => end + end + each);
    position = cue.span.end;
    if (own.isLeftOut) {
      // One of the gaps around it is enough; notes in a gap stay.
      const isFirst = chunks.length === 0 && chunk === '';
      chunk += (gap.trim() === '' && !isFirst ? '' : gap) + [...before, ...after].join('');
      const next = text.slice(position, cues[nth + 1]?.begins);
      if ((isFirst || gap.trim() !== '') && next.trim() === '') position += next.length;
    } else {
      chunk += gap + before.join('');
      const head = text.slice(cue.begins, cue.timing.start);
      chunk +=
        (own.newId === undefined ? head : head.replace(cue.id, () => own.newId ?? '')) + own.timing;
      chunk += text.slice(cue.timing.end, cue.span.start);
      chunk += contentOf(cue, own.text, { text, end }) + after.join('');
    }
    if (chunk.length > CHUNK) chunks.push(chunk);
    if (chunk.length > CHUNK) chunk = '';
    yield;
  }
  return [...chunks, chunk + text.slice(position)];
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
