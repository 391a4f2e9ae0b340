/**
 * How often the re-cut of a translated sentence meets the places where people cut it, beside a proportional split. Parallel subtitles are
 * the measure: `--pairs FOLDER` with `NAME.LANGUAGE.srt` or `.vtt`. The npm package video.js 8 has five languages of Elephants Dream in
 * dist/examples. The corpus has none: a film of it stands for its own translation there, its shares disturbed as those of a translation
 * are.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { breakPlaces } from '../src/formats/captions/breaks.ts';
import { type Film, filmOf } from '../src/formats/captions/film.ts';
import { sentenceGroups } from '../src/formats/captions/group.ts';
import { readSubtitles } from '../src/formats/captions/read.ts';
import { recut, type SourceCue } from '../src/formats/captions/reply.ts';
import { type LanguageTag, parseLanguage } from '../src/language.ts';

/** 1332 cues, cut by people. */
const FILM = join(import.meta.dirname, '../../shared/corpus/subtitles/utf-8.srt');
const FRENCH = 'fr' as LanguageTag;
/** Share of the time that either is shown which a cue and its translation have in common. */
const SAME_TIME = 0.6;
/** Standard deviation of what a cue's share of its sentence is multiplied with in translation, as a logarithm: Elephants Dream's. */
const DRIFT = 0.27;
/** Times that a film is disturbed. */
const ROUNDS = process.argv.includes('--smoke') ? 1 : 20;

const pairsAt = process.argv.indexOf('--pairs');
const folder = pairsAt < 0 ? undefined : process.argv[pairsAt + 1];

if (folder !== undefined) comparePairs(folder);
if (existsSync(FILM)) compareFilm(FILM);
if (folder === undefined && !existsSync(FILM))
  console.log('cuts: no subtitles here that people cut');

function comparePairs(pairs: string): void {
  const films = Map.groupBy(filesIn(pairs), ({ name }) => name);
  const all = tallies();
  for (const versions of films.values()) {
    for (const target of versions) {
      const own = tallies();
      for (const source of versions.filter((each) => each !== target)) {
        for (const sentence of sharedSentences(source.film, target.film)) {
          measure(sentence, target.language, [own, all]);
        }
      }
      console.log(`${target.name} into ${target.language}: ${shown(own)}`);
    }
  }
  console.log(`parallel subtitles, all: ${shown(all)}`);
}

function compareFilm(path: string): void {
  const film = read(path);
  const sentences = sharedSentences(film, film);
  const asTheyAre = tallies();
  const disturbed = tallies();
  const random = randomFrom(7);
  for (const { cues, pieces } of sentences) {
    measure({ cues, pieces }, FRENCH, [asTheyAre]);
    for (let round = 0; round < ROUNDS; round++) {
      const other = cues.map((cue) => ({ ...cue, text: stretched(cue.text, driftFrom(random)) }));
      measure({ cues: other, pieces }, FRENCH, [disturbed]);
    }
  }
  console.log(`a film for its own translation: ${shown(asTheyAre)}`);
  console.log(`the same, shares disturbed ${ROUNDS} times: ${shown(disturbed)}`);
}

/** Normally distributed as a logarithm: twelve uniform numbers together come near enough. */
function driftFrom(random: () => number): number {
  const normal = Array.from({ length: 12 }, random).reduce((sum, each) => sum + each, -6);
  return Math.exp(DRIFT * normal);
}

interface Version {
  readonly name: string;
  readonly language: LanguageTag;
  readonly film: Film;
}

function filesIn(pairs: string): Version[] {
  return readdirSync(pairs).flatMap((file) => {
    const [, name, code] = /^(.+)\.([A-Za-z-]+)\.(?:srt|vtt)$/.exec(file) ?? [];
    const language = code === undefined ? undefined : parseLanguage(code);
    if (name === undefined || language === undefined) return [];
    return [{ name, language, film: read(join(pairs, file)) }];
  });
}

/** One sentence over several cues, and the pieces into which people cut its translation. */
interface Sentence {
  readonly cues: readonly SourceCue[];
  readonly pieces: readonly string[];
}

/** Sentences of the source that fill the same cues in the target. */
function sharedSentences(source: Film, target: Film): Sentence[] {
  return sentenceGroups(source.cues, { joins: true }).flatMap(({ members }) => {
    if (members.length < 2) return [];
    const cues = members.flatMap(({ cue, speech }) => {
      const { start = 0, end = 0 } = source.cues[cue] ?? {};
      return { text: speech.text, duration: end - start, start, end };
    });
    const theirs = cues.map((own) => target.cues.find((cue) => together(own, cue) >= SAME_TIME));
    const pieces = theirs.map((cue) =>
      cue?.apart.turns.length === 1 ? (cue.apart.turns[0]?.speech.text ?? '') : '',
    );
    return pieces.includes('') ? [] : [{ cues, pieces }];
  });
}

interface Shown {
  readonly start: number;
  readonly end: number;
}

function together(a: Shown, b: Shown): number {
  const common = Math.min(a.end, b.end) - Math.max(a.start, b.start);
  return common / (Math.max(a.end, b.end) - Math.min(a.start, b.start));
}

interface Agreement {
  boundaries: number;
  exact: number;
  /** Within two words. */
  near: number;
}

interface Tallies {
  readonly recut: Agreement;
  readonly proportional: Agreement;
}

function tallies(): Tallies {
  const none = () => ({ boundaries: 0, exact: 0, near: 0 });
  return { recut: none(), proportional: none() };
}

function measure(
  { cues, pieces }: Sentence,
  language: LanguageTag,
  into: readonly Tallies[],
): void {
  const text = pieces.join(' ');
  const human = boundariesOf(pieces);
  const places = breakPlaces(text, language);
  const total = cues.reduce((sum, cue) => sum + cue.text.length, 0);
  let share = 0;
  const proportional = cues.slice(0, -1).map((cue) => {
    share += cue.text.length / total;
    return nearest(places, share * text.length);
  });
  const found = recut(text, cues, language) ?? [];
  for (const tally of into) {
    count(tally.recut, { human, found, places });
    count(tally.proportional, { human, found: proportional, places });
  }
}

function boundariesOf(pieces: readonly string[]): number[] {
  let at = 0;
  return pieces.slice(0, -1).map((piece) => {
    at += piece.length + 1;
    return at;
  });
}

interface Cuts {
  readonly human: readonly number[];
  readonly found: readonly number[];
  readonly places: readonly number[];
}

function count(agreement: Agreement, { human, found, places }: Cuts): void {
  for (const [nth, boundary] of human.entries()) {
    const distance = Math.abs(places.indexOf(boundary) - places.indexOf(found[nth] ?? -1));
    agreement.boundaries += 1;
    if (distance === 0) agreement.exact += 1;
    if (distance <= 2) agreement.near += 1;
  }
}

function nearest(places: readonly number[], wanted: number): number {
  return places.reduce(
    (best, place) => (Math.abs(place - wanted) < Math.abs(best - wanted) ? place : best),
    places[0] ?? 0,
  );
}

/** The same ending, so many times as many characters. */
function stretched(text: string, factor: number): string {
  const length = Math.max(1, Math.round(text.length * factor));
  return length <= text.length ? text.slice(text.length - length) : text.padStart(length, 'x');
}

function shown({ recut, proportional }: Tallies): string {
  const { boundaries } = recut;
  if (boundaries === 0) return 'none to compare';
  const percent = (part: number) => `${((100 * part) / boundaries).toFixed(0)} %`;
  const told = ({ exact, near }: Agreement) =>
    `${percent(exact)} exactly, ${percent(near)} within two words`;
  return `${boundaries} boundaries, ${told(recut)}; a proportional split ${told(proportional)}`;
}

function read(path: string): Film {
  const file = readSubtitles(readFileSync(path), { file: path, fallback: 'windows-1252' });
  return filmOf(file, file.format, { sdh: 'translate' });
}

/** In [0, 1), always the same (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
