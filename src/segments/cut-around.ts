/**
 * Texts for text improvement, which does not know markup. They are cut around placeholders and tags, so that none of them is sent. Pure.
 */

import type { Part } from '../format.ts';
import { append } from '../parsing/append.ts';
import { type Piece, type Translatable, takeApart } from './inline/pieces.ts';
import type { TextAnswer } from './record-for.ts';
import type { Sentences } from './sentences.ts';

/** The pieces of the texts between their placeholders. Pieces without a letter are not sent and stay as they are. */
export function cutAround(sentences: Sentences): Sentences {
  const cuts = sentences.texts.map((text) => cutTexts(text));
  return {
    texts: cuts.flatMap(({ texts }) => texts),
    join(answers) {
      const rest = answers.values();
      return sentences.join(
        cuts.map((each) => joinedAnswer(each, [...rest.take(each.texts.length)])),
      );
    },
  };
}

interface CutText {
  readonly texts: readonly Translatable[];
  /** The parts of the whole text; `null` is the place of the next answer. */
  readonly frame: readonly (Part | null)[];
}

function cutTexts(source: Translatable): CutText {
  const { before, inner, after } = takeApart(source);
  const texts = inner
    .filter(isWorthSending)
    .map(({ text }) => ({ parts: [text], syntax: source.syntax }));
  const frame = inner.map((piece) => (isWorthSending(piece) ? null : partOf(piece)));
  return { texts, frame: [...before, ...frame, ...after] };
}

function joinedAnswer({ texts, frame }: CutText, answers: readonly TextAnswer[]): TextAnswer {
  if (answers.length < texts.length) return { kind: 'refused', problem: 'not answered yet' };
  const parts: Part[] = [];
  const rest = answers.values();
  for (const piece of frame) {
    const answer = piece === null ? rest.next().value : undefined;
    if (answer?.kind === 'refused') return answer;
    if (answer?.kind === 'translated') append(parts, answer.parts);
    else if (piece !== null) parts.push(piece);
  }
  return { kind: 'translated', parts };
}

function isWorthSending({ kind, text }: Piece): boolean {
  return kind === 'text' && /\p{L}/u.test(text);
}

function partOf(piece: Piece): Part {
  return piece.kind === 'text' ? piece.text : piece.part;
}
