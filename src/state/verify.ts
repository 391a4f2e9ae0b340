/** Checks the files of a ledger without changing them, also while a daemon writes them. */
import { join } from 'node:path';
import {
  journalGenerations,
  journalName,
  PREVIOUS,
  type RecoveryNote,
  SNAPSHOT,
} from './recovery.ts';
import { replay } from './replay.ts';
import { readSnapshot } from './snapshot.ts';

/**
 * @param folder absolute, with `db.json`
 * @returns the damages; a line that is being written now is not damage
 * @throws JobFailure `unreadable`
 */
export async function verifyState(folder: string): Promise<RecoveryNote[]> {
  const notes: RecoveryNote[] = [];
  for (const name of [SNAPSHOT, PREVIOUS]) {
    const file = join(folder, name);
    const read = await readSnapshot(file);
    if (read.kind === 'damaged') notes.push({ file, message: read.message });
  }
  for (const generation of await journalGenerations(folder)) {
    const file = join(folder, journalName(generation));
    for (const { offset, bytes } of (await replay(file, () => {})).damaged) {
      notes.push({ file, message: `${bytes} bytes from ${offset} on cannot be read` });
    }
  }
  return notes;
}
