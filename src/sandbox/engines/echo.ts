/** The echo engine: the text as it came, as services do that fail silently; what was applied is still shown. */
import type { Engine, EngineRecipe } from '../engine.ts';
import { frame } from './frame.ts';
import { markTerm, splitTerms } from './terms.ts';

export const echoEngine: Engine = {
  name: 'echo',
  translate: (texts, recipe) => texts.map((text) => shown(text, recipe)),
};

/** Puts terms in and frames the text where marks ask for it; without either it stays as it is. */
export function shown(text: string, recipe: EngineRecipe): string {
  const parts = recipe.terms === undefined ? [{ text }] : splitTerms(text, recipe.terms);
  const written = parts.map((p) => (p.term === undefined ? p.text : markTerm(p.term))).join('');
  return recipe.marks.length === 0 ? written : frame(written, recipe, 0);
}
