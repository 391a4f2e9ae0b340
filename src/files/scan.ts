/** Lists a root whole: every wanted file with its stat fingerprint, and what cannot be taken with the reason. */
import {
  type BigIntStats,
  closeSync,
  constants,
  lstatSync,
  openSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { type Turns, turnsOf } from '../clock.ts';
import { errorCode, formatStat } from './disk.ts';
import { isIgnored } from './ignore.ts';
import type { FoundFile, Interest, Listing, Skipped } from './listing.ts';
import {
  absolutePath,
  type PathOnDisk,
  pathIn,
  readFolder,
  type ScannedTree,
} from './scan-folder.ts';

/** Longer turns would be felt: a scan shares the event loop with requests and the watchdog. */
export const TURN_MS = 8;

/**
 * Synchronous calls in turns of 8 ms: a thread pool takes half as long again for lstat.
 * Symbolic links are not followed, but for the root itself.
 * @param root absolute
 */
export async function scan(root: string, interest: Interest): Promise<Listing> {
  const found = findRoot(root);
  if (found.kind === 'offline') return found;
  const tree: ScannedTree = { absolute: found.absolute, interest, isIgnored };
  const turns = turnsOf(TURN_MS);
  const files: FoundFile[] = [];
  const skipped: Skipped[] = [];
  const open: PathOnDisk[] = [{ path: '', raw: '' }];
  let folders = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const listing = readFolder(tree, folder);
    if (listing.kind === 'unreadable') skipped.push(unreadableAt(folder.path, listing.reason));
    if (listing.kind !== 'listed') continue;
    folders += 1;
    skipped.push(...listing.skipped);
    await addFiles({ tree, folder, turns, files, skipped }, listing.files);
    open.push(...foldersToEnter(tree, folder, listing.folders));
  }
  return { kind: 'online', files, skipped, folders, device: found.device };
}

export type FoundRoot =
  | { readonly kind: 'online'; readonly absolute: string; readonly device: bigint }
  | { readonly kind: 'offline'; readonly reason: string };

/** Resolves the links in a root's path and says on which device it is. */
export function findRoot(root: string): FoundRoot {
  try {
    const absolute = realpathSync(root);
    const stats = statSync(absolute, { bigint: true });
    if (!stats.isDirectory()) return { kind: 'offline', reason: 'it is not a folder' };
    return { kind: 'online', absolute, device: stats.dev };
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'ENOENT' ? 'it is not there' : `it cannot be read (${code})`;
    return { kind: 'offline', reason };
  }
}

/** Stats of what stands at an absolute path, of the link itself if it is one; undefined when nothing does. */
export function statsAt(absolute: string): BigIntStats | undefined {
  return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
}

export function unreadableAt(path: string, reason: string): Skipped {
  return { path, reason, isUnreadable: true };
}

/** Why a file cannot be read by us; undefined when it can. */
export function unreadable(absolute: string, stats: BigIntStats): string | undefined {
  // What everybody may read needs no further system call, and that is nearly every file; of the others opening tells.
  if ((Number(stats.mode) & 0o444) === 0o444) return undefined;
  try {
    closeSync(openSync(absolute, constants.O_RDONLY | constants.O_NONBLOCK));
    return undefined;
  } catch (error) {
    return `it cannot be read (${errorCode(error)})`;
  }
}

export function foldersToEnter(
  tree: ScannedTree,
  folder: PathOnDisk,
  names: readonly string[],
): PathOnDisk[] {
  return names.map((name) => pathIn(folder, name)).filter(({ path }) => tree.interest.enters(path));
}

interface Collecting {
  readonly tree: ScannedTree;
  readonly folder: PathOnDisk;
  readonly turns: Turns;
  readonly files: FoundFile[];
  readonly skipped: Skipped[];
}

async function addFiles(into: Collecting, names: readonly string[]): Promise<void> {
  const { tree, folder, turns } = into;
  for (const name of names) {
    const at = pathIn(folder, name);
    if (tree.interest.wants(at.path)) addFile(into, at);
    if (turns.over()) await turns.next();
  }
}

function addFile({ tree, files, skipped }: Collecting, at: PathOnDisk): void {
  const absolute = absolutePath(tree, at);
  const stats = statsAt(absolute);
  if (!stats?.isFile()) return; // went away since the folder was read
  const reason = unreadable(absolute, stats);
  if (reason !== undefined) skipped.push(unreadableAt(at.path, reason));
  else {
    const { path, raw } = at;
    files.push({ path, raw, stat: formatStat(stats), size: Number(stats.size) });
  }
}
