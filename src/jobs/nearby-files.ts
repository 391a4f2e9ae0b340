/** Finds files whose place is unknown: all that git tracks in the repository, and those a few folders below, which git may not know. */
import { type Dirent, existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { findWorkTree, trackedIn } from '../files/work-tree.ts';

/** How deep below a folder files are looked for that git does not track. */
const DEPTH = 4;
/** At most so many folders are read. */
const MOST_FOLDERS = 2000;

/**
 * @param folders absolute; the first one is in the repository
 * @returns absolute paths of the files with such a name. None of another work tree, and none of packages
 */
export async function nearbyFiles(
  folders: readonly string[],
  isMeant: (name: string) => boolean,
): Promise<ReadonlySet<string>> {
  const [folder = ''] = folders;
  const tree = findWorkTree(folder);
  const tracked = tree === undefined ? [] : ((await trackedIn(tree, tree.root)) ?? []);
  const found = new Set(tracked.filter(isMeant));
  let level = [...new Set(folders)];
  let read = 0;
  for (let depth = 0; depth < DEPTH && level.length > 0; depth++) {
    level = level.slice(0, MOST_FOLDERS - read);
    read += level.length;
    const below = await Promise.all(level.map((each) => entriesOf(each)));
    for (const { files } of below) for (const path of files.filter(isMeant)) found.add(path);
    level = below.flatMap(({ folders }) => folders);
  }
  return found;
}

async function entriesOf(folder: string) {
  const entries = await readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
  const pathOf = ({ name }: Dirent) => join(folder, name);
  const isEntered = (entry: Dirent) =>
    entry.isDirectory() && !/^\.git$|^node_modules$/.test(entry.name);
  return {
    files: entries.filter((entry) => entry.isFile()).map(pathOf),
    folders: entries
      .filter(isEntered)
      .map(pathOf)
      .filter((path) => !existsSync(join(path, '.git'))),
  };
}
