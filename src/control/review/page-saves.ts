/** The saves of the Review page: each one is answered with the text as it is then. */

import { targetHash } from '../../segments/statements.ts';
import type { TextsBefore } from '../../state/undo.ts';
import type { TargetReplacement } from '../../state/undo-log.ts';
import type { ReviewSaveRequest } from '../control.ts';
import type { LocalControlOptions } from '../options.ts';
import type { ReviewSaved } from '../review-report.ts';
import type { ReviewText } from '../review-text.ts';
import { MOST_TRIES, pairsIn, type ReviewPair, waitUntilStill } from './files.ts';
import { reviewRowOf } from './portion.ts';
import { type SaveRequest, saveTexts, undoneJob } from './save.ts';
import type { Saving } from './saving.ts';
import type { ReviewTexts } from './texts.ts';

/** The saves that wait while a file is being written. All of them are written together next, because writing a large file takes seconds. */
export class WaitingSaves {
  readonly #waiting = new Map<string, Set<WaitingSave>>();

  add(file: string, save: WaitingSave): void {
    const waiting = this.#waiting.get(file) ?? new Set();
    this.#waiting.set(file, waiting.add(save));
  }

  /** Takes the saves that can be written together with the first one: those of the same person, one for each text. */
  take(file: string): WaitingSave[] {
    const waiting = this.#waiting.get(file) ?? new Set();
    const taken = new Map<string, WaitingSave>();
    for (const save of waiting) {
      const { id, by } = save.request;
      const [first = save] = taken.values();
      if (!taken.has(id) && by === first.request.by) taken.set(id, save);
    }
    for (const save of taken.values()) waiting.delete(save);
    if (waiting.size === 0) this.#waiting.delete(file);
    return [...taken.values()];
  }
}

interface WaitingSave {
  readonly request: SaveAsked['request'];
  readonly answer: PromiseWithResolvers<ReviewSaved>;
}

export interface SaveAsked {
  readonly request: ReviewSaveRequest & Pick<Saving, 'restored'>;
  readonly saves: WaitingSaves;
}

const TEXT_GONE = 'this text no longer exists';

export async function reviewSave(
  reviews: ReviewTexts,
  { request, saves }: SaveAsked,
): Promise<ReviewSaved> {
  const { options } = reviews;
  const { project, file, language } = request;
  const scope = { projects: [project], languages: [language], paths: [] };
  const pair = pairsIn(options, scope).find(({ source }) => source.path === file);
  if (pair === undefined || options.inForce.config.lock === undefined) {
    return { kind: 'refused', reason: TEXT_GONE };
  }
  await reviews.prepareLock(pair);
  const answer = Promise.withResolvers<ReviewSaved>();
  saves.add(pair.id, { request, answer });
  using _lock = await reviews.exclusive(pair);
  const taken = saves.take(pair.id);
  try {
    if (taken.length > 0) await saveAll(reviews, pair, taken);
  } catch (error) {
    for (const save of taken) save.answer.reject(error);
  }
  return await answer.promise;
}

async function saveAll(
  reviews: ReviewTexts,
  pair: ReviewPair,
  saves: readonly WaitingSave[],
): Promise<void> {
  let left = saves;
  for (let tries = 1; left.length > 0; tries++) {
    left = await saveOnce(reviews, pair, { saves: left, isLast: tries === MOST_TRIES });
  }
}

interface SaveTry {
  readonly saves: readonly WaitingSave[];
  readonly isLast: boolean;
}

/** @returns the saves to try again, because somebody else wrote the file meanwhile */
async function saveOnce(
  reviews: ReviewTexts,
  pair: ReviewPair,
  { saves, isLast }: SaveTry,
): Promise<readonly WaitingSave[]> {
  const { known, seen, problem } = await reviews.finder(pair);
  const isDoubtful = saves.some(({ request }) => !isSeen(request, known(request.id)));
  if (isDoubtful && !isLast && (await waitUntilStill(reviews.options, pair))) return saves;
  const savings = new Map<Saving, WaitingSave>();
  for (const save of saves) {
    const { request, answer } = save;
    const text = known(request.id);
    if (text === undefined)
      answer.resolve({ kind: 'refused', reason: shownReason(problem ?? TEXT_GONE, pair) });
    else if (!isSeen(request, text)) {
      answer.resolve({ kind: 'changed', row: await reviewRowOf(reviews, pair, text) });
    } else if (request.text.trim() === '') {
      answer.resolve({ kind: 'refused', reason: 'the text is empty' });
    } else if (isAsSaved(request, text)) {
      answer.resolve({ kind: 'saved', row: await reviewRowOf(reviews, pair, text) });
    } else {
      const { text: target, reviewed: isReviewed, restored } = request;
      savings.set({ text, target, isReviewed, ...(restored && { restored }) }, save);
    }
  }
  const outcome =
    savings.size === 0 ? 'answered' : await writeTexts(reviews, pair, { savings, seen, isLast });
  return outcome === 'overtaken' ? [...savings.values()] : [];
}

/**
 * Whether the target has the text that the person saw, or the text to be saved. In the second case the answer to an earlier save was
 * lost, and the same person saves again.
 */
function isSeen(
  { source, was, text, restored }: SaveAsked['request'],
  now: ReviewText | undefined,
): boolean {
  if (now?.source_hash !== source) return false;
  return (
    now.target_hash === was || (restored === undefined && now.target_hash === targetHash(text))
  );
}

function isAsSaved({ text, was, reviewed, restored }: SaveAsked['request'], now: ReviewText) {
  if (text !== now.target || restored !== undefined) return false;
  return !reviewed || (now.state === 'reviewed' && now.target_hash !== was);
}

interface TargetWriting extends Pick<SaveTry, 'isLast'>, Pick<SaveRequest, 'seen'> {
  readonly savings: ReadonlyMap<Saving, WaitingSave>;
}

async function writeTexts(
  reviews: ReviewTexts,
  pair: ReviewPair,
  { savings, seen, isLast }: TargetWriting,
): Promise<'answered' | 'overtaken'> {
  const { options } = reviews;
  const [first] = savings.values();
  const by = first?.request.by ?? '';
  const undo = (step: TargetReplacement, before: TextsBefore['before']) =>
    recordSave(options, pair, { step, before, by });
  const all = [...savings.keys()];
  const read = await reviews.read(pair);
  const texts = typeof read === 'string' ? [] : read.texts;
  const what = { savings: all, texts, seen, act: 'write', by, how: 'page', undo } as const;
  const done = await saveTexts(options, pair, what);
  const { refused, left, isAlone, isOvertaken, isUnreadable } = done;
  const isAgain = isOvertaken || (isUnreadable && (await waitUntilStill(options, pair)));
  if (isAgain && !isLast) return 'overtaken';
  for (const { saving, reason } of refused) {
    savings.get(saving)?.answer.resolve({ kind: 'refused', reason: shownReason(reason, pair) });
  }
  if (isAlone) await reviews.put(pair, left);
  const { known } = await reviews.finder(pair);
  // The save counts even if the file cannot be read at this moment.
  const saved = new Map(left.map((each) => [each.text.id, each.text]));
  for (const [{ text }, { answer }] of savings) {
    const [mine, now] = [saved.get(text.id), known(text.id)];
    const row = await reviewRowOf(reviews, pair, now ?? mine ?? text);
    // A program that had read the file before the save may have written it back after it.
    const isReplaced =
      mine !== undefined && now !== undefined && mine.target_hash !== now.target_hash;
    answer.resolve({ kind: isReplaced ? 'changed' : 'saved', row });
  }
  return 'answered';
}

/** A reviewer elsewhere does not need to know the path of the project on this machine. */
function shownReason(reason: string, { project }: ReviewPair): string {
  return reason.replaceAll(`${project.root}/`, '');
}

interface RecordedSave {
  readonly step: TargetReplacement;
  readonly before: TextsBefore['before'];
  readonly by: string;
}

/** Records a save for `undo`, together with the other saves of the same person. */
async function recordSave(
  options: LocalControlOptions,
  pair: ReviewPair,
  { step, before, by }: RecordedSave,
): Promise<void> {
  const job = undoneJob(options, pair);
  const publishing = { job, root: pair.project.root, step, by: 'review', before } as const;
  await options.undo.recordSave(publishing, by);
}
