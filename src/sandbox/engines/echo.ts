/** The echo engine: returns the text unchanged, like services that fail silently; applied options are still shown. */
import type { Engine, EngineRecipe } from '../engine.ts';
import { markedText, splitEdges } from './language-mark.ts';
import { cutPieces } from './protected.ts';
import { applyTerms, markTerm } from './terms.ts';

export const echoEngine: Engine = {
  name: 'echo',
  translate: (texts, recipe) => texts.map((text) => shown(text, recipe)),
};

/** Inserts terms, and adds a frame when there are marks; without either the text stays as it is. */
function shown(text: string, recipe: EngineRecipe): string {
  const { lead, core, tail } = splitEdges(cutPieces(text, recipe));
  if (core.length === 0) return text;
  const same = (words: string) => words;
  const written = core
    .map((piece) =>
      piece.kept ? piece.text : applyTerms(piece, recipe, { term: markTerm, other: same }),
    )
    .join('');
  return `${lead}${recipe.marks.length === 0 ? written : markedText(written, recipe, 0)}${tail}`;
}
