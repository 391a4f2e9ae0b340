/** Makes a folder and those above it, with an exact error when that fails. */
import { mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './disk.ts';

/** Mode of folders of the state: only their owner may use them. */
export const PRIVATE = 0o700;

/**
 * Node's recursive `mkdir` fails with ENOENT when the disk is read-only or broken (EROFS, EIO, EDQUOT), as if a file did not exist.
 * So the folders are then made one by one, which gives the right error.
 */
export async function makeFolder(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode });
  } catch (error) {
    if (!isVague(error, folder)) throw error;
    await makeFolder(dirname(folder), mode);
    await mkdir(folder, { mode });
  }
}

/** The same with synchronous calls. @returns the topmost folder that was made; undefined when all existed */
export function makeFolderAtOnce(folder: string): string | undefined {
  try {
    return mkdirSync(folder, { recursive: true });
  } catch (error) {
    if (!isVague(error, folder)) throw error;
    const made = makeFolderAtOnce(dirname(folder));
    mkdirSync(folder);
    return made ?? folder;
  }
}

function isVague(error: unknown, folder: string): boolean {
  return errorCode(error) === 'ENOENT' && dirname(folder) !== folder;
}
