/** SRT <-> WebVTT: texts, timing lines and whole files. What the other format cannot say is left out. Pure. */
import { tagName, unescapeText } from './markup.ts';
import { escapeText } from './speech.ts';
import { type SubtitleFormat, type Timing, timingLine } from './timing.ts';

/** A cue's text in the other format; the same text where both are one. */
export function convertText(text: string, from: SubtitleFormat, to: SubtitleFormat): string {
  if (from === to) return text;
  return text
    .split('\n')
    .filter((line) => to === 'srt' || line.trim() !== '') // a blank line ends a cue in WebVTT
    .map((line) => convertLine(line, from, to))
    .join('\n');
}

/** A timing line without what only the other format understands. */
export function convertTiming({ start, end }: Timing, to: SubtitleFormat): string {
  return timingLine({ start, end, settings: '' }, to);
}

/** One cue of a file that is written anew. */
export interface WrittenCue {
  /** Timing line. */
  readonly timing: string;
  /** Lines joined by LF. */
  readonly text: string;
}

/** A whole file, numbered from 1. @param lineEnd ends every line */
export function writeFile(
  cues: readonly WrittenCue[],
  { format, lineEnd }: { readonly format: SubtitleFormat; readonly lineEnd: string },
): string {
  const header = format === 'vtt' ? 'WEBVTT\n\n' : '';
  const blocks = cues.map(({ timing, text }, nth) => {
    const end = text === '' ? '' : `${text}\n`;
    return `${nth + 1}\n${timing}\n${end}`;
  });
  return `${header}${blocks.join('\n')}`.replaceAll('\n', lineEnd);
}

const MARKUP = /<[^<>]*>|\{\\[^{}]*\}/g;
/** What both formats know. */
const SHARED = new Set(['i', 'b', 'u']);

function convertLine(line: string, from: SubtitleFormat, to: SubtitleFormat): string {
  let converted = '';
  let position = 0;
  const plain = (text: string) => escapeText(unescapeText(text, from), to);
  for (const { 0: mark, index } of line.matchAll(MARKUP)) {
    const isTag = /^(?:<\/?[a-z]|<\d|\{)/i.test(mark);
    converted += plain(line.slice(position, index)) + (isTag ? convertTag(mark) : plain(mark));
    position = index + mark.length;
  }
  return converted + plain(line.slice(position));
}

/** `<i.loud>` is `<i>`; colours, voices and karaoke times have no counterpart. */
function convertTag(mark: string): string {
  const name = tagName(mark);
  if (!SHARED.has(name)) return '';
  return mark.startsWith('</') ? `</${name}>` : `<${name}>`;
}
