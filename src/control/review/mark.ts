/**
 * `review mark`: a person has reviewed translations, or asks for a review. The lock shows it to the team, and so does the target if its format
 * has a state for it.
 */

import { excerptOf } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { nearestWord } from '../../routes/suggest.ts';
import { describeOutOfDate } from '../../segments/out-of-date.ts';
import type { TargetHash } from '../../segments/statements.ts';
import type { TextsBefore } from '../../state/undo.ts';
import type { TargetReplacement, UndoRun } from '../../state/undo-log.ts';
import type { ReviewMarkRequest } from '../control.ts';
import type { ReviewLine, ReviewMarkReport } from '../review-report.ts';
import type { ReviewText } from '../review-text.ts';
import { MOST_TRIES, pairsIn, type ReviewPair, targetPathOf } from './files.ts';
import { recordRun, saveTexts } from './save.ts';
import type { Saving } from './saving.ts';
import type { ReviewTexts } from './texts.ts';

interface Marks {
  readonly marked: ReviewLine[];
  readonly refused: ReviewMarkReport['refused'][number][];
  unchanged: number;
}

export async function reviewMark(
  reviews: ReviewTexts,
  request: ReviewMarkRequest,
): Promise<ReviewMarkReport> {
  const { options } = reviews;
  const { lock = null } = options.inForce.config;
  const marks: Marks = { marked: [], unchanged: 0, refused: [] };
  if (lock === null) return { lock, ...marks };
  if (options.condition.state === 'not running') await options.scan();
  // The marks of one command are undone together.
  const run: UndoRun = {};
  const { projects, languages, file, key } = request;
  const keys = new Set<string>();
  for (const pair of pairsIn(options, { projects, languages, paths: [file] })) {
    await markIn(reviews, pair, { marks, request, run, keys });
  }
  const isFound = marks.marked.length + marks.refused.length + marks.unchanged > 0;
  if (key === undefined || isFound) return { lock, ...marks };
  return { lock, ...marks, missing_key: { nearest: nearestWord(key, keys) ?? null } };
}

interface Marking {
  /** The keys of all texts that were read. */
  readonly keys: Set<string>;
  readonly marks: Marks;
  readonly request: ReviewMarkRequest;
  readonly run: UndoRun;
}

async function markIn(
  reviews: ReviewTexts,
  pair: ReviewPair,
  { marks, ...marking }: Marking,
): Promise<void> {
  await reviews.prepareLock(pair);
  using _lock = await reviews.exclusive(pair);
  const seen = new Map<string, TargetHash>();
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const tried: Marks = { marked: [], refused: [], unchanged: 0 };
    const isOver = await markOnce(reviews, pair, { ...marking, marks: tried, seen });
    if (!isOver && tries < MOST_TRIES) continue;
    append(marks.marked, tried.marked);
    append(marks.refused, tried.refused);
    marks.unchanged += tried.unchanged;
    return;
  }
}

interface MarkTry extends Marking {
  /** By id of the text: the hash of the target text in the first try. */
  readonly seen: Map<string, TargetHash>;
}

/** @returns false when somebody wrote the file meanwhile */
async function markOnce(
  reviews: ReviewTexts,
  pair: ReviewPair,
  { marks, request, run, seen, keys }: MarkTry,
): Promise<boolean> {
  const { options } = reviews;
  const read = await reviews.read(pair);
  if (typeof read === 'string') {
    const line = { file: targetPathOf(pair), language: pair.language, key: '', line: 1 };
    marks.refused.push({ ...line, reason: read });
    return true;
  }
  const savings: Saving[] = [];
  for (const text of read.texts) {
    if (text.key !== '') keys.add(text.key);
    if (!isMeant(text, request)) continue;
    const verdict = judgeMark(text, request.mark);
    const first = seen.get(text.id) ?? text.target_hash;
    seen.set(text.id, first);
    if (first !== text.target_hash) {
      marks.refused.push({ ...reviewLineOf(pair, text), reason: 'somebody changed it meanwhile' });
    } else if (verdict.kind === 'has') marks.unchanged += 1;
    else if (verdict.kind === 'speaks') savings.push(verdict.saving);
    else marks.refused.push({ ...reviewLineOf(pair, text), reason: verdict.reason });
  }
  if (savings.length === 0) return true;
  const undo = (step: TargetReplacement, before: TextsBefore['before']) =>
    recordRun(options, pair, { step, before, run });
  const how = { act: 'write', by: request.by, how: 'mark', checks: 'none', undo } as const;
  const what = { savings, texts: read.texts, seen: read.stat, ...how };
  const { saved, refused, isOvertaken } = await saveTexts(options, pair, what);
  for (const { text } of saved) marks.marked.push(reviewLineOf(pair, text));
  for (const { saving, reason } of refused) {
    marks.refused.push({ ...reviewLineOf(pair, saving.text), reason });
  }
  return !isOvertaken;
}

/** Accepts the key as it is in the file, or the id. */
function isMeant({ id, key }: ReviewText, request: ReviewMarkRequest): boolean {
  return request.key === undefined || request.key === id || request.key === key;
}

type MarkVerdict =
  | { readonly kind: 'has' }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'speaks'; readonly saving: Saving };

function judgeMark(text: ReviewText, review: ReviewMarkRequest['mark']): MarkVerdict {
  const { state, target, because = [] } = text;
  switch (state) {
    case 'missing':
      return { kind: 'refused', reason: 'it is not translated yet' };
    case 'held':
      return { kind: 'refused', reason: 'no translation of it was fit to be written' };
    case 'stale':
      return { kind: 'refused', reason: describeOutOfDate(because) };
    case 'unreviewed':
    case 'reviewed':
    case 'done':
      if (state === (review === 'reviewed' ? 'reviewed' : 'unreviewed')) return { kind: 'has' };
      return {
        kind: 'speaks',
        saving: {
          ...{ text, target: target ?? '', isReviewed: review === 'reviewed' },
          ...(review === 'wanted' ? { isWanted: true } : {}),
        },
      };
  }
}

const EXCERPT = 60;

/** The name of a text for people. */
export function reviewLineOf(pair: ReviewPair, { key, source, line }: ReviewText): ReviewLine {
  return {
    file: targetPathOf(pair),
    language: pair.language,
    key: key === '' ? excerptOf(source, EXCERPT) : key,
    line,
  };
}
