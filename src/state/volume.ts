/**
 * The name of the volume that daemons of a tree share: a file in the spool, made once. A daemon that reads another name is on
 * another volume.
 */
import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { temporaryName } from '../files/temporary.ts';

const VOLUME = 'volume';

/** @returns undefined when it has no name yet, or the file cannot be read */
export async function volumeIn(spool: string): Promise<string | undefined> {
  const name = await readFile(join(spool, VOLUME), 'utf8').catch(() => '');
  return name.trim() === '' ? undefined : name.trim();
}

/** Gives it a name, if it has none. @returns null when that fails: jobs of documents and recordings report why */
export async function nameVolume(spool: string): Promise<string | null> {
  const known = await volumeIn(spool);
  if (known !== undefined) return known;
  try {
    await makeFolder(spool, PRIVATE);
    await place(spool);
  } catch {
    return null;
  }
  return (await volumeIn(spool)) ?? null;
}

/** Makes the complete file in one step, and never replaces another one: two daemons may start at the same time. */
async function place(spool: string): Promise<void> {
  const temp = join(spool, temporaryName());
  await writeFile(temp, `${randomUUID()}\n`);
  try {
    await link(temp, join(spool, VOLUME));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temp, { force: true });
  }
}
