/** Finds lines of the lock that are in the file of another project than the one that has their source now. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hashBytes } from '../files/disk.ts';
import { readSeen } from '../intake/config-seen.ts';
import { isStatedIn } from '../intake/former-paths.ts';
import {
  type ClaimedSource,
  heirsInRenamedFolder,
  heirsOf,
  isSourceOf,
  type LeftSources,
  type Routed,
} from '../intake/heirs.ts';
import type { Hash } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { Setup } from '../plan/planner.ts';
import type { ElsewhereByFile, LinesOfFile } from '../state/lines-elsewhere.ts';
import { LockFiles, lockNames } from '../state/lock-file.ts';
import { statOfLock } from '../state/lock-place.ts';
import { readLockBytes } from '../state/lock-reader.ts';
import { parseLock, pathsOfLock } from '../state/lock-text.ts';
import { folderName } from '../state/memories/folder.ts';

/** What was found in a lock. */
interface FoundLines {
  readonly lines: ElsewhereByFile;
  /** For `recordSeen`; undefined: there are lines of others. */
  readonly digest?: Hash;
  /** An earlier start has recorded that there are none, with this config and this lock. */
  readonly isSeen?: boolean;
}

/**
 * Finds the lines that are in the files of others. With `text`, the content of the config, files of
 * present projects are not read when an earlier start has recorded that they have none. To read 30 MB took a tenth of a run with nothing
 * to do.
 */
export async function findLinesOfOthers(
  routed: Routed & Partial<Pick<Setup, 'text'>>,
): Promise<FoundLines> {
  const { lock, state } = routed.config;
  if (lock === undefined) return { lines: new Map() };
  const files = new LockFiles(lock);
  const digest = await digestOf(routed.text ?? '', files);
  const isSeen = routed.text !== undefined && (await readSeen(state)).lines === digest;
  const lines = await linesOfOthers(routed, files, { isSeen });
  return lines.size === 0 ? { lines, digest, isSeen } : { lines };
}

async function digestOf(text: string, files: LockFiles): Promise<Hash> {
  const paths = (await files.paths()).toSorted((a, b) => (a < b ? -1 : 1));
  const stats = await Promise.all(paths.map(async (path) => `${path} ${await statOfLock(path)}`));
  return hashBytes([text, ...stats].join('\n'));
}

/** A file of the lock with sections that its project has not, or has no more. */
interface FileOfOthers extends Required<LeftSources> {
  readonly text: string;
}

/** How the files of a lock are taken. */
interface LockTaken {
  /** Files of present projects are not read. */
  readonly isSeen?: boolean;
  /** It is the lock of another config, so the names of its projects say nothing. */
  readonly isStrange?: boolean;
}

export async function linesOfOthers(
  routed: Routed,
  files: LockFiles,
  { isSeen = false, isStrange = false }: LockTaken = {},
): Promise<ElsewhereByFile> {
  const found = new Map<string, LinesOfFile[]>();
  const own = new Set(lockNames(routed.config.projects).map((name) => files.pathOf(name)));
  for (const path of await files.paths()) {
    if (isSeen && own.has(path)) continue;
    const file = await fileOfOthers(routed, path, isStrange);
    if (file === undefined || !(await files.isOwn(path))) continue;
    const { language, text } = file;
    const isProved = (some: readonly ClaimedSource[]) =>
      isEvident(routed, { language, text }, some);
    const inPlace = await heirsOf(routed, file, isProved);
    const taken = new Set(inPlace.map(({ there }) => there));
    const paths = file.paths.filter((each) => !taken.has(each));
    const renamed = await heirsInRenamedFolder(routed, { ...file, paths }, isProved);
    const claims = [...inPlace, ...(await notStated(files, language, renamed))];
    for (const [heir, ofHeir] of Map.groupBy(claims, ({ project }) => project)) {
      const into = files.pathOf({ project: heir.name, language });
      const paths = new Map(ofHeir.map(({ source, there }) => [source, there]));
      found.set(into, [...(found.get(into) ?? []), { file: path, paths }]);
    }
  }
  return found;
}

/** Claims on sources about which their own project says nothing. */
async function notStated(
  files: LockFiles,
  language: LanguageTag,
  claims: readonly ClaimedSource[],
): Promise<ClaimedSource[]> {
  const open: ClaimedSource[] = [];
  for (const claim of claims) {
    const own = await files.sectionsIn(files.pathOf({ project: claim.project.name, language }));
    if (own?.has(claim.source) !== true) open.push(claim);
  }
  return open;
}

async function fileOfOthers(
  routed: Routed,
  path: string,
  isStrange: boolean,
): Promise<FileOfOthers | undefined> {
  const { projects } = routed.config;
  const folder = basename(dirname(path));
  const project = isStrange ? undefined : projects.find(({ name }) => folderName(name) === folder);
  const language = projects.flatMap(({ targets }) => targets).find((tag) => tag === basename(path));
  if (language === undefined) return undefined;
  const text = (await readLockBytes(path))?.bytes.toString('utf8') ?? '';
  const isOwn = (source: string) =>
    project !== undefined && isSourceOf(routed, project, { source, language });
  const paths = pathsOfLock(text).filter((source) => source !== '' && !isOwn(source));
  return paths.length === 0 ? undefined : { language, project, text, paths };
}

/** So many files are read to see whether a lock is about them. */
const MOST_READ = 20;

/** Whether one of the sources that exist has the texts that the lock states. */
async function isEvident(
  { router }: Routed,
  { language, text }: Pick<FileOfOthers, 'language' | 'text'>,
  claims: readonly ClaimedSource[],
): Promise<boolean> {
  const present = claims.filter(({ project, source }) => existsSync(join(project.root, source)));
  if (present.length === 0) return false;
  const { sections } = parseLock(text);
  for (const { project, source: path, there } of present.slice(0, MOST_READ)) {
    const statements = sections.get(there) ?? [];
    if (await isStatedIn({ project, router, language, path, there, statements })) return true;
  }
  return false;
}
