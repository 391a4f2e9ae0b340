/**
 * The baselines of version 0.1.0: one file each, in a folder for each language. They are moved into the log when that is opened
 * first.
 */
import { rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BaselineKey } from '../../baseline.ts';
import { type Turns, turnsOf } from '../../clock.ts';
import {
  hashBytes,
  isAbsent,
  readBytesIfPresent,
  readFailure,
  writeFailure,
} from '../../files/disk.ts';
import { readAtOnce } from '../../files/read-file.ts';
import { type BaselineId, baselineId } from './hash-index.ts';
import type { BaselineLog } from './log.ts';
import { preparedAt } from './segment-baseline.ts';

const TURN_MS = 10;
const BASELINE_FOLDER = /^[0-9a-f]{2}$/;
const BASELINE_FILE = /^[0-9a-f]{30}\.json$/;

/** Made only from the name of such a file: that has the language, and a hash of project and path. */
export function baselineIdOf({ project, language, path }: BaselineKey): BaselineId {
  return baselineIdFrom(language, hashBytes(`${project}\n${path}`).slice(0, 32));
}

/** The bytes of such a file; undefined: there is none. */
export async function readBaselineFile(
  folder: string,
  { project, language, path }: BaselineKey,
): Promise<Uint8Array | undefined> {
  const hash = hashBytes(`${project}\n${path}`);
  const file = join(folder, language, hash.slice(0, 2), `${hash.slice(2, 32)}.json`);
  return (await readBytesIfPresent(file, Number.POSITIVE_INFINITY))?.bytes;
}

/**
 * A kill in between loses nothing. The files are removed when all of them are in the log, and a file that is in the log already is skipped.
 */
export async function moveFilesIntoLog(folder: string, log: BaselineLog): Promise<void> {
  const languages = await foldersIn(folder);
  if (languages.length === 0) return;
  const turns = turnsOf(TURN_MS);
  for (const language of languages) {
    for (const first of await foldersIn(join(folder, language))) {
      if (!BASELINE_FOLDER.test(first)) continue;
      await moveFolder(join(folder, language, first), { language, log, turns });
    }
  }
  await log.flush();
  for (const language of languages) await removeFolder(join(folder, language));
}

/** Synchronous: an asynchronous read takes ten times as long, and there may be 100,000 files. */
function readNow(file: string): Buffer {
  try {
    return readAtOnce(file, Number.POSITIVE_INFINITY);
  } catch (error) {
    throw readFailure(file, error);
  }
}

async function removeFolder(folder: string): Promise<void> {
  const turns = turnsOf(TURN_MS);
  try {
    for (const inside of await foldersIn(folder)) {
      rmSync(join(folder, inside), { recursive: true, force: true });
      if (turns.over()) await turns.next();
    }
    rmSync(folder, { recursive: true, force: true });
  } catch (error) {
    throw writeFailure(folder, error);
  }
}

interface FolderMove {
  readonly language: string;
  readonly log: BaselineLog;
  readonly turns: Turns;
}

async function moveFolder(folder: string, { language, log, turns }: FolderMove): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!BASELINE_FILE.test(name)) continue;
    const bytes = readNow(join(folder, name));
    if (turns.over()) await turns.next();
    const id = baselineIdFrom(language, basename(folder) + name.slice(0, 30));
    const known = await log.read(id);
    // Both exist when somebody used the older version again for a while.
    if (known !== undefined && (preparedAt(known) ?? '') >= (preparedAt(bytes) ?? '')) continue;
    await log.write(id, bytes);
  }
}

async function foldersIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw readFailure(folder, error);
  });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
}

function baselineIdFrom(language: string, hash: string): BaselineId {
  return baselineId(`${language}/${hash}`);
}
