/**
 * Finds the lock of a project in another folder: `lock` named that one before, or the project had a config of its own. Without its lines,
 * stale translations would count as up to date. So every command ends until a person moves the files.
 */
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { CONFIG_NAME } from '../config/load.ts';
import type { Config } from '../config.ts';
import { type Failure, JobFailure } from '../failure.ts';
import { sizeOfFile } from '../files/disk.ts';
import { shellWords } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project } from '../project.ts';
import { LockFiles } from '../state/lock-file.ts';
import { attributesPath, GIT_ATTRIBUTES } from '../state/lock-place.ts';
import { readLockBytes } from '../state/lock-reader.ts';
import { parseLock } from '../state/lock-text.ts';
import { projectOfFolder } from '../state/memories/folder.ts';
import { findLinesOfOthers, linesOfOthers } from './lines-of-others.ts';
import { nearbyFiles } from './nearby-files.ts';
import { otherConfigs, projectsOfOthers } from './other-configs.ts';

type LockInConfig = Pick<InForce, 'config' | 'router'>;

/** @returns see `findLinesOfOthers` @throws JobFailure `damaged-state`, see `renamedLock` */
export async function refuseRenamedLock(
  configured: LockInConfig & Partial<Pick<InForce, 'text'>>,
): ReturnType<typeof findLinesOfOthers> {
  const found = await findLinesOfOthers(configured);
  const failure = found.isSeen === true ? undefined : await renamedLock(configured);
  if (failure !== undefined) throw new JobFailure(failure);
  return found;
}

/** @returns undefined unless a project has no lock, and a lock that the config does not name has the lines of its sources */
export async function renamedLock(configured: LockInConfig): Promise<Failure | undefined> {
  const { lock, projects } = configured.config;
  if (lock === undefined || (await isEmptyFolder(lock))) return undefined;
  const files = new LockFiles(lock);
  const missing: AbsentLock[] = [];
  for (const project of projects) missing.push(...(await absentLocks(files, project)));
  if (missing.length === 0) return undefined;
  const here = await linesOfOthers(configured, files);
  const sought = missing.filter(({ path }) => !here.has(path));
  return sought.length === 0 ? undefined : await foundElsewhere(configured, lock, sought);
}

async function foundElsewhere(
  configured: LockInConfig,
  lock: string,
  sought: readonly AbsentLock[],
): Promise<Failure | undefined> {
  const locks = await otherLocks(configured.config, lock);
  const configs = locks.length === 0 ? [] : await otherConfigs(configured.config, lock);
  for (const other of locks) {
    const files = new LockFiles(other);
    const isOfOthers = projectsOfOthers(configs, other);
    const lines = await linesOfOthers(configured, files, { isStrange: true });
    for (const each of sought) {
      const own = files.pathOf(each);
      const found = (await isAbout(configured, each, own)) ? own : lines.get(own)?.[0]?.file;
      if (found === undefined || isOfOthers(projectOfFolder(basename(dirname(found))))) continue;
      const isWhole = !existsSync(lock) && !configs.some((config) => config.lock === other);
      const [from, to] = isWhole ? [other, lock] : [dirname(found), dirname(each.path)];
      return misplaced(lock, { from, to, folder: dirname(each.path) });
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

/**
 * The files of a project that has no lock in any language: a new language of a project is not a renamed one. A person made an empty folder
 * for it: git has none.
 */
async function absentLocks(
  files: LockFiles,
  { name: project, root, targets }: Project,
): Promise<AbsentLock[]> {
  const all = targets.map((language) => {
    return { project, language, root, path: files.pathOf({ project, language }) };
  });
  const [first] = all;
  if (first === undefined || all.some(({ path }) => existsSync(path))) return [];
  return (await isEmptyFolder(dirname(first.path))) ? [] : all;
}

async function isEmptyFolder(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => undefined);
  return entries?.length === 0;
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

interface Misplaced {
  readonly from: string;
  readonly to: string;
  /** Of the project in the lock. */
  readonly folder: string;
}

function misplaced(lock: string, { from, to, folder }: Misplaced): Failure {
  const isThere = existsSync(to);
  const parent = existsSync(dirname(to)) ? '' : `mkdir -p ${shellWords(dirname(to))} && `;
  const move = isThere
    ? `mv ${shellWords(from)}/* ${shellWords(to)}/`
    : `${parent}mv ${shellWords(from, to)}`;
  const message = `it has the lines of sources of this config, whose lock is ${lock}, and there they are missing; move it ("${move}") or let "lock" name it; if it is another lock, make an empty folder ("mkdir -p ${shellWords(folder)}")`;
  return { kind: 'damaged-state', file: from, message, isLock: true, isMisplaced: true };
}

/** Absolute paths of folders that dragoman made for another lock. A package with a config of its own below this one has its own lock. */
async function otherLocks({ base }: Pick<Config, 'base'>, lock: string): Promise<string[]> {
  const attributes = basename(attributesPath(lock));
  const isMeant = (path: string) => basename(path) === attributes;
  const found = [...(await nearbyFiles([base, dirname(lock)], isMeant))].map(dirname);
  return found.filter(
    (folder) =>
      folder !== lock &&
      sizeOfFile(attributesPath(folder)) === GIT_ATTRIBUTES.length &&
      !hasOwnConfig(folder, base),
  );
}

/** Whether a config is beside the lock, or between it and the folder of this config. */
function hasOwnConfig(lock: string, base: string): boolean {
  if (!lock.startsWith(`${base}/`)) return false;
  for (let folder = lock; folder !== base; folder = dirname(folder)) {
    if (existsSync(join(folder, CONFIG_NAME))) return true;
  }
  return false;
}
