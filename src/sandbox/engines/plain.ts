/** The plain engine: replaces letters and changes nothing else, for clients that compare an answer with a text they know. */
import type { Engine } from '../engine.ts';
import { plainPseudo } from './pseudo.ts';

export const plainEngine: Engine = {
  name: 'plain',
  translate: (texts, recipe) => texts.map((text) => plainPseudo(text, recipe)),
};
