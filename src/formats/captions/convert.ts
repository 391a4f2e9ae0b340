/** SRT <-> WebVTT: texts, timing lines and whole files. Markup that the other format cannot express is left out. Pure. */
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

/** At the top of the picture: the only position that both formats can express. */
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
 * Writes a whole file, numbered from 1. The `subtitle` library is not used for it: it writes 25 hours as 01:00:01,86400000, because its
 * clock has one day.
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
/** Tags that both formats have. */
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

/** SRT has no entities. An invisible character is put into text that would be read as a tag. */
function withoutTags(text: string, to: SubtitleFormat): string {
  return to === 'vtt' ? text : text.replace(/<(?=\/?[a-z][^<>]*>|\d[\d:.]*>)/gi, '<\u2060');
}

/** `<i.loud>` becomes `<i>`; colours, voices and karaoke times have no counterpart. */
function convertTag(mark: string): string {
  const name = tagName(mark);
  if (!SHARED.has(name)) return '';
  return mark.startsWith('</') ? `</${name}>` : `<${name}>`;
}
