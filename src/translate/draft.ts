/** A draft: the target of one text job, from the bytes on the disk to the bytes that replace them. */

import type { BaselineRecord } from '../baseline.ts';
import { JobFailure } from '../failure.ts';
import type { ReadFile } from '../files/disk.ts';
import { partsText, sourceParts } from '../format.ts';
import type { OpenText as NamedOpenText, OpenCounts, OpenUnit, TextCounts } from '../lane.ts';
import { append } from '../parsing/append.ts';
import type { Limited } from '../parsing/within.ts';
import type { Decision } from '../segments/decision.ts';
import { type MovingText, textsThatLeft } from '../segments/moving-texts.ts';
import { openCounts, openState, openTexts, textCounts } from '../segments/open-texts.ts';
import type { TextAnswer } from '../segments/record-for.ts';
import { sourceHash, unitId } from '../segments/statements.ts';
import type { Finished } from './draft-outcome.ts';
import {
  type DraftOutcome,
  finishDraft,
  isTargetUpToDate,
  withoutMisfitTexts,
} from './draft-outcome.ts';
import {
  boughtAgain,
  heldParts,
  inheritedTexts,
  lostRecords,
  movedHere,
  readAnew,
  removedOfPeople,
  staleTerms,
  takenForRemoved,
  unexplainedFrame,
  unreadableParts,
  untranslatedParts,
  withoutAnyText,
} from './file-notes.ts';
import { movedInto } from './incoming-texts.ts';
import { decideWithMemory, gather, type TextFindings, type TextInspection } from './inspection.ts';
import type { OrderableText, SegmentPurchase } from './orderable-text.ts';
import { findingsWithHistory } from './page-in-history.ts';
import { RECALL_PORTION } from './recall.ts';
import type { RelationBlocker } from './relation-model.ts';
import type { TextCase } from './text-case.ts';
import { pastOf } from './text-history.ts';
import { inputsFor } from './text-inputs.ts';
import { boughtBy, type PurchaseSizes, purchasesOf, sizesOf } from './text-orders.ts';

/**
 * Reads, decides and composes. All work that grows with the file is inside, so that it can run on a thread. Input and output come in
 * portions that do not block the event loop.
 * @throws JobFailure from every method, as the format or the disk threw it
 */
export interface Draft extends Disposable {
  readonly facts: DraftFacts;
  /** A portion of the texts to buy, in the order of the file. @param from index of the first one */
  texts(from: number): Promise<readonly OrderableText[]>;
  /** Takes the next answers, in the order of the texts. */
  answer(answers: readonly TextAnswer[]): Promise<void>;
  /**
   * Composes the target with source texts in place of the ones to buy, and discards it. Throws what `finish` would throw for the files as
   * they are.
   */
  tryToCompose(at: string): Promise<void>;
  /** Pages: how many lines between the texts wait for a person's choice when the target is written. */
  frameConflicts(at: string): Promise<number>;
  /** Composes the target. @param at ISO 8601 */
  finish(at: string): Promise<Finished>;
  /** The records of the target that `finish` would compose. @param at ISO 8601 */
  records(at: string): Promise<BaselineRecord | undefined>;
  /** Stores the baseline of the new target. It is called before the target is replaced. */
  prepare(): Promise<void>;
  /** Texts that stay as they are although their terms changed, a sentence each; empty when `retranslate_on` buys them. */
  staleTerms(): Promise<readonly string[]>;
  /** Segments that are to be bought, are held, or wait for a person's choice. */
  openUnits(): Promise<readonly OpenUnit[]>;
  /** The beginning of the source's readable text. @param characters Unicode code points */
  sample(characters: number): Promise<string>;
}

export interface DraftFacts {
  readonly source: Pick<ReadFile, 'hash' | 'stat'>;
  readonly target: Pick<ReadFile, 'hash' | 'stat'> | undefined;
  readonly blocker: RelationBlocker | undefined;
  /** The target needs no change. */
  readonly needsNothing: boolean;
  /** Reading took a good part of the time limit: it may not suffice to write the target. */
  readonly isSlow?: true;
  /** Number of texts to buy. */
  readonly texts: number;
  readonly counts: TextCounts;
  readonly states: OpenCounts;
  /** In the order of the texts. */
  readonly sizes: PurchaseSizes;
  /** Texts that are not up to date, the first ones of each kind. */
  readonly named: readonly NamedOpenText[];
  /** Parts of the source that stay as they are, and texts that are bought again although their sources stayed, a sentence each. */
  readonly notes: readonly string[];
  /** Parts of the source that cannot be read, and texts that the target takes over, a sentence each. */
  readonly damage: readonly string[];
  /** Translations of people that leave the target, and texts that count as removed by a person; also in `notes`. */
  readonly removed: readonly string[];
  /** The translations of people whose texts left the source, for the file that gets them. */
  readonly left: { readonly format: string; readonly texts: readonly MovingText[] };
}

const UNLIMITED: Limited = async (work) => work();

/** @throws JobFailure `malformed`, `unreadable`, `unsupported`, `changed-meanwhile`; what `limited` throws */
export async function openDraft(text: TextCase, limited: Limited = UNLIMITED): Promise<Draft> {
  const material = await gather(text);
  const findings = await findingsWithHistory(text, material, limited);
  const first = { ...findings, ...(await decideWithMemory(text, findings, limited)) };
  const past = await pastOf(text, { material, findings: first, limited });
  const known = { ...findings, ...(past && { past }) };
  const seen =
    past === undefined ? first : { ...known, ...(await decideWithMemory(text, known, limited)) };
  const moved = await movedInto(text, seen);
  if (moved === undefined) return await limited(() => newDraft(text, seen, limited));
  const all = { ...known, moved };
  const final = { ...all, ...(await decideWithMemory(text, all, limited)) };
  return await limited(() => newDraft(text, final, limited));
}

export function newDraft(text: TextCase, found: DraftInspection, limited = UNLIMITED): Draft {
  const { seen, isComposable, purchases } = holdMisfits(text, found);
  const open = new OpenPurchases(purchases);
  let outcome: DraftOutcome | undefined;
  return {
    facts: factsOf(text, { seen, purchases }),
    texts: async (from) => open.texts.slice(from, from + RECALL_PORTION),
    answer: async (answers) => open.answer(answers),
    async tryToCompose(at) {
      if (isComposable) return;
      await limited(() =>
        finishDraft({ text, seen, bought: sampleTranslations(seen, open.purchases), at }),
      );
    },
    async frameConflicts(at) {
      if (seen.target === undefined || seen.frame === undefined) return 0;
      const bought = sampleTranslations(seen, open.purchases);
      const { base } = await limited(() => finishDraft({ text, seen, bought, at }));
      return base?.segments.filter(({ isFrame }) => isFrame).length ?? 0;
    },
    async finish(at) {
      const composed = await limited(() => finishDraft({ text, seen, bought: open.bought(), at }));
      outcome = composed;
      return composed.finished;
    },
    records: async (at) =>
      (await limited(() => finishDraft({ text, seen, bought: open.bought(), at }))).base,
    async prepare() {
      if (outcome?.base === undefined) throw notFinished();
      await text.baseline.prepare(outcome.base, seen.replaced?.hash ?? null);
    },
    staleTerms: async () =>
      staleTerms(text, {
        merge: seen.merge,
        inputs: ({ id, source }) => inputsFor(text, [source], id),
      }),
    openUnits: async () => openUnits(text, seen),
    sample: async (characters) => sampleOf(seen, characters),
    [Symbol.dispose]() {},
  };
}

/** The purchases until they are joined: while a large target is composed, they would be a fifth of what its draft holds. */
class OpenPurchases {
  #purchases: readonly SegmentPurchase[];
  #texts: readonly OrderableText[];
  #answers: TextAnswer[] = [];
  #bought: ReadonlyMap<string, TextAnswer> | undefined;

  constructor(purchases: readonly SegmentPurchase[]) {
    this.#purchases = purchases;
    this.#texts = textsToBuy(purchases);
  }

  get purchases(): readonly SegmentPurchase[] {
    return this.#purchases;
  }

  get texts(): readonly OrderableText[] {
    return this.#texts;
  }

  answer(answers: readonly TextAnswer[]): void {
    append(this.#answers, answers);
  }

  /** Joins the answers, and forgets the purchases. */
  bought(): ReadonlyMap<string, TextAnswer> {
    this.#bought ??= boughtBy(this.#purchases, this.#answers);
    this.#purchases = [];
    this.#texts = [];
    this.#answers = [];
    return this.#bought;
  }
}

function textsToBuy(purchases: readonly SegmentPurchase[]): readonly OrderableText[] {
  return purchases.flatMap(({ texts }) => texts);
}

function factsOf(
  text: TextCase,
  { seen, purchases }: Pick<CompositionTrial, 'seen' | 'purchases'>,
): Draft['facts'] {
  const { source, replaced, blocker } = seen;
  const inherited = inheritedTexts(text, seen);
  const removed = [...removedOfPeople(text, seen), ...takenForRemoved(text, seen.merge.decisions)];
  return {
    source: { hash: source.hash, stat: source.stat },
    target: replaced && { hash: replaced.hash, stat: replaced.stat },
    blocker,
    needsNothing: isTargetUpToDate(seen),
    texts: purchases.reduce((count, { texts }) => count + texts.length, 0),
    counts: textCounts(seen.merge.decisions),
    sizes: sizesOf(purchases, seen.merge),
    named: namedIn(seen),
    states: openCounts(seen.merge.decisions),
    notes: [
      ...withoutAnyText(text, seen),
      ...untranslatedParts(text, seen),
      ...inherited,
      ...boughtAgain(text, seen),
      ...readAnew(text, seen),
      ...heldParts(text, seen),
      ...movedHere(text, seen),
      ...lostRecords(text, seen),
      ...unexplainedFrame(text, seen),
      ...removed,
    ],
    damage: [...unreadableParts(text, seen), ...inherited],
    removed,
    left: {
      format: seen.reader.format.name,
      texts: textsThatLeft({ ...seen, ...seen.merge, texts: seen.target?.doc.segments ?? [] }),
    },
  };
}

interface CompositionTrial {
  readonly seen: DraftInspection;
  readonly purchases: readonly SegmentPurchase[];
  /** Whether the target is known to be composable. */
  readonly isComposable: boolean;
}

type DraftInspection = TextFindings & TextInspection;

/** Tries whether an existing target can take its new texts, before they are paid for. Texts that it cannot take are held. */
function holdMisfits(text: TextCase, seen: DraftInspection): CompositionTrial {
  const purchases = purchasesOf(text, seen);
  const { target, blocker, found } = seen;
  const isTried = target !== undefined && blocker === undefined;
  const references = new Set(
    target?.doc.segments.flatMap(({ id, isReference }) => (isReference ? [id] : [])),
  );
  const again = new Set(
    seen.merge.decisions.flatMap((one) =>
      one.kind === 'buy' && one.reason === 'held' ? [one.id] : [],
    ),
  );
  const isReplaced = (id: string) => found.has(id) && !references.has(id) && !again.has(id);
  if (!isTried || purchases.every(({ id }) => isReplaced(id))) {
    return { seen, purchases, isComposable: false };
  }
  try {
    const draft = { text, seen, bought: sampleTranslations(seen, purchases), at: EARLIEST };
    const now = { ...seen, merge: withoutMisfitTexts(draft) };
    return { seen: now, purchases: purchasesOf(text, now), isComposable: true };
  } catch (error) {
    // The same failure is thrown again when the draft is composed.
    if (error instanceof JobFailure) return { seen, purchases, isComposable: false };
    throw error;
  }
}

/** The timestamp of a trial composition. Nothing of it is written. */
const EARLIEST = '1970-01-01T00:00:00.000Z';

function namedIn({ merge, segments, reader }: TextInspection): NamedOpenText[] {
  const textAt = (nth: number) => {
    const segment = segments[nth];
    return segment && { ...segment, text: partsText(sourceParts(segment)) };
  };
  return openTexts(merge.decisions, textAt, reader.format.shape);
}

function openUnits({ job }: TextCase, { merge, segments, reader }: TextInspection): OpenUnit[] {
  const isKeyed = reader.format.shape === 'keyed';
  return merge.decisions.flatMap((decision, index) => {
    const segment = segments[index];
    const becomes = BECOMES[decision.kind];
    if (segment === undefined || becomes === undefined) return [];
    const place = unitId(job.source, isKeyed ? segment.id : undefined);
    const is = openState(decision);
    if (is === undefined) return [];
    return [{ unit: `${place} ${sourceHash(partsText(sourceParts(segment)))}`, is, becomes }];
  });
}

const BECOMES: Readonly<Partial<Record<Decision['kind'], OpenUnit['becomes']>>> = {
  buy: 'bought',
  hold: 'held',
  conflict: 'conflicts',
};

/** Stand-ins for translations: the source texts. */
function sampleTranslations(
  { segments }: TextInspection,
  purchases: readonly SegmentPurchase[],
): ReadonlyMap<string, TextAnswer> {
  const bought = new Set(purchases.map(({ id }) => id));
  return new Map(
    segments
      .filter(({ id }) => bought.has(id))
      .map((segment) => [segment.id, { kind: 'translated', parts: sourceParts(segment) }]),
  );
}

function notFinished(): JobFailure {
  return new JobFailure({ kind: 'internal', message: 'a draft without content was prepared' });
}

function sampleOf({ segments }: TextInspection, characters: number): string {
  const texts: string[] = [];
  let length = 0;
  for (const segment of segments) {
    if (length > 2 * characters) break;
    const text = partsText(sourceParts(segment));
    if (!/\p{L}/u.test(text)) continue;
    texts.push(text);
    length += text.length;
  }
  return [...texts.join('\n')].slice(0, characters).join('');
}
