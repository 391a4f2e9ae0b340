/**
 * The texts that are bought for one segment: the segment itself, or the sentences of its ICU message or choices. Their answers are joined
 * again. Pure.
 */
import type { LanguageTag } from '../language.ts';
import { splitChoices } from './choices.ts';
import { splitIcu } from './icu.ts';
import type { Translatable } from './pieces.ts';
import type { TextAnswer } from './settle.ts';

export interface Sentences {
  readonly texts: readonly Translatable[];
  /** @param answers one per text, in order; if one is refused, the segment is refused */
  join(answers: readonly TextAnswer[]): TextAnswer;
}

export function sentencesFor(source: Translatable, language: LanguageTag): Sentences {
  const message = splitIcu(source, language) ?? splitChoices(source, language);
  if (message === undefined) {
    return { texts: [source], join: ([answer]) => answer ?? UNANSWERED };
  }
  return {
    texts: message.texts,
    join(answers) {
      const refused = answers.find((answer) => answer.kind === 'refused');
      if (refused !== undefined) return refused;
      if (answers.length !== message.texts.length) return UNANSWERED;
      const translations = answers.map((answer) =>
        answer.kind === 'translated' ? answer.parts : [],
      );
      return { kind: 'translated', parts: message.join(translations) };
    },
  };
}

const UNANSWERED: TextAnswer = { kind: 'refused', problem: 'not answered yet' };
