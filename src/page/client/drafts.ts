/** What was typed and not saved yet: it stays while a person looks at other texts, and the browser asks before it closes. */
import type { ReviewRow } from '../../control/review/report.ts';

const drafts = new Map<string, string>();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

export function draftOf(row: ReviewRow): string {
  return drafts.get(nameOf(row)) ?? row.text.target ?? '';
}

export function keepDraft(row: ReviewRow, draft: string): void {
  if (draft === (row.text.target ?? '')) drafts.delete(nameOf(row));
  else drafts.set(nameOf(row), draft);
}

/** Of what was saved. @param text absent: whatever was typed; else what was typed since stays */
export function dropDraft({
  row,
  text,
}: {
  readonly row: ReviewRow;
  readonly text?: string;
}): void {
  const name = nameOf(row);
  if (text === undefined || drafts.get(name) === text) drafts.delete(name);
}

export function hasDraft(row: ReviewRow): boolean {
  return drafts.has(nameOf(row));
}

/** A text among all of the page. */
export function nameOf({ project, file, language, text }: ReviewRow): string {
  return [project, file, language, text.id].join('\n');
}
