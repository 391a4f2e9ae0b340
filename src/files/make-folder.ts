/** Makes a folder and those above it, and says why where that cannot be done. */
import { mkdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errorCode } from './disk.ts';

/** What belongs to the state is nobody else's. */
export const PRIVATE = 0o700;

/**
 * Node's recursive `mkdir` says ENOENT where the disk is read-only or broken (EROFS, EIO, EDQUOT), which reads as if a file were
 * gone: one step at a time says what it is.
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

/** The same at once. @returns the first folder that was made; undefined when all were there */
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
