/** Undoes one save of the Review page: restores the text, its mark, and the state of its review. */
import type { PersonEdit } from '../../state/edit-log.ts';
import type { ReviewUndoRequest } from '../control.ts';
import type { ReviewSaved } from '../review-report.ts';
import { reviewSave, type WaitingSaves } from './page-saves.ts';
import type { RestoredMark } from './saving.ts';
import type { ReviewTexts } from './texts.ts';

interface UndoAsked {
  readonly request: ReviewUndoRequest;
  readonly saves: WaitingSaves;
}

export async function reviewUndo(
  reviews: ReviewTexts,
  { request, saves }: UndoAsked,
): Promise<ReviewSaved> {
  const { at, ...asked } = request;
  const edits = await reviews.options.edits.all();
  const edit = edits.findLast((each) => isMeant(each, request));
  if (edit === undefined) {
    return {
      kind: 'refused',
      reason: 'somebody else made this save, or dragoman no longer knows it',
    };
  }
  const restored = restoredBy(edit);
  if (restored === undefined || edit.before === null) {
    return {
      kind: 'refused',
      reason:
        'before this save there was no translation of this source, so the page has no text to put back',
    };
  }
  const reviewed = restored.state === 'reviewed';
  return await reviewSave(reviews, {
    request: { ...asked, text: edit.before, reviewed, restored },
    saves,
  });
}

function isMeant(edit: PersonEdit, request: ReviewUndoRequest): boolean {
  return (
    edit.id === request.id &&
    edit.at === request.at &&
    edit.targetHash === request.was &&
    edit.by === request.by &&
    edit.path === request.file &&
    edit.project === request.project &&
    edit.language === request.language &&
    edit.how === 'page' &&
    edit.undone === undefined
  );
}

/**
 * Undefined when the earlier text was not a translation of the present source. With a statement about the present source, an outdated
 * text would count as up to date.
 */
function restoredBy({ made, state, wanted }: PersonEdit): RestoredMark | undefined {
  if (state === undefined) return undefined;
  switch (state) {
    case 'unreviewed':
    case 'reviewed':
    case 'done':
      return { mark: made, state, ...(wanted === undefined ? {} : { isWanted: wanted }) };
    case 'missing':
    case 'stale':
    case 'held':
      return undefined;
  }
}
