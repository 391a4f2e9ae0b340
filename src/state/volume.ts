/**
 * Two files in the spool, each made once by a leader. One names the volume that daemons of a tree share, the other names the tree. A daemon
 * that reads another name has another volume. No other tree may use the spool: it would remove files that it does not know. A copy of the
 * volume has the same names. So a leader also makes a mark when it begins, and when another daemon starts: who lacks it has a copy.
 */
import { randomUUID } from 'node:crypto';
import { access, constants, link, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import { errorCode, statOf } from '../files/disk.ts';
import { makeFolder, PRIVATE } from '../files/make-folder.ts';
import { readText } from '../files/read-file.ts';
import { temporaryName } from '../files/temporary.ts';

const VOLUME = 'volume';
const TREE = 'tree';
const MARKS = 'marks';
/** The newest marks that are kept, for a database that is restored from a backup. */
const KEPT_MARKS = 100;

/** The name of the volume of a spool. @returns undefined when it has no name yet, or the file cannot be read */
export async function volumeIn(spool: string): Promise<string | undefined> {
  return await volumeLine(spool, VOLUME);
}

/** The file with the name of the volume. */
export function volumeFile(spool: string): string {
  return join(spool, VOLUME);
}

/** Gives the volume of the spool a name, if it has none. @returns null when that fails: jobs of documents and recordings report why */
export async function nameVolume(spool: string): Promise<string | null> {
  return (await lineIn(spool, VOLUME, randomUUID())) ?? null;
}

/** The folder with the marks of leaders: a copy of the volume has none of those that were made since. */
export function marksFolder(spool: string): string {
  return join(spool, MARKS);
}

/** Makes a new mark. @returns its name; undefined when the spool cannot be written */
export async function makeMark(
  spool: string,
  clock: Pick<Clock, 'now'>,
): Promise<string | undefined> {
  const folder = marksFolder(spool);
  // In the order of their names, the oldest comes first.
  const mark = `${clock.now()}-${randomUUID()}`;
  try {
    await makeFolder(folder, PRIVATE);
    await writeFile(join(folder, mark), '', { flag: 'wx', flush: true });
    const earlier = (await readdir(folder)).filter((name) => name !== mark).toSorted();
    for (const old of earlier.slice(0, -KEPT_MARKS)) await rm(join(folder, old), { force: true });
    return mark;
  } catch {
    return undefined;
  }
}

/** Whether a spool has a mark; also true where it has no marks at all, because a person has removed them. */
export async function hasMark(spool: string, mark: string): Promise<boolean> {
  const folder = marksFolder(spool);
  // A name that nobody has asked for before: NFS does not answer it from its cache, as it does a list of the folder.
  return (await statOf(join(folder, mark))) !== undefined || (await statOf(folder)) === undefined;
}

/** Why nothing can be read from a spool or written into it, in a sentence; undefined: it can, or there is no such folder. */
export async function shutSpool(spool: string): Promise<string | undefined> {
  try {
    await access(spool, constants.R_OK | constants.W_OK | constants.X_OK);
    return undefined;
  } catch (error) {
    const code = errorCode(error);
    return code === 'ENOENT' ? undefined : `${spool} cannot be written (${code})`;
  }
}

/** Why the tree cannot use the spool; undefined: it can, because the spool belongs to it or to no tree yet. */
export async function ownerProblem(spool: string, tree: string): Promise<string | undefined> {
  const owner = await volumeLine(spool, TREE);
  return owner === undefined || owner === tree
    ? undefined
    : `${spool} belongs to the tree "${owner}"`;
}

/** Reserves the spool for the tree. @throws JobFailure `team-state` when it belongs to another tree */
export async function takeSpool(spool: string, tree: string): Promise<void> {
  await lineIn(spool, TREE, tree);
  const message = await ownerProblem(spool, tree);
  if (message !== undefined) throw spoolOfAnother(message);
}

export function spoolOfAnother(message: string): JobFailure {
  return new JobFailure({ kind: 'team-state', problem: 'spool', host: 'state.spool', message });
}

async function volumeLine(spool: string, file: string): Promise<string | undefined> {
  const line = await readText(join(spool, file)).catch(() => '');
  return line.trim() === '' ? undefined : line.trim();
}

/** Writes the file if there is none. @returns what it says; undefined when it can be neither read nor made */
async function lineIn(spool: string, file: string, line: string): Promise<string | undefined> {
  const known = await volumeLine(spool, file);
  if (known !== undefined) return known;
  try {
    await makeFolder(spool, PRIVATE);
    await writeMarker(spool, file, line);
  } catch {
    return undefined;
  }
  return await volumeLine(spool, file);
}

/** Makes the complete file in one step, and never replaces another one: two daemons may start at the same time. */
async function writeMarker(spool: string, file: string, line: string): Promise<void> {
  const temp = join(spool, temporaryName());
  await writeFile(temp, `${line}\n`, { flush: true });
  try {
    await link(temp, join(spool, file));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    await rm(temp, { force: true });
  }
}
