/**
 * The saves of this tab: those on the way, those that failed, and those that can be undone. A person never waits for a save. The next
 * text is shown at once, and a failure is shown later. The view may be closed meanwhile, so they are kept beside it.
 */
import type { ReviewRow } from '../../control/review-report.ts';
import { Declined, reasonOfError } from './ask.ts';
import {
  keepSaves,
  keptSaves,
  type LastSave,
  type PendingSave,
  saveText,
  undoSave,
} from './saves.ts';
import { asSeen, rowId, typedTextSaved } from './typed-texts.ts';

export interface FailedSave extends PendingSave {
  /** Why, as the end of a sentence. */
  readonly words: string;
  /** The present text, when somebody else saved first. */
  readonly other: ReviewRow | undefined;
}

/** @returns the text before the undone save; or why it was not undone */
export type Undone = ReviewRow | { readonly problem: string };

class TabSaves {
  /** The texts that are being saved, by the ids of their rows. */
  readonly late = new Map<string, string>();
  /** By the ids of their rows. */
  readonly #failed = new Map<string, FailedSave>();
  readonly #sent = new Map<string, Promise<ReviewRow | undefined>>();
  /** The rows of the last answers, by their ids, each with the number of its answer. */
  readonly #newest = new Map<string, { readonly row: ReviewRow; readonly answer: number }>();
  readonly #listeners = new Set<() => void>();
  #done = keptSaves();
  #answers = 0;
  #orders = 0;
  #undoing: Promise<unknown> = Promise.resolve();

  /** @returns a function that ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Number of answers so far. A list that was asked for before an answer may have the text before this save. */
  get answers(): number {
    return this.#answers;
  }

  /** The row; or the row of a later answer. @param answers their number when the row was asked for */
  newer(row: ReviewRow, answers: number): ReviewRow {
    const known = this.#newest.get(rowId(row));
    return known !== undefined && known.answer > answers ? known.row : row;
  }

  get failed(): readonly FailedSave[] {
    return [...this.#failed.values()];
  }

  failedOf(row: ReviewRow): FailedSave | undefined {
    return this.#failed.get(rowId(row));
  }

  get canUndo(): boolean {
    return this.#done.length + this.#sent.size > 0;
  }

  /** Removes the message about a failed save. */
  forget(row: ReviewRow): void {
    this.#failed.delete(rowId(row));
    this.#publish();
  }

  /** Notes a row that is newer than those of all lists. */
  note(row: ReviewRow): void {
    this.#answers += 1;
    this.#newest.set(rowId(row), { row, answer: this.#answers });
    this.#publish();
  }

  /** Sends a save. Another save of the same text is sent after it. */
  save(saving: PendingSave): void {
    const name = rowId(saving.row);
    const order = ++this.#orders;
    const before = this.#sent.get(name);
    this.late.set(name, saving.text);
    this.#failed.delete(name);
    const sent = this.#send(saving, { before, order }).finally(() => {
      if (this.#sent.get(name) === sent) {
        this.#sent.delete(name);
        this.late.delete(name);
      }
      this.#publish();
    });
    this.#sent.set(name, sent);
    this.#publish();
  }

  /** @returns the saved row; undefined when the save failed */
  async #send(saving: PendingSave, { before, order }: SaveTurn): Promise<ReviewRow | undefined> {
    const own = await before;
    const row = own ?? saving.row;
    try {
      const next = await saveText({ ...saving, row });
      typedTextSaved({ row: next, text: saving.text });
      const isSaved = next.edited !== undefined && next.edited.at !== row.edited?.at;
      if (isSaved) this.#keep([...this.#done, { row: next, order }]);
      this.note(next);
      return next;
    } catch (error) {
      const other = error instanceof Declined ? (error.row as ReviewRow | undefined) : undefined;
      const words = reasonOfError(error);
      this.#failed.set(rowId(row), { ...saving, row, words, other });
      return undefined;
    }
  }

  /** In the order in which the person made them: the answers may come in another one. */
  #keep(saves: readonly LastSave[]): void {
    this.#done = saves.toSorted((a, b) => a.order - b.order);
    keepSaves(this.#done);
  }

  /** Undoes the last save, after those that are on the way. @returns undefined when there is none */
  async undo(): Promise<Undone | undefined> {
    const undone = this.#undoing.then(() => this.#undoLast());
    this.#undoing = undone;
    return await undone;
  }

  async #undoLast(): Promise<Undone | undefined> {
    await Promise.all(this.#sent.values());
    const last = this.#done.at(-1);
    if (last === undefined) return undefined;
    const forget = () => this.#keep(this.#done.filter((each) => each !== last));
    try {
      const row = await undoSave(last);
      forget();
      typedTextSaved({ row, text: row.text.target ?? '' });
      this.note(row);
      return row;
    } catch (error) {
      // Without an answer of the daemon, it can be tried again.
      if (error instanceof Declined) forget();
      this.#publish();
      return { problem: reasonOfError(error) };
    }
  }

  #publish(): void {
    for (const listener of this.#listeners) listener();
  }
}

interface SaveTurn {
  readonly before: Promise<ReviewRow | undefined> | undefined;
  readonly order: number;
}

export const tabSaves = new TabSaves();

/** What the person saves: the text, based on the one that they saw when they began to type. */
export function savingOf(row: ReviewRow, text: string, reviewed: boolean): PendingSave {
  return { row: asSeen(row), text, reviewed };
}
