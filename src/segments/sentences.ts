/**
 * The texts that are bought for one segment: the segment itself, or the sentences of its ICU message or choices. Their answers are joined
 * again. Pure.
 */
import type { LanguageTag } from '../language.ts';
import { type Choices, splitChoices } from './inline/choices.ts';
import { type IcuMessage, splitIcu } from './inline/icu.ts';
import type { Translatable } from './inline/pieces.ts';
import type { TextAnswer } from './record-for.ts';

export interface Sentences {
  readonly texts: readonly Translatable[];
  /** @param answers one per text, in order; if one is refused, the segment is refused */
  join(answers: readonly TextAnswer[]): TextAnswer;
}

export function sentencesFor(source: Translatable, language: LanguageTag): Sentences {
  const message = splitIcu(source, language) ?? splitChoices(source, language);
  return message === undefined ? { texts: [source], join: wholeText } : inSentences(message);
}

/** One function for all texts that are sent as they are: otherwise each of 120,000 texts of a file would have its own function. */
const wholeText: Sentences['join'] = ([answer]) => answer ?? UNANSWERED;

function inSentences(message: IcuMessage | Choices): Sentences {
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
