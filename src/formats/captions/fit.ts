/** Fits translated speech into its cue: splits it into lines if it is too long, and adds the surrounding marks again. Pure. */
import type { LanguageTag } from '../../language.ts';
import { breakPlaces, endingOf, wordsAround } from './breaks.ts';
import { type CueText, joinCue } from './cue-text.ts';
import { functionWords } from './function-words.ts';
import { type CaptionLimits, width } from './limits.ts';
import { withoutMarkup } from './markup.ts';
import { breakLines, type Speech } from './speech.ts';
import type { SubtitleFormat } from './timing.ts';

export interface CaptionScreen {
  readonly format: SubtitleFormat;
  readonly language: LanguageTag;
  readonly limits: CaptionLimits;
}

/** @param speeches one for each turn of the cue @returns the cue's text, lines joined by LF */
export function fitCue(
  apart: CueText,
  speeches: readonly Speech[],
  { format, language, limits }: CaptionScreen,
): string {
  // The speakers share the lines of a cue; each gets at least one line.
  const lines = Math.max(1, Math.floor(limits.lines / apart.turns.length));
  const fitted = apart.turns.map((turn, nth) => {
    const around = withoutMarkup(
      `${apart.before}${turn.before}${turn.after}${apart.after}`,
      format,
    );
    const room = { lineLength: limits.lineLength, lines, indent: width(around, language) };
    return wrap(speeches[nth] ?? turn.speech, room, language);
  });
  return joinCue(apart, fitted, format);
}

/**
 * The space for one speech. A text that is too long is broken after punctuation and before conjunctions and prepositions; the lower line is
 * longer.
 */
interface LineRoom {
  readonly lineLength: number;
  readonly lines: number;
  /** Characters before the text on its first line (a dash, a name). */
  readonly indent: number;
}

/** Returns the speech unchanged if it fits one line; else on as few lines as it needs, at most `room.lines`. */
export function wrap(speech: Speech, room: LineRoom, language: LanguageTag): Speech {
  const length = room.indent + width(speech.text, language);
  if (length <= room.lineLength || room.lines < 2) return speech;
  const lines = Math.min(room.lines, Math.ceil(length / room.lineLength));
  const layouts = Array.from({ length: room.lines - lines + 1 }, (_, more) =>
    layout(speech.text, { ...room, lines: lines + more }, language),
  ).filter((each) => each !== undefined);
  const best = layouts.find(({ overflow }) => overflow === 0) ?? layouts.at(-1);
  return best === undefined ? speech : breakLines(speech, best.breaks);
}

interface LineLayout {
  readonly breaks: readonly number[];
  readonly cost: number;
  /** Characters beyond the line length, all lines together. */
  readonly overflow: number;
}

const OVERFLOW = 100;
const AFTER_PUNCTUATION = -6;
const BEFORE_FUNCTION_WORD = -3;
const AFTER_FUNCTION_WORD = 12;
const TOP_HEAVY = 2;

/** The cheapest layout on exactly so many lines; undefined when the text has fewer words. */
function layout(text: string, room: LineRoom, language: LanguageTag): LineLayout | undefined {
  const places = [0, ...breakPlaces(text, language), text.length];
  const measured: MeasuredText = {
    room,
    ideal: (room.indent + width(text, language)) / room.lines,
    places,
    penalties: places.map((at) => breakPenalty(text, at, language)),
    starts: places.map((at) => width(text.slice(0, at), language)),
    ends: places.map((at) => width(text.slice(0, at).trimEnd(), language)),
  };
  let reached: readonly (LineLayout | undefined)[] = [{ breaks: [], cost: 0, overflow: 0 }];
  for (let line = 0; line < room.lines; line++) {
    const isLast = line === room.lines - 1;
    reached = places.map((_, to) =>
      isLast === (to === places.length - 1)
        ? cheapestLine(measured, { line, to, reached })
        : undefined,
    );
  }
  return reached.at(-1);
}

/** A text with its width measured at every possible line break. */
interface MeasuredText {
  readonly room: LineRoom;
  /** Line length if all lines were equally long. */
  readonly ideal: number;
  readonly places: readonly number[];
  readonly penalties: readonly number[];
  /** Width of the text before a break, with and without the blank there. */
  readonly starts: readonly number[];
  readonly ends: readonly number[];
}

interface LineEnd {
  readonly line: number;
  /** Index of the break where the line ends. */
  readonly to: number;
  /** By break: the best layout of the lines above that ends there. */
  readonly reached: readonly (LineLayout | undefined)[];
}

function cheapestLine(
  { room, ideal, places, penalties, starts, ends }: MeasuredText,
  { line, to, reached }: LineEnd,
): LineLayout | undefined {
  const isLast = line === room.lines - 1;
  let best: LineLayout | undefined;
  for (let from = 0; from < to; from++) {
    const above = reached[from];
    if (above === undefined) continue;
    const length = (line === 0 ? room.indent : 0) + (ends[to] ?? 0) - (starts[from] ?? 0);
    const overflow = Math.max(0, length - room.lineLength);
    const lean = !isLast && length > ideal ? TOP_HEAVY : 0;
    const penalty = isLast ? 0 : (penalties[to] ?? 0);
    const cost = above.cost + overflow * OVERFLOW + ((length - ideal) / 4) ** 2 + lean + penalty;
    if (best !== undefined && best.cost <= cost) continue;
    const breaks = isLast ? above.breaks : [...above.breaks, places[to] ?? 0];
    best = { breaks, cost, overflow: above.overflow + overflow };
  }
  return best;
}

function breakPenalty(text: string, at: number, language: LanguageTag): number {
  if (endingOf(text.slice(0, at)) !== 'none') return AFTER_PUNCTUATION;
  const { before, after } = wordsAround(text, at);
  const words = functionWords(language);
  if (words.has(before)) return AFTER_FUNCTION_WORD;
  return words.has(after) ? BEFORE_FUNCTION_WORD : 0;
}
