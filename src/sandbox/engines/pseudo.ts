/**
 * The pseudo engine puts accents on every ASCII letter, adds about a third of the length, and a frame with the language. Chinese, Japanese
 * and Korean get full width; Arabic and Hebrew get isolates. Deterministic, and `undoPseudo` reverses it.
 */
import { baseLanguage, parseLanguage } from '../../language.ts';
import type { Engine, EngineRecipe } from '../engine.ts';
import { markedText, splitEdges, textOfPieces, unframe } from './language-mark.ts';
import { cutPieces, type ProtectedPiece } from './protected.ts';
import { applyTerms, markTerm } from './terms.ts';

export const pseudoEngine: Engine = {
  name: 'pseudo',
  translate: (texts, recipe) => texts.map((text) => pseudo(text, recipe)),
};

/** A text without a letter outside placeholders and tags is returned unchanged. */
export function pseudo(text: string, recipe: EngineRecipe): string {
  const { lead, core, tail } = splitEdges(cutPieces(text, recipe));
  if (!core.some((piece) => !piece.kept && LETTER.test(piece.text))) return text;
  const script = scriptOf(recipe.target);
  const written = core.map((piece) => pseudoLettersOf(piece, script, recipe)).join('');
  const padding = Math.max(1, Math.ceil(textOfPieces(core).length * 0.15));
  const inner = script.isolate ? `${RLI}${written}${PDI}` : written;
  return `${lead}${markedText(inner, recipe, padding)}${tail}`;
}

/**
 * Recovers the source text from an answer of the pseudo engine.
 * @param terms the glossary that was used: its target phrases become their source phrases again; exact only if no two source phrases have
 * the same target phrase.
 */
export function undoPseudo(text: string, terms?: ReadonlyMap<string, string>): string {
  const { lead, core, tail } = splitEdges(cutPieces(text));
  const framed = unframe(textOfPieces(core));
  if (framed === undefined) return text;
  const script = scriptOf(framed.target);
  const inner = script.isolate ? framed.core.slice(1, -1) : framed.core;
  const sources = new Map([...(terms ?? [])].map(([source, target]) => [target, source]));
  return `${lead}${plainLettersOf(inner, script, sources)}${tail}`;
}

/** Only other letters: no frame, no more length, terms as in the glossary. */
export function plainPseudo(text: string, recipe: EngineRecipe): string {
  const { accents } = scriptOf(recipe.target);
  const term = (phrase: string) => phrase;
  const other = (words: string) => letters(words, accents);
  return cutPieces(text, recipe)
    .map((piece) => (piece.kept ? piece.text : applyTerms(piece, recipe, { term, other })))
    .join('');
}

interface Script {
  readonly accents: ReadonlyMap<string, string>;
  /** The accents, and an escape for characters of the source that look like them. */
  readonly pseudoLetters: ReadonlyMap<string, string>;
  readonly plainLetters: ReadonlyMap<string, string>;
  readonly isolate: boolean;
}

const LETTER = /\p{L}/u;
const RLI = '\u2067';
const PDI = '\u2069';
/** Put before a character of the source that looks like an accented one of ours: WORD JOINER, invisible. */
const ESCAPE = '\u2060';

const PLAIN = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';
const ACCENTED = 'ȧƀƈḓḗƒɠħīĵķŀḿƞǿƥɋřşŧŭṽẇẋẏẑȦƁƇḒḖƑƓĦĪĴĶĿḾȠǾƤɊŘŞŦŬṼẆẊẎẐ';
const FULL_WIDTH = Array.from(PLAIN, (letter) =>
  String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0),
).join('');

const latin = scriptWith(ACCENTED, false);
const rightToLeft = scriptWith(ACCENTED, true);
const fullWidth = scriptWith(FULL_WIDTH, false);

function scriptWith(image: string, isolate: boolean): Script {
  const pairs = Array.from(PLAIN, (letter, i) => [letter, image[i] ?? letter] as const);
  const escaped = [...image, ESCAPE, RLI, PDI, '‹', '›'];
  return {
    accents: new Map(pairs),
    pseudoLetters: new Map([...pairs, ...escaped.map((each) => [each, ESCAPE + each] as const)]),
    plainLetters: new Map(pairs.map(([letter, accented]) => [accented, letter])),
    isolate,
  };
}

function scriptOf(target: string): Script {
  const tag = parseLanguage(target);
  const base: string = tag === undefined ? target : baseLanguage(tag);
  if (base === 'ar' || base === 'he') return rightToLeft;
  return base === 'ja' || base === 'ko' || base === 'zh' ? fullWidth : latin;
}

function pseudoLettersOf(piece: ProtectedPiece, script: Script, recipe: EngineRecipe): string {
  if (piece.kept) return piece.text;
  const other = (text: string) => letters(text, script.pseudoLetters);
  return applyTerms(piece, recipe, { term: markTerm, other });
}

function letters(text: string, map: ReadonlyMap<string, string>): string {
  let written = '';
  for (const letter of text) written += map.get(letter) ?? letter;
  return written;
}

function plainLettersOf(
  text: string,
  script: Script,
  sources: ReadonlyMap<string, string>,
): string {
  return cutPieces(text)
    .map((piece) => (piece.kept ? piece.text : plain(piece.text, script, sources)))
    .join('');
}

/** A marked term, an escaped character, or any other character. */
const UNIT = /‹([^›]*)›|\u2060(.)|(.)/gsu;

function plain(text: string, script: Script, sources: ReadonlyMap<string, string>): string {
  return text.replaceAll(UNIT, (unit, term?: string, escaped?: string) => {
    if (term !== undefined) return sources.get(term) ?? term;
    return escaped ?? script.plainLetters.get(unit) ?? unit;
  });
}
