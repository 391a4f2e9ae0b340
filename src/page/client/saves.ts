/** What was saved at this sitting, to be taken back one by one. */
import type { ReviewRow } from '../../control/review/report.ts';
import { ask } from './ask.ts';

export interface LastSave {
  /** As the save left it. */
  readonly row: ReviewRow;
  /** Its place in the list, as long as the same list is shown. */
  readonly at: number;
  readonly run: number;
}

/** @returns the text as it was before @throws Declined */
export async function undoSave({ row }: LastSave): Promise<ReviewRow> {
  const { project, file, language, text, edited } = row;
  const seen = { id: text.id, source: text.sourceHash, was: text.targetHash };
  const body = { project, file, language, ...seen, at: edited?.at ?? '' };
  return (await ask<{ row: ReviewRow }>('/api/review/undo', body)).row;
}
