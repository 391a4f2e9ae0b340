/** Sends saves, and keeps the saves of this tab so that they can be undone one by one, also after the tab is loaded again. */
import type { ReviewRow } from '../../control/review-report.ts';
import { askDaemon } from './ask.ts';

export interface LastSave {
  /** The row after the save. */
  readonly row: ReviewRow;
  /** The number of the save in this tab; 0: before the tab was loaded again. */
  readonly order: number;
}

/** Name in the storage of the tab. */
const STORAGE_NAME = 'dragoman-saves';
/** Number of saves that are kept. */
const MOST_SAVES = 100;

/** The saves of this tab; empty when the browser has no storage. */
export function keptSaves(): readonly LastSave[] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORAGE_NAME) ?? '[]') as readonly LastSave[];
    return kept.map(({ row }) => ({ row, order: 0 }));
  } catch {
    return [];
  }
}

export function keepSaves(saves: readonly LastSave[]): void {
  try {
    sessionStorage.setItem(STORAGE_NAME, JSON.stringify(saves.slice(-MOST_SAVES)));
  } catch {
    // Without storage, the saves are lost when the page is loaded again.
  }
}

export interface PendingSave {
  /** The row that the person saw. */
  readonly row: ReviewRow;
  readonly text: string;
  readonly reviewed: boolean;
}

/** @returns the row after the save @throws Declined */
export async function saveText({ row, text, reviewed }: PendingSave): Promise<ReviewRow> {
  const body = { ...seenIn(row), text, reviewed };
  return (await askDaemon<{ row: ReviewRow }>('/api/review/save', body)).row;
}

/** @returns the row before the save @throws Declined */
export async function undoSave({ row }: LastSave): Promise<ReviewRow> {
  const body = { ...seenIn(row), at: row.edited?.at ?? '' };
  return (await askDaemon<{ row: ReviewRow }>('/api/review/undo', body)).row;
}

function seenIn({ project, file, language, text }: ReviewRow): object {
  const { id, source_hash: source, target_hash: was } = text;
  return { project, file, language, id, source, was };
}
