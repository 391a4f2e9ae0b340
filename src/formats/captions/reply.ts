/** Turns the service's reply for a group into one speech for each of its cues. A damaged reply affects only its group. Pure. */
import type { Part } from '../../format.ts';
import { baseLanguage, type LanguageTag } from '../../language.ts';
import { sum } from '../../segments/bill.ts';
import { breakPlaces, type Ending, endingOf, wordsAround } from './breaks.ts';
import type { FilmCue } from './film.ts';
import { functionWords } from './function-words.ts';
import type { Group } from './group.ts';
import { isIdeographic } from './limits.ts';
import { type Speech, slice, speechOf } from './speech.ts';

/**
 * How the reply was split. `as sent`: at the line breaks of the cues. `re-cut`: at new places. `repeated`: it has fewer words than cues, so
 * every cue shows all of them.
 */
export type Cutting = 'as sent' | 're-cut' | 'repeated';

export interface CutReply {
  readonly cutting: Cutting;
  /** One for each member of the group, none empty. */
  readonly speeches: readonly Speech[];
}

/** A reply shorter than this share of its source has lost something. */
const LEAST = 0.2;
/** A line longer than so many times its expected length has the text of other cues. */
const MOST_TIMES_LONGER = 4;

/** @returns why a reply cannot be the translation of the group, in one sentence; undefined when it can */
export function replyProblem(
  { text }: Pick<Group, 'text'>,
  reply: readonly Part[],
  language: LanguageTag,
): string | undefined {
  const answer = speechOf(reply).text.trim();
  if (answer === '') return 'the translation is empty';
  // An ideograph carries as much as two or three letters.
  const weight = isIdeographic(language) ? 3 : 1;
  if (answer.length * weight >= text.length * LEAST) return undefined;
  return `the translation has ${answer.length} characters for ${text.length}: something is lost`;
}

/** @param reply one without a problem */
export function cutReply(
  group: Group,
  reply: readonly Part[],
  { cues, language }: { readonly cues: readonly FilmCue[]; readonly language: LanguageTag },
): CutReply {
  const whole = speechOf(reply);
  const { cutting, pieces } = cutIntoCues(group, whole, { cues, language });
  const speeches = moveClosingSigns(pieces).map((piece) => spaceFor(piece, language));
  return { cutting, speeches };
}

interface CutSpeech {
  readonly cutting: Cutting;
  readonly pieces: readonly Speech[];
}

function cutIntoCues(
  { members }: Group,
  whole: Speech,
  { cues, language }: { readonly cues: readonly FilmCue[]; readonly language: LanguageTag },
): CutSpeech {
  const flat = { ...whole, text: whole.text.replace(/[\r\n]/g, ' ') };
  const all = slice(flat, 0, flat.text.length);
  if (members.length === 1) return { cutting: 'as sent', pieces: [squeeze(all)] };
  const lines = speechLines(whole);
  if (
    fitsSource(
      lines,
      members.map(({ speech }) => speech.text),
    )
  ) {
    return { cutting: 'as sent', pieces: lines };
  }
  const source = members.map(({ cue, speech }) => {
    const { start = 0, end = 0 } = cues[cue] ?? {};
    return { text: speech.text, duration: end - start };
  });
  const places = recut(all.text, source, language);
  if (places === undefined) return { cutting: 'repeated', pieces: members.map(() => squeeze(all)) };
  const bounds = [0, ...places, all.text.length];
  const pieces = members.map((_, nth) => slice(all, bounds[nth] ?? 0, bounds[nth + 1] ?? 0));
  return { cutting: 're-cut', pieces };
}

function speechLines(whole: Speech): Speech[] {
  const lines: Speech[] = [];
  let start = 0;
  for (const { index, 0: newline } of [...whole.text.matchAll(/\r\n|[\r\n]/g)]) {
    lines.push(slice(whole, start, index));
    start = index + newline.length;
  }
  lines.push(slice(whole, start, whole.text.length));
  return lines;
}

/** Whether there are as many lines as cues, none empty, each near the length of its cue's share. */
function fitsSource(lines: readonly Speech[], source: readonly string[]): boolean {
  if (lines.length !== source.length) return false;
  const total = lines.reduce((sum, { text }) => sum + text.length, 0);
  const sent = source.reduce((sum, text) => sum + text.length, 0);
  return lines.every(({ text }, nth) => {
    const share = (total * (source[nth]?.length ?? 0)) / sent;
    return text !== '' && text.length >= share * LEAST && text.length <= share * MOST_TIMES_LONGER;
  });
}

/** An unexpected line break left two blanks in place of one. */
function squeeze(speech: Speech): Speech {
  return speech.spans.length > 0 ? speech : { ...speech, text: speech.text.replace(/ {2,}/g, ' ') };
}

// Small corrections at the edges of cues after a sentence was split.

/** Characters that belong to the end of the cue before: closing quotes and brackets, and signs that end something. */
const CLOSING = /^(?:\s*(?:[)\]」』.,!?…。、，！？]|[»”’](?!\p{L})))+/u;

/** Moves such characters to the piece before, unless the piece would become empty. */
export function moveClosingSigns(pieces: readonly Speech[]): Speech[] {
  const repaired: Speech[] = [];
  for (const piece of pieces) {
    const signs = CLOSING.exec(piece.text)?.[0] ?? '';
    const before = repaired.at(-1);
    // Three dots at the start of a cue that goes on after a pause stay.
    const isPause = /^(?:\.\.\.|…)\s*\p{L}/u.test(piece.text);
    const rest = slice(piece, signs.length, piece.text.length);
    if (before === undefined || signs === '' || isPause || rest.text === '') {
      repaired.push(piece);
      continue;
    }
    repaired[repaired.length - 1] = { ...before, text: before.text + signs.trim() };
    repaired.push(rest);
  }
  return repaired;
}

/** French has a no-break space before high signs and inside guillemets, so that no line breaks there. */
export function spaceFor(speech: Speech, language: LanguageTag): Speech {
  if (baseLanguage(language) !== 'fr') return speech;
  // Each replacement has the same length, so the offsets of markup stay valid.
  const text = speech.text.replace(/ (?=[?!:;»])/g, '\u00a0').replace(/(?<=«) /g, '\u00a0');
  return { ...speech, text };
}

// Splits a translated sentence into as many pieces as it had cues, by dynamic programming. Nothing is bought again.

/** The text of a source cue, and how long it is shown. */
export interface SourceCue {
  readonly text: string;
  /** Milliseconds. */
  readonly duration: number;
}

// Weights measured on 7,520 boundaries that people cut, in 11 language pairs.
const BY_CHARACTERS = 0.7;
const SCALE = 14;
/** An ideograph carries as much as two or three letters. */
const SCALE_IDEOGRAPHS = SCALE / 2;
const AFTER: Readonly<Record<Ending, number>> = { none: 0, clause: -0.8, sentence: -1.2 };
const AS_SOURCE = -0.6;
const ENDS_IN_FUNCTION_WORD = 0.4;
const BEGINS_WITH_FUNCTION_WORD = -0.2;

/**
 * @param cues two or more
 * @returns offsets of the second piece and those after it; undefined when there are fewer words than cues
 */
export function recut(
  text: string,
  cues: readonly SourceCue[],
  language: LanguageTag,
): number[] | undefined {
  const places = breakPlaces(text, language).map((at) => placeAt(text, at, language));
  const boundaries = cues.length - 1;
  if (places.length < boundaries) return undefined;
  const wanted = wantedPositions(text, cues);
  const scale = isIdeographic(language) ? SCALE_IDEOGRAPHS : SCALE;
  const costs = wanted.map((want, nth) => {
    const ending = endingOf(cues[nth]?.text ?? '');
    return places.map(({ at, penalty, after }) => {
      const fits = ending !== 'none' && ending === after ? AS_SOURCE : 0;
      return ((at - want) / scale) ** 2 + penalty + fits;
    });
  });
  return cheapest(costs).map((place) => places[place]?.at ?? text.length);
}

interface SplitPoint {
  readonly at: number;
  readonly after: Ending;
  readonly penalty: number;
}

function placeAt(text: string, at: number, language: LanguageTag): SplitPoint {
  const after = endingOf(text.slice(0, at));
  return {
    at,
    after,
    penalty: AFTER[after] + (after === 'none' ? wordPenalty(text, at, language) : 0),
  };
}

function wordPenalty(text: string, at: number, language: LanguageTag): number {
  const words = functionWords(language);
  const { before, after } = wordsAround(text, at);
  if (words.has(before)) return ENDS_IN_FUNCTION_WORD;
  return words.has(after) ? BEGINS_WITH_FUNCTION_WORD : 0;
}

/** The expected place of each boundary, if the target is spread like the source, by characters and by time. */
function wantedPositions(text: string, cues: readonly SourceCue[]): number[] {
  const characters = cues.map((cue) => Math.max(1, cue.text.length));
  const durations = cues.map(({ duration }) => Math.max(1, duration));
  const [allCharacters, allDurations] = [sum(characters), sum(durations)];
  let share = 0;
  return cues.slice(0, -1).map((_, nth) => {
    share +=
      (BY_CHARACTERS * (characters[nth] ?? 0)) / allCharacters +
      ((1 - BY_CHARACTERS) * (durations[nth] ?? 0)) / allDurations;
    return text.length * share;
  });
}

/** Rising places, one for each boundary, with the lowest total cost. @param costs by boundary and place */
function cheapest(costs: readonly (readonly number[])[]): number[] {
  const count = costs[0]?.length ?? 0;
  let total: number[] = [];
  const cameFrom: number[][] = [];
  for (const [boundary, row] of costs.entries()) {
    const next: number[] = [];
    const from: number[] = [];
    let best = -1;
    for (let place = 0; place < count; place++) {
      // The cheapest place of the boundary before, among those before this place.
      if (boundary > 0 && place > 0 && (best < 0 || (total[place - 1] ?? 0) < (total[best] ?? 0))) {
        best = place - 1;
      }
      const before = boundary === 0 ? 0 : best < 0 ? Number.POSITIVE_INFINITY : (total[best] ?? 0);
      next.push(before + (row[place] ?? 0));
      from.push(best);
    }
    cameFrom.push(from);
    total = next;
  }
  return trace(total, cameFrom);
}

function trace(total: readonly number[], cameFrom: readonly (readonly number[])[]): number[] {
  let place = total.reduce((best, cost, at) => (cost < (total[best] ?? 0) ? at : best), 0);
  const chosen: number[] = [];
  for (const from of [...cameFrom].reverse()) {
    chosen.unshift(place);
    place = from[place] ?? 0;
  }
  return chosen;
}
