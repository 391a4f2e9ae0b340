/** Saves, and what was saved at this sitting, to be taken back one by one; a tab that is loaded again still knows it. */
import type { ReviewRow } from '../../control/review/report.ts';
import { ask } from './ask.ts';

export interface LastSave {
  /** As the save left it. */
  readonly row: ReviewRow;
  /** Its place in the list, as long as the same list is shown. */
  readonly at: number;
  readonly run: number;
}

/** In the storage of the tab. */
const NAME = 'dragoman-saves';
/** Nobody takes more back one by one. */
const MOST = 100;
/** A list that is not shown any more. */
const GONE = -1;

/** Empty where nothing was saved in this tab, and where the browser keeps nothing. */
export function keptSaves(): readonly LastSave[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(NAME) ?? '[]') as readonly LastSave[];
    return kept.map((save) => ({ ...save, run: GONE }));
  } catch {
    return [];
  }
}

export function keepSaves(saves: readonly LastSave[]): void {
  try {
    sessionStorage.setItem(NAME, JSON.stringify(saves.slice(-MOST)));
  } catch {
    // A browser that keeps nothing forgets them when the page is loaded again.
  }
}

export interface PendingSave {
  /** As it was seen. */
  readonly row: ReviewRow;
  readonly text: string;
  readonly reviewed: boolean;
}

/** @returns the text as it stands there now @throws Declined */
export async function saveText({ row, text, reviewed }: PendingSave): Promise<ReviewRow> {
  const body = { ...seenIn(row), text, reviewed };
  return (await ask<{ row: ReviewRow }>('/api/review/save', body)).row;
}

/** @returns the text as it was before @throws Declined */
export async function undoSave({ row }: LastSave): Promise<ReviewRow> {
  const body = { ...seenIn(row), at: row.edited?.at ?? '' };
  return (await ask<{ row: ReviewRow }>('/api/review/undo', body)).row;
}

function seenIn({ project, file, language, text }: ReviewRow): object {
  const { id, sourceHash: source, targetHash: was } = text;
  return { project, file, language, id, source, was };
}
