/** The setting `improve`: source texts are improved in their own language first, and the improved texts are translated. */

import { turnsOf } from '../clock.ts';
import { partsText } from '../format.ts';
import { cutAround } from '../segments/cut-around.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import type { Sentences } from '../segments/sentences.ts';
import type { KnownTranslation } from '../state/memory.ts';
import { askedFor, type JobText, type TextPortions } from './order.ts';
import type { TextCase } from './text-case.ts';
import { type CountedTexts, priceTexts, type TextPrice } from './text-orders.ts';
import type { Participant } from './translate.ts';

/** Milliseconds of cutting and pricing at a time. */
const TURN_MS = 10;

/** The texts to translate: improved if the service improved them, else as in the source. */
export async function* improved(
  participant: Participant,
  { recipe }: TextCase,
  wanted: TextPortions,
): AsyncGenerator<readonly JobText[]> {
  if (recipe.polish === undefined) {
    yield* wanted;
    return;
  }
  // All together, so that the requests that improve them are full too.
  const cuts = await cutAll((await Array.fromAsync(wanted)).flat());
  const answers = await participant.translate(cuts.flatMap(({ pieces }) => pieces));
  const rest = answers.values();
  const turns = turnsOf(TURN_MS);
  const better: JobText[] = [];
  for (const cut of cuts) {
    if (turns.over()) await turns.next();
    better.push(improvedText(cut, [...rest.take(cut.pieces.length)]));
  }
  yield better;
}

export interface Prices extends TextPrice {
  /** The part of `characters` that improving the sources costs. */
  readonly improvement: number;
}

/** The characters that buying would bill. A text without a known improved form counts with its source text. */
export async function pricesOf(
  { memory, improvements }: TextCase,
  texts: readonly JobText[],
  counted: CountedTexts,
): Promise<Prices> {
  if (improvements === undefined) {
    return { ...(await priceTexts(texts, memory, counted)), improvement: 0 };
  }
  const cuts = await cutAll(texts);
  const pieces = cuts.flatMap((cut) => cut.pieces);
  const { characters: improvement } = await priceTexts(pieces, improvements, counted);
  const found = (await improvements.find(pieces.map(askedFor))).values();
  const turns = turnsOf(TURN_MS);
  const next: JobText[] = [];
  for (const cut of cuts) {
    if (turns.over()) await turns.next();
    next.push(knownForm(cut, [...found.take(cut.pieces.length)]));
  }
  const price = await priceTexts(next, memory, counted);
  return { ...price, characters: improvement + price.characters, improvement };
}

function knownForm(cut: Pieces, known: readonly KnownTranslation[]): JobText {
  const answers = known.flatMap((parts): TextAnswer[] =>
    parts === undefined ? [] : [{ kind: 'translated', parts }],
  );
  return answers.length === known.length ? improvedText(cut, answers) : cut.wanted;
}

interface Pieces {
  readonly wanted: JobText;
  readonly pieces: readonly JobText[];
  readonly join: Sentences['join'];
}

async function cutAll(texts: readonly JobText[]): Promise<Pieces[]> {
  const turns = turnsOf(TURN_MS);
  const cuts: Pieces[] = [];
  for (const wanted of texts) {
    if (turns.over()) await turns.next();
    cuts.push(piecesToImprove(wanted));
  }
  return cuts;
}

/** Text improvement does not know markup, so a text is cut at its placeholders. */
function piecesToImprove(wanted: JobText): Pieces {
  const { check: _check, scope: _scope, note: _note, place: _place, ...own } = wanted;
  const whole = {
    texts: [wanted],
    join: ([answer]: readonly TextAnswer[]) => answer ?? UNANSWERED,
  };
  const { texts, join } = cutAround(whole);
  const recipe = wanted.recipe.polish ?? wanted.recipe;
  return { wanted, pieces: texts.map((text) => ({ ...own, ...text, recipe })), join };
}

const UNANSWERED: TextAnswer = { kind: 'refused', problem: 'not answered yet' };

/** A text that could not be improved is translated as it is; it is not held for that. */
function improvedText({ wanted, join }: Pieces, answers: readonly TextAnswer[]): JobText {
  const better = join(answers);
  const isText = better.kind === 'translated' && partsText(better.parts).trim() !== '';
  return isText ? { ...wanted, parts: better.parts } : wanted;
}
