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
    const own = { lineLength: limits.lineLength, lines, indent: width(around, language) };
    return wrap(speeches[nth] ?? turn.speech, own, language);
  });
  return joinCue(apart, fitted, format);
}

/** The limits of one speech. */
interface LineLimits {
  readonly lineLength: number;
  readonly lines: number;
  /** Characters before the text on its first line (a dash, a name). */
  readonly indent: number;
}

/**
 * @returns the speech unchanged if it fits one line; else on as few lines as it needs, at most `limits.lines`. It is broken after punctuation
 * and before conjunctions and prepositions, and the lower line is longer.
 */
export function wrap(speech: Speech, limits: LineLimits, language: LanguageTag): Speech {
  const length = limits.indent + width(speech.text, language);
  if (length <= limits.lineLength || limits.lines < 2) return speech;
  const lines = Math.min(limits.lines, Math.ceil(length / limits.lineLength));
  const layouts = Array.from({ length: limits.lines - lines + 1 }, (_, more) =>
    layout(speech.text, { ...limits, lines: lines + more }, language),
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
function layout(text: string, limits: LineLimits, language: LanguageTag): LineLayout | undefined {
  const places = [0, ...breakPlaces(text, language), text.length];
  const measured: MeasuredText = {
    limits,
    ideal: (limits.indent + width(text, language)) / limits.lines,
    places,
    penalties: places.map((at) => breakPenalty(text, at, language)),
    ...widthsAt(text, places, language),
  };
  let reached: readonly (LineLayout | undefined)[] = [{ breaks: [], cost: 0, overflow: 0 }];
  for (let line = 0; line < limits.lines; line++) {
    const isLast = line === limits.lines - 1;
    reached = places.map((_, to) =>
      isLast === (to === places.length - 1)
        ? cheapestLine(measured, { line, to, reached })
        : undefined,
    );
  }
  return reached.at(-1);
}

/** Adds up the widths of the pieces: to measure the whole text for each place takes seconds for a long one. */
function widthsAt(
  text: string,
  places: readonly number[],
  language: LanguageTag,
): Pick<MeasuredText, 'starts' | 'ends'> {
  const starts: number[] = [];
  const ends: number[] = [];
  let [sum, from] = [0, 0];
  for (const at of places) {
    sum += width(text.slice(from, at), language);
    from = at;
    starts.push(sum);
    const trimmed = text.slice(0, at).trimEnd().length;
    ends.push(sum - width(text.slice(trimmed, at), language));
  }
  return { starts, ends };
}

/** A text with its width measured at every possible line break. */
interface MeasuredText {
  readonly limits: LineLimits;
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
  { limits, ideal, places, penalties, starts, ends }: MeasuredText,
  { line, to, reached }: LineEnd,
): LineLayout | undefined {
  const isLast = line === limits.lines - 1;
  const penalty = isLast ? 0 : (penalties[to] ?? 0);
  let best:
    | { readonly above: LineLayout; readonly cost: number; readonly over: number }
    | undefined;
  for (let from = to - 1; from >= 0; from--) {
    const above = reached[from];
    if (above === undefined) continue;
    const length = (line === 0 ? limits.indent : 0) + (ends[to] ?? 0) - (starts[from] ?? 0);
    const over = Math.max(0, length - limits.lineLength);
    const lean = !isLast && length > ideal ? TOP_HEAVY : 0;
    const cost = above.cost + over * OVERFLOW + ((length - ideal) / 4) ** 2 + lean + penalty;
    // If several are equal, the one with the longest line.
    if (best === undefined || cost <= best.cost) best = { above, cost, over };
  }
  if (best === undefined) return undefined;
  const { above, cost, over } = best;
  const breaks = isLast ? above.breaks : [...above.breaks, places[to] ?? 0];
  return { breaks, cost, overflow: above.overflow + over };
}

/** Characters before a break that decide how natural it is. */
const NEAR = 40;

function breakPenalty(text: string, at: number, language: LanguageTag): number {
  if (endingOf(text.slice(Math.max(0, at - NEAR), at)) !== 'none') return AFTER_PUNCTUATION;
  const { before, after } = wordsAround(text, at);
  const words = functionWords(language);
  if (words.has(before)) return AFTER_FUNCTION_WORD;
  return words.has(after) ? BEFORE_FUNCTION_WORD : 0;
}
