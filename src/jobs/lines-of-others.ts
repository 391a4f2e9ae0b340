/**
 * Finds lines of the lock that are in the file of another project than the one that has their source now. The place of a source decides.
 * Where the root of the old project is unknown, the texts do, too.
 */
import { existsSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { isStatedIn } from '../intake/former-paths.ts';
import type { LanguageTag } from '../language.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project } from '../project.ts';
import {
  type ElsewhereByFile,
  type LinesElsewhere,
  setLinesElsewhere,
} from '../state/lines-elsewhere.ts';
import { LockFiles, readLockBytes } from '../state/lock-file.ts';
import { type LockText, parseLock, pathsOfLock } from '../state/lock-text.ts';
import { folderName } from '../state/memories/folder.ts';

type Routed = Pick<InForce, 'config' | 'router'>;

/** Finds the lines that are in the files of others, for all that read the lock from now on. */
export async function findLinesOfOthers(routed: Routed): Promise<void> {
  const { lock } = routed.config;
  if (lock !== undefined) setLinesElsewhere(lock, await linesOfOthers(routed, new LockFiles(lock)));
}

/** A file of the lock with sections that its project has not, or has no more. */
interface FileOfOthers {
  /** Absolute. */
  readonly path: string;
  readonly language: LanguageTag;
  /** Undefined: the config has no project of this name. */
  readonly project: Project | undefined;
  readonly text: string;
  /** Paths of these sections. */
  readonly left: readonly string[];
}

async function linesOfOthers(routed: Routed, files: LockFiles): Promise<ElsewhereByFile> {
  const found = new Map<string, LinesElsewhere[]>();
  for (const path of await files.paths()) {
    const file = await fileOfOthers(routed, path);
    if (file === undefined || !(await files.isOwn(path))) continue;
    for (const [heir, paths] of await heirsOf(routed, file)) {
      const into = files.pathOf({ project: heir.name, language: file.language });
      found.set(into, [...(found.get(into) ?? []), { file: path, paths }]);
    }
  }
  return found;
}

async function fileOfOthers(routed: Routed, path: string): Promise<FileOfOthers | undefined> {
  const { projects } = routed.config;
  const folder = basename(dirname(path));
  const project = projects.find(({ name }) => folderName(name) === folder);
  const language = projects.flatMap(({ targets }) => targets).find((tag) => tag === basename(path));
  if (language === undefined) return undefined;
  const text = (await readLockBytes(path))?.bytes.toString('utf8') ?? '';
  const isOwn = (source: string) =>
    project !== undefined && isSourceOf(routed, project, { source, language });
  const left = pathsOfLock(text).filter((source) => source !== '' && !isOwn(source));
  return left.length === 0 ? undefined : { path, language, project, text, left };
}

function isSourceOf(
  { router }: Pick<Routed, 'router'>,
  { name, targets }: Project,
  { source, language }: { readonly source: string; readonly language: LanguageTag },
): boolean {
  if (!targets.includes(language)) return false;
  const match = router.match(name, source);
  return match.kind === 'source' && match.languages?.includes(language) !== false;
}

/** The projects that have sources of a file now, each with the paths of the file by its own paths. */
async function heirsOf(
  routed: Routed,
  file: FileOfOthers,
): Promise<ReadonlyMap<Project, ReadonlyMap<string, string>>> {
  const heirs = new Map<Project, Map<string, string>>();
  const taken = new Set<string>();
  const lock = parseLock(file.text);
  for (const root of rootsFor(routed, file.project)) {
    const open = file.left.filter((path) => !taken.has(path));
    const claims = claimsAt(routed, { ...file, left: open }, root);
    const isSure = root === file.project?.root || (await isEvident(routed, lock, claims));
    for (const { project, source, there } of isSure ? claims : []) {
      const paths = heirs.get(project) ?? new Map<string, string>();
      heirs.set(project, paths.set(source, there));
      taken.add(there);
    }
  }
  return heirs;
}

/** The project of a source that a file of the lock has under `there`. */
interface ClaimedSource {
  readonly project: Project;
  readonly language: LanguageTag;
  readonly source: string;
  readonly there: string;
}

/** @param root where the paths of the file are supposed to begin */
function claimsAt(
  routed: Routed,
  { language, project: former, left }: FileOfOthers,
  root: string,
): ClaimedSource[] {
  return left.flatMap((there) => {
    const place = join(root, there);
    return routed.config.projects.flatMap((project): ClaimedSource[] => {
      const source = relative(project.root, place);
      const isOwn = project === former && source === there;
      if (isOwn || source === '' || source.startsWith('../')) return [];
      if (!isSourceOf(routed, project, { source, language })) return [];
      return [{ project, language, source, there }];
    });
  });
}

/** So many files are read to see whether a lock is about them. */
const MOST_READ = 20;

/** Whether one of the sources that exist has the texts that the lock states. */
async function isEvident(
  { router }: Routed,
  { sections }: LockText,
  claims: readonly ClaimedSource[],
): Promise<boolean> {
  const present = claims.filter(({ project, source }) => existsSync(join(project.root, source)));
  for (const { project, language, source: path, there } of present.slice(0, MOST_READ)) {
    const statements = sections.get(there) ?? [];
    if (await isStatedIn({ project, router, language, path, there, statements })) return true;
  }
  return false;
}

/** Where the paths of a project may begin: at its root. If that is unknown or has changed, at a folder of some project. */
function rootsFor({ config, router }: Routed, former: Project | undefined): Set<string> {
  const roots = new Set<string>(former === undefined ? [] : [former.root]);
  for (const { name, root } of config.projects) {
    for (const folder of [root, ...foldersAbove(root, config.base)]) roots.add(folder);
    const fixed = router.fixedPaths(name).flatMap(({ paths }) => paths);
    for (const { path } of fixed) {
      for (const folder of foldersAbove(join(root, path, 'below'), root)) roots.add(folder);
    }
  }
  return roots;
}

/** @returns the folders above a path, up to another one; none where it is not below that */
function foldersAbove(path: string, top: string): string[] {
  const folders: string[] = [];
  for (let folder = path; folder.startsWith(`${top}/`); ) {
    folder = dirname(folder);
    folders.push(folder);
  }
  return folders;
}
