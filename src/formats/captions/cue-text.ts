/** Splits the text of a cue into speakers and their words, and takes off the surrounding marks, which are added again later. Pure. */
import type { Span } from '../../format.ts';
import { readSpeech, tagName } from './markup.ts';
import { type Speech, slice, writeSpeech } from './speech.ts';
import type { SubtitleFormat } from './timing.ts';

/**
 * `nothing`: not translated (empty, only digits, punctuation or ♪). `sound`: a description in brackets. `turns`: speeches, one for each
 * speaker marked by a dash.
 */
export interface CueText {
  readonly kind: 'nothing' | 'sound' | 'speech' | 'turns';
  /** Marks around the whole cue. */
  readonly before: string;
  readonly after: string;
  /** One speech, or one for each dash. */
  readonly turns: readonly SpeechTurn[];
  /** Whether markup was left out because it could not be kept. */
  readonly dropped: boolean;
}

export interface SpeechTurn {
  readonly before: string;
  readonly speech: Speech;
  readonly after: string;
}

export function splitCue(text: string, format: SubtitleFormat): CueText {
  // `\N` and `\h` are a line break and a blank of ASS that many SRT files have.
  const plain = text.replaceAll('\0', '').replaceAll('\\N', '\n').replaceAll('\\h', ' ');
  const outer = peelMarkup(positionFirst(plain, format));
  const { before, after, inner } = sharedLineTags(outer);
  const read = turnsIn(inner.split('\n')).map((lines) => readTurn(lines, format));
  const turns = read.map(({ before, speech, after }) => ({ before, speech, after }));
  const isSilent = turns.every(({ speech }) => !/\p{L}/u.test(speech.text));
  const dropped = read.some((turn) => turn.dropped);
  return { kind: isSilent ? 'nothing' : kindOf(turns), before, after, turns, dropped };
}

/** The reverse of `splitCue`, with one translated speech for each turn. */
export function joinCue(
  { before, after, turns }: Pick<CueText, 'before' | 'after' | 'turns'>,
  speeches: readonly Speech[],
  format: SubtitleFormat,
): string {
  const lines = turns.map((turn, nth) => {
    const speech = speeches[nth] ?? turn.speech;
    return `${turn.before}${writeSpeech(speech, format)}${turn.after}`;
  });
  return `${before}${lines.join('\n')}${after}`;
}

function kindOf(turns: readonly SpeechTurn[]): CueText['kind'] {
  if (turns.length > 1) return 'turns';
  return /[[(（［]$/.test(turns[0]?.before.trimEnd() ?? '') ? 'sound' : 'speech';
}

interface PeeledCue {
  readonly before: string;
  readonly inner: string;
  readonly after: string;
}

/** A position holds for the whole cue, at any place in its text (ASS, "override codes"); the first one counts. */
function positionFirst(text: string, format: SubtitleFormat): string {
  const position = format === 'srt' ? /\{\\an?\d{1,2}\}/.exec(text) : null;
  if (position === null) return text;
  const [mark] = position;
  const before = text.slice(0, position.index);
  const isInFront = before.replace(/<[^<>]*>/g, '').trim() === '';
  return isInFront ? text : mark + before + text.slice(position.index + mark.length);
}

const POSITION = /\{\\[^{}]*\}\s*/y;
const OPENING_TAG = /<[a-z][^<>]*>\s*/iy;

/** Separates positions (`{\an8}`) and tags around the whole text, from the outside in. */
function peelMarkup(untrimmed: string): PeeledCue {
  const text = untrimmed.trim();
  const closed = closingTags(text);
  let [from, to] = [0, text.length];
  for (;;) {
    const position = markAt(text, POSITION, from);
    const tag = position === '' ? markAt(text, OPENING_TAG, from) : '';
    const mark = position + tag;
    const closing = tag === '' ? undefined : closed.get(from);
    // A tag that is closed inside the text holds for a part of it; one that is never closed holds for all of it.
    const isPart = closing !== undefined && closing.end !== to;
    if (mark === '' || isPart || from + mark.length > to) break;
    from += mark.length;
    if (closing !== undefined) to = Math.max(from, text.slice(0, closing.start).trimEnd().length);
  }
  return { before: text.slice(0, from), inner: text.slice(from, to), after: text.slice(to) };
}

function markAt(text: string, mark: RegExp, at: number): string {
  mark.lastIndex = at;
  return mark.exec(text)?.[0] ?? '';
}

/** By the offset of each opening tag: the tag that closes it; none for a tag that is never closed. */
function closingTags(text: string): ReadonlyMap<number, Span> {
  const closed = new Map<number, Span>();
  const open = new Map<string, number[]>();
  for (const { 0: tag, index: start } of text.matchAll(/<\/?[a-z][^<>]*>/gi)) {
    const name = tagName(tag);
    const same = open.get(name) ?? [];
    open.set(name, same);
    if (!tag.startsWith('</')) {
      same.push(start);
      continue;
    }
    const opening = same.pop();
    if (opening !== undefined) closed.set(opening, { start, end: start + tag.length });
  }
  return closed;
}

/** `<i>one</i>` above `<i>two</i>` becomes one `<i>` around both lines. */
function sharedLineTags({ before, inner, after }: PeeledCue): PeeledCue {
  const lines = inner.split('\n');
  const first = /^<([a-z])[^<>]*>/i.exec(lines[0] ?? '')?.[0];
  if (first === undefined || lines.length < 2) return { before, inner, after };
  const close = `</${tagName(first)}>`;
  const isShared = lines.every(
    (line) =>
      line.startsWith(first) &&
      line.endsWith(close) &&
      closingTags(line).get(0)?.end === line.length,
  );
  if (!isShared) return { before, inner, after };
  const bare = lines.map((line) => line.slice(first.length, line.length - close.length));
  return { before: before + first, inner: bare.join('\n'), after: close + after };
}

const DASH = /^(?:<[^<>]*>|\{\\[^{}]*\})*\s*[-\u2010\u2013\u2014](?!-)\s*(?=[^\s\-\u2010-\u2014])/;

/** The end of a sentence, a song or a description, also with closing markup behind it. */
const ENDED = /[.!?…♪\])"”»]\s*(?:<[^<>]*>)*$/;

/** The lines of each speaker; all lines together when no dashes mark speakers. */
function turnsIn(lines: readonly string[]): string[][] {
  const starts = lines.map((line) => DASH.test(line));
  const later = starts.indexOf(true, 1);
  // A line inside a sentence may also begin with a dash; the end of the line before decides.
  const isDialogue = later > 0 && (starts[0] === true || ENDED.test(lines[later - 1] ?? ''));
  if (!isDialogue) return [[...lines]];
  const turns: string[][] = [];
  for (const [nth, line] of lines.entries()) {
    const current = turns.at(-1);
    if (current === undefined || starts[nth] === true) turns.push([line]);
    else current.push(line);
  }
  return turns;
}

function readTurn(
  lines: readonly string[],
  format: SubtitleFormat,
): SpeechTurn & { dropped: boolean } {
  const { before, inner, after } = peel(joinLines(lines));
  const speech = readSpeech(inner, format);
  return { before, speech: slice(speech, 0, speech.text.length), after, dropped: speech.dropped };
}

/** Line breaks inside a sentence are layout: they become a blank, or nothing between ideographs. */
function joinLines(lines: readonly string[]): string {
  return lines
    .map((line) => line.replace(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .reduce((text, line) => {
      const isDense =
        // Two units hold the last character: a test of the whole text takes long when there are many lines.
        /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]$/u.test(text.slice(-2)) &&
        /^[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u.test(line);
      return text === '' || isDense ? text + line : `${text} ${line}`;
    }, '');
}

/** The signs around the spoken words that are not translated: dash, notes, the speaker's name, brackets, markup. */
const AROUND: readonly { readonly before: RegExp; readonly after?: RegExp }[] = [
  { before: DASH },
  { before: /^[♪♫♬]+\s*/, after: /(?<!\s)\s*[♪♫♬]+$/ },
  { before: /^#+\s+(?=.*\s#+$)/, after: /(?<!\s)\s+#+$/ },
  { before: /^\p{Lu}[\p{Lu}\d .'’&#-]{1,30}:\s+(?=\S)/u },
  { before: /^[[［](?=[^[\]［］]*[\]］]$)/, after: /[\]］]$/ },
  { before: /^[(（](?=[^()（）]*[)）]$)/, after: /[)）]$/ },
];

function peel(text: string): PeeledCue {
  let { before, inner, after } = peelMarkup(text);
  for (const around of AROUND) {
    const start = around.before.exec(inner)?.[0] ?? '';
    if (start === '') continue;
    before += start;
    inner = inner.slice(start.length);
    const end = around.after?.exec(inner)?.[0] ?? '';
    after = end + after;
    inner = inner.slice(0, inner.length - end.length);
    const within = peelMarkup(inner);
    before += within.before;
    after = within.after + after;
    inner = within.inner;
  }
  // The last line of a song may have a note only at its end.
  const note = /(?<!\s)\s*[♪♫♬]+$/.exec(inner)?.[0] ?? '';
  return { before, inner: inner.slice(0, inner.length - note.length), after: note + after };
}
