/**
 * What was typed and not saved yet: it stays while a person looks at other texts, and in the tab when their session ends. The
 * browser asks before it closes.
 */
import type { ReviewRow } from '../../control/review/report.ts';

interface Draft {
  readonly text: string;
  /** Hash of what stood there when it was begun: a save must not replace what nobody has seen. */
  readonly saw: ReviewRow['text']['targetHash'];
}

/** In the storage of the tab. */
const NAME = 'dragoman-drafts';

const drafts = keptDrafts();

addEventListener('beforeunload', (event) => {
  if (drafts.size > 0) event.preventDefault();
});

function keptDrafts(): Map<string, Draft> {
  try {
    return new Map(JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as [string, Draft][]);
  } catch {
    return new Map();
  }
}

function store(): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify([...drafts]));
  } catch {
    // A browser that keeps nothing has them until the page is loaded again.
  }
}

export function draftOf(row: ReviewRow): string {
  return drafts.get(nameOf(row))?.text ?? row.text.target ?? '';
}

export function keepDraft(row: ReviewRow, text: string): void {
  const name = nameOf(row);
  const known = drafts.get(name);
  if (text === (row.text.target ?? '')) drafts.delete(name);
  else drafts.set(name, { text, saw: known?.saw ?? row.text.targetHash });
  store();
}

/** The text with what stood there when the person began to type. */
export function asSeen(row: ReviewRow): ReviewRow {
  const saw = drafts.get(nameOf(row))?.saw;
  return saw === undefined ? row : { ...row, text: { ...row.text, targetHash: saw } };
}

/** What stands there is theirs now, and what was typed since goes on from it. */
export function draftSaved(saved: { readonly row: ReviewRow; readonly text: string }): void {
  const name = nameOf(saved.row);
  const known = drafts.get(name);
  if (known === undefined) return;
  if (known.text === saved.text) drafts.delete(name);
  else drafts.set(name, { ...known, saw: saved.row.text.targetHash });
  store();
}

/** The person takes what stands there. */
export function dropDraft(row: ReviewRow): void {
  drafts.delete(nameOf(row));
  store();
}

export function hasDraft(row: ReviewRow): boolean {
  return drafts.has(nameOf(row));
}

export function hasDrafts(): boolean {
  return drafts.size > 0;
}

/** A text among all of the page. */
export function nameOf({ project, file, language, text }: ReviewRow): string {
  return [project, file, language, text.id].join('\n');
}
