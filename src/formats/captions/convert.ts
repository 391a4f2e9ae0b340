/** SRT <-> WebVTT: texts, timing lines and whole files. What the other format cannot say is left out. Pure. */
import { escapeText, unescapeText } from './entities.ts';
import { tagName } from './markup.ts';
import { type CueTiming, type SubtitleFormat, timingLine } from './timing.ts';

/** A cue in the other format. */
export interface ConvertedCue {
  /** Timing line. */
  readonly timing: string;
  /** Lines joined by LF. */
  readonly text: string;
}

/** At the top of the picture: all that both formats can say about a place. */
const TOP_SRT = '{\\an8}';
const TOP_VTT = 'line:0';

export function convertCue(
  cue: CueTiming & { readonly text: string },
  from: SubtitleFormat,
  to: SubtitleFormat,
): ConvertedCue {
  const text = convertText(cue.text, from, to);
  if (to === 'vtt') {
    const position = /\{\\an?(\d{1,2})\}/.exec(cue.text)?.[1];
    const settings = position !== undefined && '789'.includes(position) ? TOP_VTT : '';
    return { timing: timingLine({ ...cue, settings }, to), text };
  }
  const isTop = /\bline:(?:[0-3]|[01]?\d(?:\.\d+)?%)(?:[\s,]|$)/.test(cue.settings);
  return {
    timing: timingLine({ ...cue, settings: '' }, to),
    text: isTop && text !== '' ? TOP_SRT + text : text,
  };
}

/**
 * A whole file, numbered from 1. The `subtitle` library could write it too, but makes 01:00:01,86400000 of 25 hours: its clock is a
 * day long.
 */
export function writeFile(
  cues: readonly ConvertedCue[],
  { format, lineEnd }: { readonly format: SubtitleFormat; readonly lineEnd: string },
): string {
  const header = format === 'vtt' ? 'WEBVTT\n\n' : '';
  const blocks = cues.map(({ timing, text }, nth) => {
    const end = text === '' ? '' : `${text}\n`;
    return `${nth + 1}\n${timing}\n${end}`;
  });
  return `${header}${blocks.join('\n')}`.replaceAll('\n', lineEnd);
}

function convertText(text: string, from: SubtitleFormat, to: SubtitleFormat): string {
  return text
    .split('\n')
    .filter((line) => to === 'srt' || line.trim() !== '') // a blank line ends a cue in WebVTT
    .map((line) => convertLine(line, from, to))
    .join('\n');
}

const MARKUP = /<[^<>]*>|\{\\[^{}]*\}/g;
/** What both formats know. */
const SHARED = new Set(['i', 'b', 'u']);

function convertLine(line: string, from: SubtitleFormat, to: SubtitleFormat): string {
  let converted = '';
  let position = 0;
  const plain = (text: string) => withoutTags(escapeText(unescapeText(text, from), to), to);
  for (const { 0: mark, index } of line.matchAll(MARKUP)) {
    const isTag = /^(?:<\/?[a-z]|<\d|\{)/i.test(mark);
    converted += plain(line.slice(position, index)) + (isTag ? convertTag(mark) : plain(mark));
    position = index + mark.length;
  }
  return converted + plain(line.slice(position));
}

/** SRT knows no entities: what reads like a tag there, and is none, is told apart by a sign that nobody sees. */
function withoutTags(text: string, to: SubtitleFormat): string {
  return to === 'vtt' ? text : text.replace(/<(?=\/?[a-z][^<>]*>|\d[\d:.]*>)/gi, '<\u2060');
}

/** `<i.loud>` is `<i>`; colours, voices and karaoke times have no counterpart. */
function convertTag(mark: string): string {
  const name = tagName(mark);
  if (!SHARED.has(name)) return '';
  return mark.startsWith('</') ? `</${name}>` : `<${name}>`;
}
