/** A draft: the target of one text job in the making, from the bytes on the disk to the bytes that replace them. */

import { JobFailure } from '../failure.ts';
import type { ReadFile } from '../files/disk.ts';
import { partsText, sourceParts } from '../format.ts';
import type { OpenText as NamedOpenText, OpenCounts, OpenUnit, TextCounts } from '../lane.ts';
import type { Limited } from '../parsing/within.ts';
import type { Decision } from '../segments/decide.ts';
import { openCounts, openState, openTexts } from '../segments/open-texts.ts';
import type { Bought } from '../segments/settle.ts';
import { sourceHash, unitId } from '../segments/statements.ts';
import type { Finished } from './draft-outcome.ts';
import { type DraftOutcome, finishDraft, isSettled, withoutMisfitTexts } from './draft-outcome.ts';
import { decideWithMemory, gather, type TextFindings, type TextInspection } from './inspection.ts';
import { lookWithHistory } from './page-in-history.ts';
import { PORTION } from './recall.ts';
import type { RelationBlocker } from './relation.ts';
import {
  boughtAgain,
  damageIn,
  heldParts,
  leftAlone,
  staleTerms,
  unexplainedFrame,
} from './rule-notes.ts';
import type { TextCase } from './text-case.ts';
import { pastOf } from './text-history.ts';
import { inputsFor } from './text-inputs.ts';
import {
  type OrderableText,
  type PurchaseSize,
  purchasesOf,
  type SegmentPurchase,
  sizesOf,
} from './text-orders.ts';

/**
 * Reads, decides, and composes. Everything that grows with the file happens in here, so that it can happen on a thread
 * of its own; what goes in and out comes in portions that the event loop does not feel.
 * @throws JobFailure from every method, as the format or the disk threw it
 */
export interface Draft extends Disposable {
  readonly facts: DraftFacts;
  /** Texts to be bought, in the order of the file, from the one with this index on: a portion, not all of them. */
  texts(from: number): Promise<readonly OrderableText[]>;
  /** The next answers, in the order of the texts. */
  answer(answers: readonly Bought[]): Promise<void>;
  /** Composes the target with the sources' texts in place of what is to be bought, and leaves it at that: throws what `finish` would for the files as they are. */
  rehearse(at: string): Promise<void>;
  /** Composes the target. @param at ISO 8601 */
  finish(at: string): Promise<Finished>;
  /** Notes in the segment base what the target is about to hold: called before it is replaced. */
  prepare(): Promise<void>;
  /** Which texts stay as they are though their terms changed, a sentence: nothing when `retranslate_on` buys them. */
  staleTerms(): Promise<readonly string[]>;
  /** Texts that are to be bought, are held, or wait for a person's choice. */
  openUnits(): Promise<readonly OpenUnit[]>;
  /** The first characters of what there is to read in the source. */
  sample(characters: number): Promise<string>;
}

export interface DraftFacts {
  readonly source: Pick<ReadFile, 'hash' | 'stat'>;
  readonly target: Pick<ReadFile, 'hash' | 'stat'> | undefined;
  readonly blocker: RelationBlocker | undefined;
  /** Nothing is asked of the target that stands. */
  readonly isSettled: boolean;
  /** How many texts are to be bought. */
  readonly texts: number;
  readonly counts: TextCounts;
  readonly states: OpenCounts;
  /** Of each segment to buy, in the order of the texts. */
  readonly sizes: readonly PurchaseSize[];
  /** Which are not as they shall be, the first of each kind. */
  readonly named: readonly NamedOpenText[];
  /** What stays as it is, and which texts are bought again though their sources stayed, a sentence each. */
  readonly notes: readonly string[];
  /** What of the source cannot be read, a sentence each. */
  readonly damage: readonly string[];
}

const UNLIMITED: Limited = async (work) => work();

/** @throws JobFailure `malformed`, `unreadable`, `unsupported`, `changed-meanwhile`; what `limited` throws */
export async function openDraft(text: TextCase, limited: Limited = UNLIMITED): Promise<Draft> {
  const material = await gather(text);
  const findings = await lookWithHistory(text, material, limited);
  const first = { ...findings, ...(await decideWithMemory(text, findings, limited)) };
  const past = await pastOf(text, { material, findings: first, limited });
  if (past === undefined) return await limited(() => draftOf(text, first, limited));
  const told = { ...findings, past };
  const seen = { ...told, ...(await decideWithMemory(text, told, limited)) };
  return await limited(() => draftOf(text, seen, limited));
}

export function draftOf(text: TextCase, found: Seen, limited = UNLIMITED): Draft {
  const rehearsal = rehearse(text, found);
  const { seen, purchases } = rehearsal;
  const texts = purchases.flatMap((purchase) => purchase.texts);
  const answers: Bought[] = [];
  let outcome: DraftOutcome | undefined;
  return {
    facts: { ...factsOf(text, rehearsal), texts: texts.length },
    texts: async (from) => texts.slice(from, from + PORTION),
    async answer(next) {
      answers.push(...next);
    },
    async rehearse(at) {
      if (rehearsal.isDone) return;
      await limited(() =>
        finishDraft({ text, seen, purchases: standIns(seen, purchases), answers: [], at }),
      );
    },
    async finish(at) {
      const composed = await limited(() => finishDraft({ text, seen, purchases, answers, at }));
      outcome = composed;
      return composed.finished;
    },
    async prepare() {
      if (outcome?.base === undefined) throw notFinished();
      await text.baseline.prepare(outcome.base, seen.target?.hash ?? null);
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

function factsOf(text: TextCase, { seen, purchases }: Rehearsal): Omit<Draft['facts'], 'texts'> {
  const { source, target, blocker } = seen;
  return {
    source: { hash: source.hash, stat: source.stat },
    target: target && { hash: target.hash, stat: target.stat },
    blocker,
    isSettled: isSettled(seen),
    counts: countsOf(seen.merge.decisions),
    sizes: sizesOf(purchases, seen.merge),
    named: namedIn(seen),
    states: openCounts(seen.merge.decisions),
    notes: [
      ...leftAlone(text, seen),
      ...boughtAgain(text, seen),
      ...heldParts(text, seen),
      ...unexplainedFrame(text, seen),
    ],
    damage: damageIn(text, seen),
  };
}

interface Rehearsal {
  readonly seen: Seen;
  readonly purchases: readonly SegmentPurchase[];
  /** Whether it is known that the target can be composed. */
  readonly isDone: boolean;
}

type Seen = TextFindings & TextInspection;

/** Whether a target that stands can take what it lacks is tried before that is paid for: what it cannot take is held. */
function rehearse(text: TextCase, seen: Seen): Rehearsal {
  const purchases = purchasesOf(text, seen);
  const { target, blocker, found } = seen;
  const isTried = target !== undefined && blocker === undefined;
  const references = new Set(
    target?.doc.segments.flatMap(({ id, isReference }) => (isReference ? [id] : [])),
  );
  if (!isTried || purchases.every(({ id }) => found.has(id) && !references.has(id))) {
    return { seen, purchases, isDone: false };
  }
  try {
    const draft = { text, seen, purchases: standIns(seen, purchases), answers: [], at: EARLIEST };
    const now = { ...seen, merge: withoutMisfitTexts(draft) };
    return { seen: now, purchases: purchasesOf(text, now), isDone: true };
  } catch (error) {
    // It is thrown again when the draft is composed, as it is where nothing is new.
    if (error instanceof JobFailure) return { seen, purchases, isDone: false };
    throw error;
  }
}

/** Only to have a time: nothing of a rehearsal is written. */
const EARLIEST = '1970-01-01T00:00:00.000Z';

function namedIn({ merge, segments, reader }: TextInspection): NamedOpenText[] {
  const texts = segments.map((segment) => {
    const { id, line } = segment;
    return { id, line, text: partsText(sourceParts(segment)) };
  });
  return openTexts(merge.decisions, texts, reader.format.shape);
}

function countsOf(decisions: TextInspection['merge']['decisions']): TextCounts {
  const of = (kind: string) => decisions.filter((decision) => decision.kind === kind).length;
  return {
    ...{ adopted: of('adopt'), bought: of('buy'), fromMemory: of('restore') },
    ...{ held: of('hold'), conflicts: of('conflict') },
  };
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

const BECOMES: Readonly<Partial<Record<string, OpenUnit['becomes']>>> = {
  buy: 'bought',
  hold: 'held',
  conflict: 'conflicts',
} satisfies Partial<Record<Decision['kind'], OpenUnit['becomes']>>;

/** A text in its source language stands for its translation. */
function standIns(
  { segments }: TextInspection,
  purchases: readonly SegmentPurchase[],
): SegmentPurchase[] {
  const byId = new Map(segments.map((segment) => [segment.id, segment]));
  return purchases.flatMap(({ id }) => {
    const segment = byId.get(id);
    if (segment === undefined) return [];
    return [{ id, texts: [], join: () => ({ kind: 'translated', parts: sourceParts(segment) }) }];
  });
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
