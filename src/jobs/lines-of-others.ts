/** Finds lines of the lock that are in the file of another project than the one that has their source now. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isStatedIn } from '../intake/former-paths.ts';
import {
  type ClaimedSource,
  heirsOf,
  isSourceOf,
  type LeftSources,
  type Routed,
} from '../intake/heirs.ts';
import {
  type ElsewhereByFile,
  type LinesElsewhere,
  setLinesElsewhere,
} from '../state/lines-elsewhere.ts';
import { LockFiles, readLockBytes } from '../state/lock-file.ts';
import { parseLock, pathsOfLock } from '../state/lock-text.ts';
import { folderName } from '../state/memories/folder.ts';

/** Finds the lines that are in the files of others, for all that read the lock from now on. */
export async function findLinesOfOthers(routed: Routed): Promise<void> {
  const { lock } = routed.config;
  if (lock !== undefined) setLinesElsewhere(lock, await linesOfOthers(routed, new LockFiles(lock)));
}

/** A file of the lock with sections that its project has not, or has no more. */
interface FileOfOthers extends Required<LeftSources> {
  readonly text: string;
}

async function linesOfOthers(routed: Routed, files: LockFiles): Promise<ElsewhereByFile> {
  const found = new Map<string, LinesElsewhere[]>();
  for (const path of await files.paths()) {
    const file = await fileOfOthers(routed, path);
    if (file === undefined || !(await files.isOwn(path))) continue;
    const { language, text } = file;
    const claims = await heirsOf(routed, file, (some) =>
      isEvident(routed, { language, text }, some),
    );
    for (const [heir, own] of Map.groupBy(claims, ({ project }) => project)) {
      const into = files.pathOf({ project: heir.name, language });
      const paths = new Map(own.map(({ source, there }) => [source, there]));
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
