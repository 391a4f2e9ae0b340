/**
 * Tidies the lock in a run over everything. Removes conflict markers of git, lines of sources that are gone, and files of languages that
 * are no longer in the config.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Config } from '../config.ts';
import { hashBytes, isAbsent } from '../files/disk.ts';
import { wasCommitted } from '../files/git-history.ts';
import { readText } from '../files/read-file.ts';
import { writeIfDifferent } from '../files/replace.ts';
import { absentOnPurpose, findWorkTree, trackedIn } from '../files/work-tree.ts';
import { sourceId } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Project } from '../project.ts';
import { LockFiles, type LockName, lockNames, type Rewritten } from '../state/lock-file.ts';
import { statOfLock } from '../state/lock-place.ts';
import type { LockText } from '../state/lock-text.ts';
import { projectOfFolder } from '../state/memories/folder.ts';
import { otherConfigs, projectsOfOthers, projectsWithoutLock } from './other-configs.ts';

export interface LockTidying {
  readonly inForce: { readonly config: Pick<Config, 'projects' | 'file' | 'base'> };
  readonly files: LockFiles;
  /** The state folder. */
  readonly state: string;
  readonly ledger: LedgerView;
}

/**
 * Files of the lock that were tidy, each with its stat and a hash of the sources at that time. A file that has not changed
 * since is not read.
 */
type TidyFiles = Readonly<Record<string, string>>;

const SEEN = 'lock-seen.json';

/** Removes conflict markers only. @returns absolute paths of the files that were written */
export async function healLock({ files, inForce }: LockTidying): Promise<string[]> {
  const healed: string[] = [];
  for (const [path, name] of namesByPath(files, inForce.config.projects)) {
    const rewritten = await files.change(name, (lock) =>
      lock?.hasMarkers === true ? lock.sections : undefined,
    );
    if (rewritten !== undefined) healed.push(path);
  }
  return healed;
}

/**
 * @param sources as they were before the lines of jobs were written: if others were added meanwhile, the next run tidies again
 * @returns absolute paths of the files that were written or removed
 */
export async function tidyLock(tidying: LockTidying, sources: SourcesByProject): Promise<string[]> {
  const { files, state, inForce } = tidying;
  const seen = await readSeen(join(state, SEEN));
  const names = namesByPath(files, inForce.config.projects);
  const next: Record<string, string> = {};
  const changed = await files.elsewhere.move(files);
  for (const path of await leftLocks(tidying)) {
    if (await files.remove(path)) changed.push(path);
  }
  for (const [path, name] of names) {
    if (!(await files.has(name))) continue;
    const key = relative(files.folder, path);
    const mark = async () => `${await statOfLock(path)} ${sources.get(name.project)}`;
    if (seen[key] !== (await mark()) && (await tidy(tidying, name))) changed.push(path);
    next[key] = await mark();
  }
  if (!isDeepStrictEqual(next, seen)) await writeSeen(state, next);
  return [...new Set(changed)];
}

/**
 * Files of the lock whose languages and projects the config does not have any more. Not those with lines that a project of the config will
 * take over, and not those of another config.
 */
export async function leftLocks(
  tidying: Pick<LockTidying, 'inForce' | 'files'>,
): Promise<string[]> {
  const { files, inForce } = tidying;
  const names = namesByPath(files, inForce.config.projects);
  const left: string[] = [];
  for (const path of await files.paths()) {
    if (
      names.has(path) ||
      !(await files.isOwn(path)) ||
      (await files.elsewhere.owedBy(path, files)).size > 0
    )
      continue;
    left.push(path);
  }
  if (left.length === 0) return left;
  const others = await otherConfigs(tidying.inForce.config, files.folder);
  const isOfOthers = projectsOfOthers(others, files.folder);
  const isAwaited = projectsWithoutLock(others);
  return left.filter((path) => {
    const project = projectOfFolder(basename(dirname(path)));
    return !isOfOthers(project) && !isAwaited(project);
  });
}

async function writeSeen(state: string, seen: TidyFiles): Promise<void> {
  const path = join(state, SEEN);
  // Without it, the next run compares the lock with all jobs.
  const durability = 'cached';
  await writeIfDifferent({ path, root: state, content: JSON.stringify(seen), durability });
}

/**
 * This machine wrote a few lines to a file of the lock: when the file was tidy before, it still is. Without this, the whole lock
 * would be compared with all jobs after each save of a reviewer.
 */
export async function recordAmended(
  { files, state }: Pick<LockTidying, 'files' | 'state'>,
  name: LockName,
  { replaced, stat }: Rewritten,
): Promise<void> {
  const seen = await readSeen(join(state, SEEN));
  const key = relative(files.folder, files.pathOf(name));
  const [before, sources] = seen[key]?.split(' ') ?? [];
  if (before !== undefined && before === replaced) {
    await writeSeen(state, { ...seen, [key]: `${stat} ${sources}` });
  }
}

/** Whether a file of the lock is as the last run over everything left it; sources may have been added or moved since. */
export async function lockAsLeft({
  files,
  state,
}: Pick<LockTidying, 'files' | 'state'>): Promise<(name: LockName) => Promise<boolean>> {
  const seen = await readSeen(join(state, SEEN));
  return async (name) => {
    const path = files.pathOf(name);
    const stat = await statOfLock(path);
    return (
      stat !== undefined && seen[relative(files.folder, path)]?.startsWith(`${stat} `) === true
    );
  };
}

/**
 * The sources that a file of the lock may have no lines of. When others changed the file since the last run over everything: all. When
 * sources were added or moved since: those that the file does not name.
 */
async function lockMisses(
  { files, state }: Pick<LockTidying, 'files' | 'state'>,
  sources: SourcesByProject,
): Promise<(name: LockName) => Promise<(source: string) => boolean>> {
  const seen = await readSeen(join(state, SEEN));
  return async (name) => {
    const path = files.pathOf(name);
    const stat = await statOfLock(path);
    const mark = seen[relative(files.folder, path)];
    if (mark === undefined || mark.split(' ')[0] !== `${stat}`) return () => true;
    if (mark === `${stat} ${sources.get(name.project)}`) return () => false;
    const { sections } = (await files.lock(name)) ?? { sections: new Map() };
    return (source) => !sections.has(source);
  };
}

/** Jobs whose lines a file of the lock may not have. Git or a person changed the file, or the sources of the jobs were moved. */
export async function jobsMissed(
  tidying: Pick<LockTidying, 'files' | 'state' | 'ledger'>,
  sources: SourcesByProject,
): Promise<JobRecord[]> {
  const missesIn = await lockMisses(tidying, sources);
  const known = new Map<string, (source: string) => boolean>();
  const missed: JobRecord[] = [];
  for (const job of tidying.ledger.all('jobs')) {
    const key = `${job.project}\n${job.language}`;
    const misses = known.get(key) ?? (await missesIn(job));
    known.set(key, misses);
    if (job.wrote.length > 0 && misses(job.source)) missed.push(job);
  }
  return missed;
}

/**
 * Whether a file of the lock and the paths of the sources are as the last run over everything left them. This machine must also have
 * written a target of each source. Then no source was moved without its targets.
 */
export async function lockInOrder(
  tidying: LockTidying,
): Promise<(name: LockName) => Promise<boolean>> {
  const { files, state, ledger } = tidying;
  const seen = await readSeen(join(state, SEEN));
  const sources = sourcesByProject(tidying);
  const known = Map.groupBy(ledger.all('sources'), ({ project }) => project);
  const left = Map.groupBy(
    [...ledger.all('jobs')].filter(({ wrote }) => wrote.length > 0),
    ({ project, language }) => `${project}\n${language}`,
  );
  return async (name) => {
    const { project, language } = name;
    const targets = left.get(`${project}\n${language}`)?.length ?? 0;
    if (targets < (known.get(project)?.length ?? 0)) return false;
    const path = files.pathOf(name);
    const mark = `${await statOfLock(path)} ${sources.get(name.project)}`;
    return seen[relative(files.folder, path)] === mark;
  };
}

/** Files of the lock that git or an earlier run had, and that are not there now. @returns paths below the folder of the config */
export async function lostLockFiles(config: Config): Promise<string[]> {
  const { lock, state, base } = config;
  if (lock === undefined) return [];
  const names = namesByPath(new LockFiles(lock), config.projects).keys();
  const missing = new Set([...names].filter((path) => !existsSync(path)));
  // Nearly always. Git is asked by a process of its own.
  if (missing.size === 0) return [];
  const seen = Object.keys(await readSeen(join(state, SEEN))).map((path) => join(lock, path));
  const tree = findWorkTree(base);
  const tracked = tree === undefined ? [] : ((await trackedIn(tree, lock)) ?? []);
  const isAway = tree === undefined ? () => false : await absentOnPurpose(tree);
  return [...new Set([...tracked, ...seen])]
    .filter((path) => missing.has(path) && !isAway(path))
    .map((path) => relative(base, path));
}

/** Which languages have no lock although the config names one. @param files undefined: the config names none */
export function unwrittenIn(
  files: Pick<LockFiles, 'pathOf' | 'elsewhere'> | undefined,
): (name: LockName) => boolean {
  if (files === undefined) return () => false;
  const known = new Map<string, boolean>();
  return (name) => {
    const path = files.pathOf(name);
    const isUnwritten = known.get(path) ?? !(existsSync(path) || files.elsewhere.has(path));
    known.set(path, isUnwritten);
    return isUnwritten;
  };
}

/**
 * The languages whose file the lock lacks, although it has those of other languages or git had it. Only those of which this machine has
 * left nothing: their translations count as up to date in a run.
 * @param jobs of the ledger before the run
 */
export async function unstatedIn(
  files: LockFiles | undefined,
  config: Pick<Config, 'lock' | 'projects' | 'base'>,
  jobs: () => Iterable<Pick<JobRecord, 'project' | 'language' | 'wrote'>>,
): Promise<(name: LockName) => boolean> {
  // To list 50,000 jobs takes a tenth of a run with nothing to do.
  if (files === undefined) return () => false;
  const isUnwritten = unwrittenIn(files);
  const keyOf = ({ project, language }: LockName) => `${project}\n${language}`;
  const left = new Set<string>();
  for (const job of jobs()) if (job.wrote.length > 0) left.add(keyOf(job));
  const unstated = new Set<string>();
  for (const project of config.projects) {
    const names = lockNames([project]);
    const missing = names.filter((name) => isUnwritten(name) && !left.has(keyOf(name)));
    const hasOthers = !names.every(isUnwritten);
    for (const name of missing) {
      if (hasOthers || (await mayHaveBeenCommitted(config, name))) unstated.add(keyOf(name));
    }
  }
  return (name) => unstated.has(keyOf(name));
}

/** Whether git had a file of the lock, or cannot say. False outside of a repository: there, nobody has removed it by a commit. */
async function mayHaveBeenCommitted(
  { lock, base }: Pick<Config, 'lock' | 'base'>,
  name: LockName,
): Promise<boolean> {
  const tree = findWorkTree(base);
  if (lock === undefined || tree === undefined) return false;
  return (await wasCommitted(tree, new LockFiles(lock).pathOf(name))) !== false;
}

/** The files of the lock that the config names: no command reads others. */
export function lockPaths({ lock, projects }: Pick<Config, 'lock' | 'projects'>): Iterable<string> {
  return lock === undefined ? [] : namesByPath(new LockFiles(lock), projects).keys();
}

function namesByPath(files: LockFiles, projects: readonly Project[]): Map<string, LockName> {
  const names = lockNames(projects);
  return new Map(names.map((name) => [files.pathOf(name), name]));
}

/** By project: a hash of the paths of its sources. */
type SourcesByProject = ReadonlyMap<string, string>;

/** It takes about 0.1 s for 100,000 sources. */
export function sourcesByProject({ ledger }: Pick<LockTidying, 'ledger'>): SourcesByProject {
  const paths = Map.groupBy(ledger.all('sources'), ({ project }) => project);
  return new Map(
    [...paths].map(([project, sources]) => {
      const all = sources.map(({ path }) => path).sort();
      return [project, hashBytes(all.join('\n'))];
    }),
  );
}

async function tidy(tidying: LockTidying, name: LockName): Promise<boolean> {
  const rewritten = await tidying.files.change(name, async (lock) => {
    if (lock === undefined) return undefined;
    const gone = await goneSources(tidying, name, lock);
    if (!lock.hasMarkers && gone.size === 0) return undefined;
    return new Map([...lock.sections].filter(([path]) => !gone.has(path)));
  });
  return rewritten !== undefined;
}

/** Sources of the lock that exist nowhere any more: not on record, not on the disk, and not left out of this checkout by git. */
async function goneSources(
  tidying: LockTidying,
  name: LockName,
  lock: LockText,
): Promise<ReadonlySet<string>> {
  const { project, language } = name;
  // A merge of git may have put the lines of a job under the name of another source. So all lines stay until each job has left a target.
  for (const job of tidying.ledger.all('jobs')) {
    const isMeant = job.project === project && job.language === language;
    if (isMeant && job.wrote.length === 0) return new Set();
  }
  return await vanishedSources(tidying, name, lock);
}

/** The same, whatever the jobs have left so far. */
export async function vanishedSources(
  { ledger, inForce, files }: LockTidying,
  name: LockName,
  { sections }: LockText,
): Promise<ReadonlySet<string>> {
  const { project } = name;
  const root = rootOf(inForce.config.projects, project);
  if (!existsSync(root)) return new Set();
  const missing = [...sections.keys()].filter(
    (path) =>
      path !== '' &&
      ledger.get('sources', sourceId(project, path)) === undefined &&
      !existsSync(join(root, path)),
  );
  if (missing.length === 0) return new Set();
  const tree = findWorkTree(root);
  const isAway = tree === undefined ? () => false : await absentOnPurpose(tree);
  // The lock has the old path of a moved source until its job has written the new one.
  const moved = new Set((await files.moved(name)).values().map(({ source }) => source));
  const owed = await files.elsewhere.owedBy(files.pathOf(name), files);
  return new Set(
    missing.filter((path) => !isAway(join(root, path)) && !moved.has(path) && !owed.has(path)),
  );
}

function rootOf(projects: readonly Project[], name: string): string {
  return projects.find((project) => project.name === name)?.root ?? '';
}

async function readSeen(path: string): Promise<TidyFiles> {
  try {
    const seen: unknown = JSON.parse(await readText(path));
    return typeof seen === 'object' && seen !== null ? (seen as TidyFiles) : {};
  } catch (error) {
    if (isAbsent(error) || error instanceof SyntaxError) return {};
    throw error;
  }
}
