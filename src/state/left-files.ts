/**
 * The files of the state as the last process left them. A process that takes the state compares them and removes the record; when it ends,
 * it writes a new one. So files that another program cut off, emptied or removed are known, and a kill is not taken for damage.
 */
import { existsSync } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { unlessAbsent } from '../files/disk.ts';
import { readText, streamFile } from '../files/read-file.ts';
import { writeIfDifferent } from '../files/replace.ts';
import { isLogWhole } from './baselines/log.ts';
import { INITIALIZED, journalGenerations, journalName } from './recovery.ts';
import { replay } from './replay.ts';
import { type StateContent, stateFileAt, stateFilesIn } from './state-files.ts';

const LEFT = 'left.json';

/** By path in the state folder: size and time of the last change. */
type LeftFiles = Readonly<Record<string, string>>;

export interface StateDamage {
  /** Path in the state folder. */
  readonly path: string;
  readonly message: string;
}

/** Compares without changing anything. @throws JobFailure as `stateFilesIn` */
export async function damagesSinceLeft(folder: string): Promise<StateDamage[]> {
  await stateFilesIn(folder);
  const left = await readLeft(folder);
  const damages: StateDamage[] = [];
  for (const [path, before] of Object.entries(left)) {
    const told = stateFileAt(path)?.told;
    if (told === undefined) continue;
    const { content, loss } = told;
    const what = await damageOf(join(folder, path), { content, before });
    if (what !== undefined) {
      damages.push({ path, message: `${path} in the state folder ${what}: ${loss}` });
    }
  }
  return damages;
}

/** From now on, this process changes the files. */
export async function forgetLeft(folder: string): Promise<void> {
  await rm(join(folder, LEFT), { force: true }).catch(() => {});
}

/** Called when all files are closed and the state is still locked. Without the record, less is known of damage. */
export async function recordLeft(folder: string): Promise<void> {
  try {
    const left: Record<string, string> = {};
    const journal = await newestJournal(folder);
    for (const path of await stateFilesIn(folder)) {
      // Older journals are removed when two snapshots have what is in them.
      if (path.startsWith('journal.') && path !== journal) continue;
      const mark = await markOf(join(folder, path));
      if (mark !== undefined) left[path] = mark;
    }
    const content = `${JSON.stringify(left)}\n`;
    const kept = { root: folder, content, mode: 0o600 } as const;
    await writeIfDifferent({ path: join(folder, LEFT), ...kept, durability: 'cached' });
  } catch {
    await forgetLeft(folder);
  }
}

async function readLeft(folder: string): Promise<LeftFiles> {
  // A state whose ledger was removed on purpose begins anew.
  if (!existsSync(join(folder, INITIALIZED))) return {};
  const text = await readText(join(folder, LEFT)).catch(() => '{}');
  try {
    const left: unknown = JSON.parse(text);
    return typeof left === 'object' && left !== null ? (left as LeftFiles) : {};
  } catch {
    return {};
  }
}

async function newestJournal(folder: string): Promise<string | undefined> {
  const generation = (await journalGenerations(folder)).at(-1);
  return generation === undefined ? undefined : journalName(generation);
}

async function markOf(path: string): Promise<string | undefined> {
  const stats = await unlessAbsent(stat(path));
  return stats && `${stats.size} ${stats.mtimeMs}`;
}

interface ComparedFile {
  readonly content: StateContent;
  readonly before: string;
}

async function damageOf(
  path: string,
  { content, before }: ComparedFile,
): Promise<string | undefined> {
  const mark = await markOf(path);
  if (mark === before) return undefined;
  if (mark === undefined) return 'was removed';
  const [size = 0, sizeBefore = 0] = [mark, before].map((each) => Number(each.split(' ')[0]));
  // The recovery of the ledger says more of a damaged snapshot. It takes a cut journal for an unfinished write.
  if (path.endsWith('db.json')) return undefined;
  if (size < sizeBefore) return size === 0 ? 'was emptied' : 'was cut off';
  return (await isWhole(path, content)) ? undefined : 'was damaged';
}

async function isWhole(path: string, content: StateContent): Promise<boolean> {
  try {
    switch (content) {
      case 'ledger':
      case 'framed-lines': {
        const { damaged, torn } = await replay(path, () => {});
        return damaged.length + torn === 0;
      }
      case 'baselines':
        return await isLogWhole(path);
      case 'json':
        JSON.parse(await readText(path));
        return true;
      case 'json-lines':
        return areJsonLines(await readText(path));
      case 'gzip':
        await pipeline(streamFile(path), createGunzip(), async (chunks) => {
          for await (const _ of chunks);
        });
        return true;
    }
  } catch {
    return false;
  }
}

function areJsonLines(text: string): boolean {
  for (const line of text.split('\n')) if (line !== '') JSON.parse(line);
  return true;
}
