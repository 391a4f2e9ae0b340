/** The locks that a thread reads: one object per folder, so a file is read again only when it has changed. */
import type { ElsewhereByFile } from './lines-elsewhere.ts';
import { LockFiles } from './lock-file.ts';

const filesByFolder = new Map<string, LockFiles>();

/** @param folder absolute */
export function lockFilesIn(folder: string): LockFiles {
  const files = filesByFolder.get(folder) ?? new LockFiles(folder);
  filesByFolder.set(folder, files);
  return files;
}

/** The lock for another thread. */
export interface PackedLock {
  /** Absolute. */
  readonly folder: string;
  readonly elsewhere: ElsewhereByFile;
  /** How often the thread that packed it has written files. */
  readonly writings: number;
}

export function packLock({
  folder,
  elsewhere,
  writings,
}: Pick<LockFiles, 'folder' | 'elsewhere' | 'writings'>): PackedLock {
  return { folder, elsewhere: elsewhere.all, writings };
}

/** The lock as the thread has it that packed it. */
export function unpackLock({ folder, elsewhere, writings }: PackedLock): LockFiles {
  const files = lockFilesIn(folder);
  files.elsewhere.replace(elsewhere);
  files.noteWritings(writings);
  return files;
}
