/** Spoken text with the markup inside it: it is split, broken into lines and written again. Pure. */
import type { Part } from '../../format.ts';
import { escapeText } from './entities.ts';
import type { SubtitleFormat } from './timing.ts';

/** Markup around some of the words; UTF-16 offsets into the text. */
export interface SpokenSpan {
  readonly open: string;
  readonly close: string;
  readonly start: number;
  readonly end: number;
}

export interface Speech {
  /** Without markup or entities; one line, unless `breakLines` made more. */
  readonly text: string;
  /** Well nested, in order of their starts. */
  readonly spans: readonly SpokenSpan[];
}

/** The text between two offsets, trimmed. Markup across an offset is closed and opened again. */
export function slice({ text, spans }: Speech, from: number, to: number): Speech {
  const piece = text.slice(from, to);
  const start = from + piece.length - piece.trimStart().length;
  const end = start + piece.trim().length;
  const clipped = spans.map((span) => ({
    ...span,
    start: Math.max(span.start, start) - start,
    end: Math.min(span.end, end) - start,
  }));
  return { text: piece.trim(), spans: clipped.filter((span) => span.start < span.end) };
}

/** Begins a new line at each offset: in place of the blank before it, or between two characters. */
export function breakLines(speech: Speech, offsets: readonly number[]): Speech {
  let { text, spans } = speech;
  for (const offset of [...offsets].sort((a, b) => b - a)) {
    const blanks = /(?<!\s)\s*$/.exec(text.slice(0, offset))?.[0].length ?? 0;
    const shift = 1 - blanks;
    text = `${text.slice(0, offset - blanks)}\n${text.slice(offset)}`;
    const moved = (at: number) => (at >= offset ? at + shift : Math.min(at, offset - blanks));
    spans = spans.map((span) => ({ ...span, start: moved(span.start), end: moved(span.end) }));
  }
  return { text, spans };
}

/** The speech with its markup, in the syntax of the format. */
export function writeSpeech({ text, spans }: Speech, format: SubtitleFormat): string {
  const marks = spans.flatMap((span, depth) => [
    { at: span.start, order: depth, mark: span.open },
    { at: span.end, order: -depth - 1, mark: span.close },
  ]);
  // At one offset, spans that end there are closed first, the innermost first.
  marks.sort((a, b) => a.at - b.at || a.order - b.order);
  let written = '';
  let position = 0;
  for (const { at, mark } of marks) {
    written += escapeText(text.slice(position, at), format) + mark;
    position = at;
  }
  return written + escapeText(text.slice(position), format);
}

/** The parts for the service: markup as pairs, which the answer must keep. @param firstPair first number of the pairs */
export function speechParts({ text, spans }: Speech, firstPair: number): Part[] {
  const marks = spans.flatMap((span, depth) => {
    const id = firstPair + depth;
    return [
      { at: span.start, order: depth, part: { raw: span.open, pair: { id, side: 'open' } } },
      { at: span.end, order: -depth - 1, part: { raw: span.close, pair: { id, side: 'close' } } },
    ] as const;
  });
  marks.sort((a, b) => a.at - b.at || a.order - b.order);
  const parts: Part[] = [];
  let position = 0;
  for (const { at, part } of marks) {
    if (at > position) parts.push(text.slice(position, at));
    parts.push(part);
    position = at;
  }
  if (position < text.length) parts.push(text.slice(position));
  return parts;
}

/** The reverse of `speechParts`: an answer's parts as speech. Markup without its pair is left out. */
export function speechOf(parts: readonly Part[]): Speech {
  let text = '';
  const open: { readonly mark: string; readonly start: number; readonly order: number }[] = [];
  const spans: (SpokenSpan & { readonly order: number })[] = [];
  let order = 0;
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if (part.pair === undefined) text += part.raw.trim() === '' ? part.raw : '';
    else if (part.pair.side === 'open')
      open.push({ mark: part.raw, start: text.length, order: order++ });
    else {
      const opening = open.pop();
      if (opening === undefined || opening.start === text.length) continue;
      const { mark, start } = opening;
      spans.push({ open: mark, close: part.raw, start, end: text.length, order: opening.order });
    }
  }
  spans.sort((a, b) => a.order - b.order);
  return { text, spans: spans.map(({ order: _, ...span }) => span) };
}
