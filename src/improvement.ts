/** `improve` on a project: the sources' texts are improved in their own language first, and what is translated is the improved text. */

import { turnsOf } from './clock.ts';
import type { TextCase } from './examine.ts';
import { partsText } from './format.ts';
import type { Memory } from './memory.ts';
import { memoryKey } from './recipe.ts';
import { codePoints } from './segments/bill.ts';
import { cutAround } from './segments/cut-around.ts';
import { protect } from './segments/protect.ts';
import type { Sentences } from './segments/sentences.ts';
import type { Bought } from './segments/settle.ts';
import { type Counted, priceOf } from './shopping.ts';
import { firstAttempt, type Wanted } from './translate/order.ts';
import type { Participant } from './translate.ts';

/** Milliseconds of cutting and pricing at a time. */
const TURN_MS = 10;

/** The texts as they are translated: improved where the service improved them, else as they stand in the source. */
export async function improved(
  participant: Participant,
  { recipe }: TextCase,
  wanted: readonly Wanted[],
): Promise<readonly Wanted[]> {
  if (recipe.polish === undefined) return wanted;
  const turns = turnsOf(TURN_MS);
  const cuts: Pieces[] = [];
  for (const text of wanted) {
    if (turns.over()) await turns.next();
    cuts.push(piecesOf(text));
  }
  const answers = await participant.translate(cuts.flatMap(({ pieces }) => pieces));
  const rest = answers.values();
  const better: Wanted[] = [];
  for (const cut of cuts) {
    if (turns.over()) await turns.next();
    better.push(joined(cut, [...rest.take(cut.pieces.length)]));
  }
  return better;
}

export interface Prices {
  /** Unicode code points, all in all. */
  readonly characters: number;
  /** Those of them that improving the sources costs. */
  readonly improvement: number;
}

/** What buying would bill. A text whose improved form is not known yet counts as it stands. */
export async function pricesOf(
  { memory, improvements }: TextCase,
  texts: readonly Wanted[],
  counted: Counted,
): Promise<Prices> {
  if (improvements === undefined) {
    return { characters: await priceOf(texts, memory, counted), improvement: 0 };
  }
  const turns = turnsOf(TURN_MS);
  let improvement = 0;
  const next: Wanted[] = [];
  for (const wanted of texts) {
    if (turns.over()) await turns.next();
    const cut = piecesOf(wanted);
    improvement += openCharacters(cut.pieces, improvements, counted);
    next.push(knownForm(cut, improvements));
  }
  return { characters: improvement + (await priceOf(next, memory, counted)), improvement };
}

function knownForm(cut: Pieces, improvements: Memory): Wanted {
  const known = cut.pieces.map(({ recipe, parts }) => improvements.lookup(recipe.key, parts));
  const answers = known.flatMap((parts): Bought[] =>
    parts === undefined ? [] : [{ kind: 'translated', parts }],
  );
  return answers.length === known.length ? joined(cut, answers) : cut.wanted;
}

interface Pieces {
  readonly wanted: Wanted;
  readonly pieces: readonly Wanted[];
  readonly join: Sentences['join'];
}

/** Text improvement knows no markup: its texts end where a placeholder begins. */
function piecesOf(wanted: Wanted): Pieces {
  const { check: _check, scope: _scope, note: _note, place: _place, ...own } = wanted;
  const whole = { texts: [wanted], join: ([answer]: readonly Bought[]) => answer ?? UNANSWERED };
  const { texts, join } = cutAround(whole);
  const recipe = wanted.recipe.polish ?? wanted.recipe;
  return { wanted, pieces: texts.map((text) => ({ ...own, ...text, recipe })), join };
}

const UNANSWERED: Bought = { kind: 'refused', problem: 'not answered yet' };

/** A text that could not be improved is translated as it stands: that is no reason to hold it. */
function joined({ wanted, join }: Pieces, answers: readonly Bought[]): Wanted {
  const better = join(answers);
  const isText = better.kind === 'translated' && partsText(better.parts).trim() !== '';
  return isText ? { ...wanted, parts: better.parts } : wanted;
}

function openCharacters(pieces: readonly Wanted[], memory: Memory, counted: Counted): number {
  let characters = 0;
  for (const piece of pieces) {
    const id = `${piece.project}\n${memoryKey(piece)}\n${partsText(piece.parts)}`;
    if (counted.has(id) || memory.lookup(memoryKey(piece), piece.parts) !== undefined) continue;
    counted.add(id);
    characters += codePoints(protect(piece, firstAttempt(piece)).text);
  }
  return characters;
}
