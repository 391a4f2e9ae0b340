/** Saves of the Review page: a slow one goes on while the person is at the next text, and is told when it goes wrong. */
import { useEffect, useState } from 'preact/hooks';
import type { ReviewRow } from '../../control/review/report.ts';
import { Declined, wordsOf } from './ask.ts';
import { draftSaved, nameOf } from './drafts.ts';
import type { LoadedTexts } from './review-texts.ts';
import {
  keepSaves,
  keptSaves,
  type LastSave,
  type PendingSave,
  saveText,
  undoSave,
} from './saves.ts';

/** Milliseconds that a person waits for a save; one that takes longer goes on while they are at the next text. */
const PATIENCE_MS = 400;

/** Where in which list. */
type Place = Pick<LastSave, 'at' | 'run'>;

/** A save that went wrong while the person was at another text. */
export interface Miss extends Place {
  readonly row: ReviewRow;
  readonly words: string;
  readonly reviewed: boolean;
  /** What stands there, where somebody else was faster. */
  readonly other: ReviewRow | undefined;
}

export interface Saves {
  /** Names of the rows whose save is on its way. */
  readonly late: ReadonlySet<string>;
  readonly misses: readonly Miss[];
  /** Nobody is told of it any more. */
  forget(miss: Miss): void;
  save(saving: PendingSave): Promise<void>;
  /** Takes the last save back; undefined: there is none. */
  readonly undo: (() => Promise<void>) | undefined;
}

/** @param began hears that a save begins */
export function useSaves(texts: LoadedTexts, began: () => void): Saves {
  const [saves, setSaves] = useState(keptSaves);
  const [late, setLate] = useState<ReadonlySet<string>>(new Set());
  const [misses, setMisses] = useState<readonly Miss[]>([]);
  useEffect(() => keepSaves(saves), [saves]);
  const send = async (saving: PendingSave, where: Place) => {
    const name = nameOf(saving.row);
    began();
    setLate((all) => new Set([...all, name]));
    try {
      const next = await saveText(saving);
      draftSaved({ row: next, text: saving.text });
      const isSaved = next.edited !== undefined && next.edited.at !== saving.row.edited?.at;
      if (isSaved) setSaves((all) => [...all, { row: next, ...where }]);
      if (where.run === texts.run()) texts.place(where.at, next);
    } finally {
      setLate((all) => new Set([...all].filter((each) => each !== name)));
    }
  };
  // A large file takes seconds to write, and nobody waits for it: what goes wrong then is told, and the text stays unsaved.
  const save = async (saving: PendingSave) => {
    const where = { at: texts.at, run: texts.run() };
    const sent = send(saving, where);
    if (!(await isLate(sent))) return;
    sent.catch((error: unknown) => {
      const other = error instanceof Declined ? (error.row as ReviewRow | undefined) : undefined;
      const { row, reviewed } = saving;
      setMisses((all) => [...all, { ...where, row, reviewed, other, words: wordsOf(error) }]);
    });
  };
  const undo = async (last: LastSave) => {
    if (await isUndone(last, texts)) setSaves((all) => all.filter((each) => each !== last));
  };
  const last = saves.at(-1);
  return {
    ...{ late, misses, save },
    forget: (miss) => setMisses((all) => all.filter((each) => each !== miss)),
    undo: last && (() => undo(last)),
  };
}

/** Takes a save back. @returns false: nobody said no, and it can be tried again */
async function isUndone(last: LastSave, texts: LoadedTexts): Promise<boolean> {
  try {
    const before = await undoSave(last);
    texts.setProblem('');
    // Under other filters it stands elsewhere in the list.
    if (last.run !== texts.run()) texts.begin(texts.wanted);
    else {
      texts.place(last.at, before);
      texts.go(last.at);
    }
    return true;
  } catch (error) {
    texts.setProblem(wordsOf(error));
    return error instanceof Declined;
  }
}

async function isLate(sent: Promise<void>): Promise<boolean> {
  return await Promise.race([
    sent.then(() => false),
    new Promise<boolean>((resolve) => setTimeout(resolve, PATIENCE_MS, true)),
  ]);
}
