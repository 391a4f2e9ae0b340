/** The drafts of a thread. The main thread has the memory; it opens, calls and closes the drafts. */
import type { StoredBaseline } from '../baseline.ts';
import { allSteps } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { learnRevisions, revisionsKnown } from '../files/git-history.ts';
import { limitFor, type ThreadWork } from '../parsing/thread-call.ts';
import { computedMs, type Limited, TookTooLong, within } from '../parsing/within.ts';
import { termEntriesIn } from '../segments/dictionary.ts';
import { type IncomingText, incomingTexts } from '../segments/moving-texts.ts';
import { TermIndex } from '../segments/terms.ts';
import { NO_MEMORY } from '../state/memory.ts';
import { unpackLock } from '../state/thread-locks.ts';
import { type Draft, newDraft } from './draft.ts';
import {
  type BegunDraft,
  type Callable,
  type DraftCall,
  type OpenedDraft,
  type Opening,
  type SentDraft,
  type SentMoved,
  type SentTerms,
  unpackCase,
} from './draft-wire.ts';
import { movedById } from './incoming-texts.ts';
import {
  decideSegments,
  findingsOf,
  gather,
  type Material,
  type TextFindings,
  type TextInspection,
} from './inspection.ts';
import { findingsWithHistory } from './page-in-history.ts';
import { RECALL_PORTION, Recall } from './recall.ts';
import type { TextCase } from './text-case.ts';
import { pastOf } from './text-history.ts';

interface OpeningDraft {
  readonly text: TextCase;
  findings: TextFindings;
  /** Texts that are to be asked for in other files; undefined: they were asked for, or nobody looks for them. */
  seeks: 'later' | readonly IncomingText[] | undefined;
  readonly recall: Recall;
  /** Milliseconds after which the reading is slow, and those that it took so far. */
  readonly slowAfter: number;
  took: number;
  /** Decided with the memory answers so far. */
  seen: TextInspection | undefined;
}

const opening = new Map<number, OpeningDraft>();
const drafts = new Map<number, Draft>();
/** Baselines that `prepare` made: the main thread stores them. */
const written = new Map<number, Uint8Array>();
const indexes = new Map<number, TermIndex>();

/** A function of its own: a closure in the reading would hold the bytes of both files for as long as the draft is open. */
function storedFor(draft: number, stored: Uint8Array | undefined): StoredBaseline {
  return {
    read: async () => stored,
    write: async (bytes) => void written.set(draft, bytes),
  };
}

export const open: ThreadWork<OpenedDraft, BegunDraft> = async ({
  draft,
  text: packed,
  ...given
}) => {
  const stored = storedFor(draft, given.stored);
  const text = unpackCase(packed, {
    memory: NO_MEMORY,
    stored,
    indexOf: (number) => indexes.get(number) ?? noTerms(number),
    lock: unpackLock,
  });
  learnRevisions(text.sourcePath, given.revisions);
  const material = await gather(text);
  const early = await seeInTime(text, material);
  const revisions = await revisionsKnown(text.sourcePath);
  return () => {
    const begun = computedMs();
    const findings = early ?? findingsOf(text, material);
    const recall = new Recall();
    const seen = decideSegments(text, findings, recall);
    const slowAfter = limitFor(bytesOf(material)) / PARTS_WHEN_QUICK;
    const seeks = packed.seeksMoved ? 'later' : undefined;
    opening.set(draft, { text, findings, recall, slowAfter, took: 0, seen, seeks });
    return { opening: continueDraft(draft, begun), revisions };
  };
};

/** Quick content is read in a small part of its time limit, and then takes no more than the limit to be written. */
const PARTS_WHEN_QUICK = 20;

function bytesOf({ source, target }: Material): number {
  return source.bytes.byteLength + (target?.bytes.byteLength ?? 0);
}

/** Uses a time limit of its own beside that of the reading. A file that takes longer is not checked here; the reading reports it. */
async function seeInTime(text: TextCase, material: Material): Promise<TextFindings | undefined> {
  if (material.lock === undefined) return undefined;
  const ms = limitFor(bytesOf(material));
  const limited: Limited = async (work) => within(ms, work);
  try {
    const findings = await findingsWithHistory(text, material, limited);
    // The memory is asked later: it answers about texts to buy, not about the texts of the target.
    const seen = await limited(() => ({
      ...findings,
      ...decideSegments(text, findings, new Recall()),
    }));
    const past = await pastOf(text, { material, findings: seen, limited });
    return past === undefined ? findings : { ...findings, past };
  } catch (error) {
    if (error instanceof TookTooLong || error instanceof JobFailure) return undefined;
    throw error;
  }
}

export const sendTerms: ThreadWork<SentTerms, void> = async ({ number, tsv }) => {
  indexes.set(number, new TermIndex(allSteps(termEntriesIn(tsv))));
  return () => {};
};

export const sendDraft: ThreadWork<SentDraft, Opening> = async ({ draft, found }) => {
  return () => {
    const begun = computedMs();
    const opened = opening.get(draft) ?? notOpen(draft);
    opened.recall.learn(found);
    // Decided again when all answers are there.
    if (opened.recall.hasFound) opened.seen = undefined;
    return continueDraft(draft, begun);
  };
};

export const sendMoved: ThreadWork<SentMoved, Opening> = async ({ draft, moved }) => {
  return () => {
    const begun = computedMs();
    const opened = opening.get(draft) ?? notOpen(draft);
    const found = typeof opened.seeks === 'object' ? movedById(opened.seeks, moved) : undefined;
    opened.seeks = undefined;
    if (found !== undefined) {
      opened.findings = { ...opened.findings, moved: found };
      opened.seen = undefined;
    }
    return continueDraft(draft, begun);
  };
};

export const call: ThreadWork<DraftCall, unknown> = async ({ draft: id, method, args }) => {
  const draft = drafts.get(id) ?? notOpen(id);
  const act = (draft as Record<keyof Callable, (...args: readonly unknown[]) => unknown>)[method];
  return () => act(...args);
};

export const prepare: ThreadWork<number, Uint8Array> = async (id) => {
  await (drafts.get(id) ?? notOpen(id)).prepare();
  const bytes = written.get(id) ?? notOpen(id);
  return () => bytes;
};

export const close: ThreadWork<number, void> = async (draft) => {
  return () => {
    opening.delete(draft);
    drafts.delete(draft);
    written.delete(draft);
  };
};

/** @param begun when this turn of the work began, by `computedMs`: other programs may have the processor meanwhile */
function continueDraft(id: number, begun: number): Opening {
  const opened = opening.get(id) ?? notOpen(id);
  const { text, findings, recall } = opened;
  const asked = recall.ask(RECALL_PORTION);
  if (asked.length > 0) {
    opened.took += computedMs() - begun;
    return { kind: 'asks', asked };
  }
  const seen = opened.seen ?? decideSegments(text, findings, recall);
  if (opened.seeks === 'later') {
    opened.seen = seen;
    opened.seeks = incomingTexts(seen.merge.decisions, seen.segments);
    if (opened.seeks.length > 0) {
      opened.took += computedMs() - begun;
      return { kind: 'seeks', format: seen.reader.format.name, sought: opened.seeks };
    }
  }
  opening.delete(id);
  const draft = newDraft(text, { ...findings, ...seen });
  drafts.set(id, draft);
  const isSlow = opened.took + computedMs() - begun > opened.slowAfter;
  return { kind: 'open', facts: isSlow ? { ...draft.facts, isSlow } : draft.facts };
}

function notOpen(id: number): never {
  throw new Error(`draft ${id} is not open`);
}

function noTerms(number: number): never {
  throw new Error(`terms ${number} are not on this thread`);
}
