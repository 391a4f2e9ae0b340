/** The plain engine: other letters and nothing besides, for clients that compare an answer with what they sent or expect. */
import type { Engine } from '../engine.ts';
import { plainPseudo } from './pseudo.ts';

export const plainEngine: Engine = {
  name: 'plain',
  translate: (texts, recipe) => texts.map((text) => plainPseudo(text, recipe)),
};
