/**
 * Typed and unsaved texts. They are kept while a person views other texts, and in the tab after the session ends. The browser
 * asks before it closes the tab.
 */
import type { ReviewRow } from '../../control/review/report.ts';

interface TypedText {
  readonly text: string;
  /** Hash of the text when the person began to type: a save must not replace a text that the person has not seen. */
  readonly saw: ReviewRow['text']['targetHash'];
}

/** Name in the storage of the tab. */
const NAME = 'dragoman-drafts';

const drafts = keptDrafts();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

function keptDrafts(): Map<string, TypedText> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as [string, TypedText][]);
  } catch {
    return new Map();
  }
}

function store(): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...drafts]));
  } catch {
    // Without storage, drafts are kept until the page is loaded again.
  }
}

export function draftOfRow(row: ReviewRow): string {
  return drafts.get(rowId(row))?.text ?? row.text.target ?? '';
}

export function keepDraft(row: ReviewRow, text: string): void {
  const name = rowId(row);
  const known = drafts.get(name);
  if (text === (row.text.target ?? '')) drafts.delete(name);
  else drafts.set(name, { text, saw: known?.saw ?? row.text.targetHash });
  store();
}

/** The row with the hash of the text that the person saw when they began to type. */
export function asSeen(row: ReviewRow): ReviewRow {
  const saw = drafts.get(rowId(row))?.saw;
  return saw === undefined ? row : { ...row, text: { ...row.text, targetHash: saw } };
}

/** Removes a saved draft. What was typed meanwhile stays a draft, based on the saved text. */
export function draftSaved(saved: { readonly row: ReviewRow; readonly text: string }): void {
  const name = rowId(saved.row);
  const known = drafts.get(name);
  if (known === undefined) return;
  if (known.text === saved.text) drafts.delete(name);
  else drafts.set(name, { ...known, saw: saved.row.text.targetHash });
  store();
}

/** Removes the draft: the person keeps the present text. */
export function dropDraft(row: ReviewRow): void {
  drafts.delete(rowId(row));
  store();
}

export function hasDraft(row: ReviewRow): boolean {
  return drafts.has(rowId(row));
}

export function hasDrafts(): boolean {
  return drafts.size > 0;
}

/** The identity of a text on the page. */
export function rowId({ project, file, language, text }: ReviewRow): string {
  return [project, file, language, text.id].join('\n');
}
