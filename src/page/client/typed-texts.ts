/**
 * Typed and unsaved texts. They are kept while a person views other texts, and in the tab after the session ends. The browser
 * asks before it closes the tab.
 */
import type { ReviewRow } from '../../control/review-report.ts';

interface TypedText {
  readonly text: string;
  /** Hash of the text when the person began to type: a save must not replace a text that the person has not seen. */
  readonly saw: ReviewRow['text']['target_hash'];
}

/** Name in the storage of the tab. */
const STORAGE_NAME = 'dragoman-drafts';

const typed = keptTexts();

addEventListener('beforeunload', (event) => {
  if (typed.size > 0) event.preventDefault();
});

function keptTexts(): Map<string, TypedText> {
  try {
    return new Map(
      JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '[]') as [string, TypedText][],
    );
  } catch {
    return new Map();
  }
}

function store(): void {
  try {
    sessionStorage.setItem(STORAGE_NAME, JSON.stringify([...typed]));
  } catch {
    // Without storage, typed texts are kept until the page is loaded again.
  }
}

export function typedText(row: ReviewRow): string {
  return typed.get(rowId(row))?.text ?? row.text.target ?? '';
}

/** @param sent the text that is being saved; undefined: none */
export function keepTypedText(row: ReviewRow, text: string, sent: string | undefined): void {
  const name = rowId(row);
  const known = typed.get(name);
  // While a save is on the way, the earlier text is a change, too.
  if (text === (row.text.target ?? '') && sent === undefined) typed.delete(name);
  else typed.set(name, { text, saw: known?.saw ?? row.text.target_hash });
  store();
}

/** The row with the hash of the text that the person saw when they began to type. */
export function asSeen(row: ReviewRow): ReviewRow {
  const saw = typed.get(rowId(row))?.saw;
  return saw === undefined ? row : { ...row, text: { ...row.text, target_hash: saw } };
}

/** Removes a typed text that was saved. Later typing is kept, based on the saved text. */
export function typedTextSaved(saved: { readonly row: ReviewRow; readonly text: string }): void {
  const name = rowId(saved.row);
  const known = typed.get(name);
  if (known === undefined) return;
  if (known.text === saved.text) typed.delete(name);
  else typed.set(name, { ...known, saw: saved.row.text.target_hash });
  store();
}

/** Removes the typed text: the person keeps the present text. */
export function dropTypedText(row: ReviewRow): void {
  typed.delete(rowId(row));
  store();
}

export function hasTypedText(row: ReviewRow): boolean {
  return typed.has(rowId(row));
}

export function hasTypedTexts(): boolean {
  return typed.size > 0;
}

/** The identity of a text on the page. */
export function rowId({ project, file, language, text }: ReviewRow): string {
  return [project, file, language, text.id].join('\n');
}
