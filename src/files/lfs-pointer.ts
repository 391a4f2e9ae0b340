/** Whether a pointer of git-LFS stands in the place of a file. */
import { readHead, statOf } from './disk.ts';
import { POINTER_BYTES, pointedTo } from './lfs.ts';

/** @param file absolute; false for what cannot be read: that has its own message, where it is read */
export async function isPointer(file: string): Promise<boolean> {
  // Asked first: an error costs ten times as much as an answer, and most targets of a first run are not there.
  if ((await statOf(file).catch(() => undefined)) === undefined) return false;
  const head = await readHead(file, POINTER_BYTES).catch(() => undefined);
  return head !== undefined && pointedTo(head) !== undefined;
}
