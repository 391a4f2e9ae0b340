/**
 * Finds the lock of a project under another name: the project was renamed in the config, or `lock` names another folder. Without its lines,
 * stale translations would count as up to date, and a run would remove them. So every command ends until a person moves the files.
 */
import { type Dirent, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { CONFIG_NAME } from '../config/load.ts';
import { type Failure, JobFailure } from '../failure.ts';
import { sizeOfFile } from '../files/disk.ts';
import { type Hash, shellWords } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project } from '../project.ts';
import { LockFiles, readLockBytes } from '../state/lock-file.ts';
import { attributesPath, GIT_ATTRIBUTES } from '../state/lock-place.ts';
import { parseLock } from '../state/lock-text.ts';
import { findLinesOfOthers } from './lines-of-others.ts';

type LockInConfig = Pick<InForce, 'config' | 'router'>;

/** @returns see `findLinesOfOthers` @throws JobFailure `damaged-state`, see `renamedLock` */
export async function refuseRenamedLock(
  configured: LockInConfig & Partial<Pick<InForce, 'text'>>,
): Promise<Hash | undefined> {
  const places = await findLinesOfOthers(configured);
  const failure = await renamedLock(configured);
  if (failure !== undefined) throw new JobFailure(failure);
  return places;
}

/** @returns undefined unless a project has no lock, and a file that the config does not name has the lines of its sources */
export async function renamedLock(configured: LockInConfig): Promise<Failure | undefined> {
  const { lock, base, projects } = configured.config;
  if (lock === undefined) return undefined;
  const files = new LockFiles(lock);
  const missing = projects.flatMap((project) => absentLocks(files, project));
  if (missing.length === 0) return undefined;
  const others = existsSync(lock) ? [] : await otherLocks(base);
  for (const each of missing) {
    for (const other of others) {
      const file = new LockFiles(other).pathOf(each);
      if (await isAbout(configured, each, file)) return misplaced(lock, other);
    }
  }
  return undefined;
}

interface AbsentLock {
  /** Name of the project. */
  readonly project: string;
  readonly language: LanguageTag;
  readonly root: string;
  /** Where the file would be. */
  readonly path: string;
}

/** The files of a project that has no lock in any language: a new language of a project is not a renamed one. */
function absentLocks(files: LockFiles, { name: project, root, targets }: Project): AbsentLock[] {
  const all = targets.map((language) => {
    return { project, language, root, path: files.pathOf({ project, language }) };
  });
  return all.some(({ path }) => existsSync(path)) ? [] : all;
}

/** Whether a file of a lock has lines of sources that the project has. */
async function isAbout(
  { router }: LockInConfig,
  { project, root }: AbsentLock,
  file: string,
): Promise<boolean> {
  const text = (await readLockBytes(file))?.bytes.toString('utf8');
  if (text === undefined) return false;
  const { sections } = parseLock(text);
  const isSource = (path: string) =>
    router.match(project, path).kind === 'source' && existsSync(join(root, path));
  return sections.keys().some((path) => path !== '' && isSource(path));
}

function misplaced(lock: string, other: string): Failure {
  const message = `it has the lines of sources of this config, whose lock is ${lock}, and that folder does not exist; move it ("mv ${shellWords(other, lock)}") or let "lock" name it; if it is another lock, make the folder ("mkdir ${shellWords(lock)}")`;
  return { kind: 'damaged-state', file: other, message, isLock: true, isMisplaced: true };
}

/** How deep below the folder of the config another lock is looked for. */
const DEPTH = 2;

/** Absolute paths of folders that dragoman made for a lock. */
async function otherLocks(folder: string, depth = DEPTH): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const folders = entries
    .filter((entry) => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .map(({ name }) => join(folder, name))
    // A package with a config of its own has a lock of its own.
    .filter((path) => !existsSync(join(path, CONFIG_NAME)));
  const found = folders.filter(
    (path) => sizeOfFile(attributesPath(path)) === GIT_ATTRIBUTES.length,
  );
  if (depth <= 1) return found;
  const below = await Promise.all(folders.map((path) => otherLocks(path, depth - 1)));
  return [...found, ...below.flat()];
}
