/** Turns the markup in a cue's text into spans of a speech. Markup that cannot be kept is dropped, and this is reported. Pure. */
import { unescapeText } from './entities.ts';
import type { Speech, SpokenSpan } from './speech.ts';
import type { SubtitleFormat } from './timing.ts';

/** `<i>`, `</font>`, `<c.loud>`, karaoke times `<00:01.000>`, and `{\an8}` of ASS, which SRT players understand. */
const MARKUP = /<\/?[a-z][^<>]*>|<\d[\d:.]*>|\{\\[^{}]*\}/gi;

export interface ReadSpeech extends Speech {
  /** Whether markup was dropped: karaoke times, positions inside a text, crossed or stray tags. */
  readonly dropped: boolean;
}

/** @param raw one line of a cue's text, without the marks around the whole */
export function readSpeech(raw: string, format: SubtitleFormat): ReadSpeech {
  const reading: CueReading = { text: '', open: [], spans: [], dropped: false, order: 0 };
  let position = 0;
  for (const match of raw.matchAll(MARKUP)) {
    addText(reading, unescapeText(raw.slice(position, match.index), format));
    takeTag(reading, match[0]);
    position = match.index + match[0].length;
  }
  addText(reading, unescapeText(raw.slice(position), format));
  // A tag without an end ends with its cue.
  while (reading.open.length > 0) closeTag(reading, reading.open.at(-1)?.name ?? '');
  const spans = reading.spans.sort((a, b) => a.order - b.order);
  return {
    text: reading.text,
    spans: spans.map(({ order: _, ...span }) => span),
    dropped: reading.dropped,
  };
}

/** The text without markup, to measure it. */
export function withoutMarkup(raw: string, format: SubtitleFormat): string {
  return unescapeText(raw.replace(MARKUP, ''), format);
}

export function tagName(tag: string): string {
  return /^<\/?([a-z][^\s.>]*)/i.exec(tag)?.[1]?.toLowerCase() ?? '';
}

interface CueReading {
  text: string;
  readonly open: {
    readonly name: string;
    readonly mark: string;
    readonly start: number;
    readonly order: number;
  }[];
  readonly spans: (SpokenSpan & { readonly order: number })[];
  dropped: boolean;
  order: number;
}

/** Blanks on both sides of removed markup become one blank. */
function addText(reading: CueReading, text: string): void {
  reading.text += reading.text.endsWith(' ') ? text.replace(/^ +/, '') : text;
}

function takeTag(reading: CueReading, mark: string): void {
  const name = tagName(mark);
  if (name === 'br') addText(reading, ' ');
  else if (name === '') reading.dropped = true;
  else if (mark.startsWith('</')) closeTag(reading, name);
  else reading.open.push({ name, mark, start: reading.text.length, order: reading.order++ });
}

function closeTag(reading: CueReading, name: string): void {
  const opening = reading.open.at(-1);
  if (opening?.name !== name) {
    reading.dropped = true;
    return;
  }
  reading.open.pop();
  const { mark, start, order } = opening;
  const end = reading.text.length;
  if (start < end) reading.spans.push({ open: mark, close: `</${name}>`, start, end, order });
}
