/** Saves of the Review page. A slow save goes on while the person works on the next text; its failure is shown later. */
import { useEffect, useState } from 'preact/hooks';
import type { ReviewRow } from '../../control/review/report.ts';
import { Declined, reasonOfError } from './ask.ts';
import type { LoadedTexts } from './review-texts.ts';
import {
  keepSaves,
  keptSaves,
  type LastSave,
  type PendingSave,
  saveText,
  undoSave,
} from './saves.ts';
import { rowId, typedTextSaved } from './typed-texts.ts';

/** Milliseconds that a person waits for a save; a slower one goes on in the background. */
const SAVE_PATIENCE_MS = 400;

/** A place in a list, and the number of the list. */
type SavePlace = Pick<LastSave, 'at' | 'run'>;

/** A save that failed while the person worked on another text. */
export interface FailedSave extends SavePlace {
  readonly row: ReviewRow;
  readonly words: string;
  readonly reviewed: boolean;
  /** The present text, when somebody else saved first. */
  readonly other: ReviewRow | undefined;
}

export interface Saves {
  /** The texts that are being saved, by the ids of their rows. */
  readonly late: ReadonlyMap<string, string>;
  readonly failed: readonly FailedSave[];
  /** Removes the message about a failed save. */
  forget(save: FailedSave): void;
  save(saving: PendingSave): Promise<void>;
  /** Undoes the last save; undefined when there is none. */
  readonly undo: (() => Promise<void>) | undefined;
}

/** @param began called when a save begins */
export function useSaves(texts: LoadedTexts, began: () => void): Saves {
  const [saves, setSaves] = useState(keptSaves);
  const [late, setLate] = useState<ReadonlyMap<string, string>>(new Map());
  const [failed, setFailed] = useState<readonly FailedSave[]>([]);
  useEffect(() => keepSaves(saves), [saves]);
  const send = async (saving: PendingSave, where: SavePlace) => {
    const name = rowId(saving.row);
    began();
    setLate((all) => new Map([...all, [name, saving.text]]));
    try {
      const next = await saveText(saving);
      typedTextSaved({ row: next, text: saving.text });
      const isSaved = next.edited !== undefined && next.edited.at !== saving.row.edited?.at;
      if (isSaved) setSaves((all) => [...all, { row: next, ...where }]);
      if (where.run === texts.run()) texts.place(where.at, next);
    } finally {
      setLate((all) => new Map([...all].filter(([each]) => each !== name)));
    }
  };
  // Writing a large file takes seconds, and the person does not wait. When it fails, a message says so and the typed text stays.
  const save = async (saving: PendingSave) => {
    const where = { at: texts.at, run: texts.run() };
    const sent = send(saving, where);
    if (!(await isLate(sent))) return;
    sent.catch((error: unknown) => {
      const other = error instanceof Declined ? (error.row as ReviewRow | undefined) : undefined;
      const { row, reviewed } = saving;
      setFailed((all) => [...all, { ...where, row, reviewed, other, words: reasonOfError(error) }]);
    });
  };
  const undo = async (last: LastSave) => {
    if (await undoSettles(last, texts)) setSaves((all) => all.filter((each) => each !== last));
  };
  const last = saves.at(-1);
  return {
    ...{ late, failed, save },
    forget: (save) => setFailed((all) => all.filter((each) => each !== save)),
    undo: last && (() => undo(last)),
  };
}

/** Undoes a save. @returns whether the save is settled; false when the daemon gave no answer, so that it can be tried again */
async function undoSettles(last: LastSave, texts: LoadedTexts): Promise<boolean> {
  try {
    const before = await undoSave(last);
    texts.setProblem('');
    // With other filters, the text has another place in the list.
    if (last.run !== texts.run()) texts.begin(texts.wanted);
    else {
      texts.place(last.at, before);
      texts.go(last.at);
    }
    return true;
  } catch (error) {
    texts.setProblem(reasonOfError(error));
    return error instanceof Declined;
  }
}

async function isLate(sent: Promise<void>): Promise<boolean> {
  return await Promise.race([
    sent.then(() => false),
    new Promise<boolean>((resolve) => setTimeout(resolve, SAVE_PATIENCE_MS, true)),
  ]);
}
