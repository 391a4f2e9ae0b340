/** Lists the files of a repository for `init` and `schema`, and reads their beginnings. */
import { readSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withRegularNow } from '../../files/regular-file.ts';
import { scan } from '../../files/scan.ts';
import { findWorkTree, ignoredBy } from '../../files/work-tree.ts';
import { isForeignFolder, type Repository } from './repository.ts';

/** Bytes at the beginning of a file that are read: 1 MiB. */
const HEAD_BYTES = 1 << 20;

/** The repository without foreign folders and without files that git ignores. */
export async function inspectRepository(cwd: string): Promise<Repository> {
  const listing = await scan(cwd, {
    wants: () => true,
    enters: (folder) => !isForeignFolder(basename(folder)),
  });
  const paths = listing.kind === 'online' ? listing.files.map(({ path }) => path) : [];
  const heads = new Map<string, string | undefined>();
  return {
    // Sorted, so that the same repository gives the same config on every file system.
    paths: (await withoutIgnored(cwd, paths)).sort((a, b) => (a < b ? -1 : 1)),
    head: (path) => {
      if (!heads.has(path)) heads.set(path, firstBytes(join(cwd, path)));
      return heads.get(path);
    },
  };
}

/** Removes files that git ignores: programs made them. */
async function withoutIgnored(folder: string, paths: readonly string[]): Promise<string[]> {
  const tree = findWorkTree(folder);
  const absolute = paths.map((path) => join(folder, path));
  const ignored = tree && paths.length > 0 ? await ignoredBy(tree, absolute) : undefined;
  const gone = new Set(ignored);
  return paths.filter((path) => !gone.has(join(folder, path)));
}

function firstBytes(file: string): string | undefined {
  try {
    return withRegularNow(file, (descriptor, { size }) => {
      const buffer = Buffer.alloc(Math.min(HEAD_BYTES, Number(size)));
      return buffer.toString('utf8', 0, readSync(descriptor, buffer));
    });
  } catch {
    return undefined;
  }
}
