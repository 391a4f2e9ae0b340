/** What a person's saved text states: in the target, in the lock, in the log of edits and on the page. Pure. */
import type { SegmentState } from '../../format.ts';
import type { WantsReview } from '../../segments/review.ts';
import type { SourceHash, Statement } from '../../segments/statements.ts';
import type { LockIndex } from '../../state/lock-file.ts';
import type { TextsBefore } from '../../state/undo.ts';
import type { ReviewText } from '../review-text.ts';
import type { ReviewPair } from './files.ts';

/** The text that a person saves, or the review that the person states. */
export interface Saving {
  readonly text: ReviewText;
  /** The new text; the present text: the person only approves it or asks for a review. */
  readonly target: string;
  readonly isReviewed: boolean;
  /** The person asks for a reviewer. */
  readonly isWanted?: true;
  /** The source that the person translated, if it is not the present one. */
  readonly older?: { readonly hash: SourceHash; readonly text: string | undefined };
  /** Set when an edit is undone: the text gets back its earlier mark and state. */
  readonly restored?: RestoredMark;
}

export interface RestoredMark {
  readonly mark: ReviewText['mark'];
  readonly state: 'unreviewed' | 'reviewed' | 'done';
  /** Whether the lock asked for a review; absent: the log does not say it. */
  readonly isWanted?: boolean;
}

/** The word for the target, by the state of the text. */
export const TARGET_STATE = {
  unreviewed: 'review-wanted',
  reviewed: 'reviewed',
  done: 'translated',
} as const;

export function stateWord(state: ReviewText['state']): SegmentState {
  switch (state) {
    case 'missing':
    case 'stale':
    case 'held':
      return 'needs-review';
    case 'unreviewed':
    case 'reviewed':
    case 'done':
      return TARGET_STATE[state];
  }
}

export interface FinishedSaving {
  readonly saving: Saving;
  readonly targetHash: ReviewText['target_hash'];
  /** The text as it is read back. */
  readonly text: string;
  readonly hasTwin: boolean;
}

export function statementOf(
  { saving, targetHash: target }: FinishedSaving,
  wants: WantsReview,
): Statement {
  const { text, isReviewed, older } = saving;
  const review = isReviewed ? 'reviewed' : isAsked(saving, wants) ? 'wanted' : undefined;
  return {
    ...{ unit: text.unit, source: older?.hash ?? text.source_hash, target, mark: markFor(saving) },
    ...(review && { review }),
  };
}

/**
 * The statements of the lock about the present text. None if there is no lock and the text is not a translation of the present source.
 */
export function statementsBefore(
  { text, target, isWanted }: Saving,
  { index, wrote, isKeyed }: LockStatement,
): TextsBefore['before'] {
  const { id, unit, source_hash: source, target_hash: targetHash, mark, state } = text;
  const isChanged = target !== text.target;
  const pairs = [{ source, target: targetHash }, wrote];
  const stood = (index?.get(unit) ?? []).filter(
    (each) => isKeyed || pairs.some((pair) => isPair(each, pair)),
  );
  const stated = {
    ...{ id, isChanged, unit, source, target: targetHash, mark },
    ...(isWanted && { isWanted }),
    ...(index && { stood, wrote: { source: wrote.source, target: wrote.target } }),
  };
  switch (state) {
    case 'reviewed':
      return [{ ...stated, review: 'reviewed' }];
    case 'unreviewed':
      return [text.is_wanted ? { ...stated, review: 'wanted' } : stated];
    case 'done':
      return [stated];
    case 'missing':
    case 'stale':
    case 'held':
      return index === undefined ? [] : [stated];
  }
}

interface LockStatement {
  /** Undefined: there is no lock for the language. */
  readonly index: LockIndex | undefined;
  readonly wrote: Statement;
  readonly isKeyed: boolean;
}

function isPair(a: SourceAndTarget, b: SourceAndTarget): boolean {
  return a.source === b.source && a.target === b.target;
}

type SourceAndTarget = Pick<Statement, 'source' | 'target'>;

/**
 * Whether the statement about the old text must be removed. Otherwise dragoman would look for the old text, and take an equal text
 * elsewhere in the page for it.
 */
export function mustLeaveLock({ saving: { text }, targetHash, hasTwin }: FinishedSaving): boolean {
  return !hasTwin && targetHash !== text.target_hash && text.target !== null;
}

export function pairBefore({ text }: Saving): Pick<Statement, 'unit' | 'source' | 'target'> {
  return { unit: text.unit, source: text.source_hash, target: text.target_hash };
}

export function textLeft(
  { saving, targetHash, text }: FinishedSaving,
  wants: WantsReview,
): ReviewText {
  const { previous_source, because, is_wanted, ...before } = saving.text;
  const state = stateLeft(saving, wants);
  return {
    ...{ ...before, target: text, target_hash: targetHash, mark: markFor(saving), state },
    ...(isAsked(saving, wants) ? { is_wanted: true as const } : {}),
  };
}

export function editOf({ project, language, source }: ReviewPair, saving: Saving) {
  const { text, target, isReviewed, restored, older } = saving;
  return {
    ...{ project: project.name, language, path: source.path, id: text.id, source: text.source },
    ...{ before: text.target, made: text.mark, after: target, reviewed: isReviewed },
    ...{ state: text.state, wanted: text.is_wanted === true },
    ...(restored && { undone: true as const }),
    ...(older && { older: older.text ?? '' }),
  };
}

export function stateLeft(saving: Saving, wants: WantsReview): RestoredMark['state'] {
  const isWanted = saving.isWanted === true || wants(markFor(saving));
  const left = saving.isReviewed ? 'reviewed' : isWanted ? 'unreviewed' : 'done';
  return saving.restored?.state ?? left;
}

function markFor({ text, target, restored }: Saving): ReviewText['mark'] {
  if (restored !== undefined) return restored.mark;
  return target === text.target ? text.mark : 'human';
}

/** Whether the lock must ask for a review. Logs of older versions do not record it: then the lock asked if the config does not. */
function isAsked(saving: Saving, wants: WantsReview): boolean {
  const { isWanted, restored } = saving;
  if (isWanted === true) return true;
  if (restored?.state !== 'unreviewed') return false;
  return restored.isWanted ?? !wants(markFor(saving));
}
