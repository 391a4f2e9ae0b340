/** Lists a whole root: every wanted file with its stat, and what cannot be translated with the reason. */

import { type BigIntStats, realpathSync, statSync } from 'node:fs';
import { type Turns, turnsOf } from '../clock.ts';
import { append } from '../parsing/append.ts';
import { errorCode, formatStat, statsAt } from './disk.ts';
import { isIgnored } from './ignore.ts';
import type { FoundFile, Interest, Listing, Skipped } from './listing.ts';
import { withRegularNow } from './regular-file.ts';
import {
  absolutePath,
  type PathOnDisk,
  pathInFolder,
  readFolder,
  type ScannedTree,
} from './scan-folder.ts';

/** Milliseconds. Longer turns would delay others: a scan shares the event loop with requests and the watchdog. */
export const SCAN_TURN_MS = 8;

/**
 * Uses synchronous calls in turns of 8 ms: on the thread pool, lstat takes 1.5 times as long.
 * Symbolic links are not followed, except for the root itself.
 * @param root absolute
 */
export async function scan(root: string, interest: Interest): Promise<Listing> {
  const found = findRoot(root);
  if (found.kind === 'offline') return found;
  const tree: ScannedTree = { absolute: found.absolute, interest, isIgnored };
  const turns = turnsOf(SCAN_TURN_MS);
  const files: FoundFile[] = [];
  const skipped: Skipped[] = [];
  const open: PathOnDisk[] = [{ path: '', raw: '' }];
  let folders = 0;
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const listing = readFolder(tree, folder);
    if (listing.kind === 'unreadable') skipped.push(unreadableAt(folder.path, listing.reason));
    if (listing.kind !== 'listed') continue;
    folders += 1;
    append(skipped, listing.skipped);
    await addFiles({ tree, folder, turns, files, skipped }, listing.files);
    append(open, foldersToEnter(tree, folder, listing.folders));
  }
  return { kind: 'online', files, skipped, folders, device: found.device };
}

export type FoundRoot =
  | { readonly kind: 'online'; readonly absolute: string; readonly device: bigint }
  | { readonly kind: 'offline'; readonly reason: string };

/** Resolves the links in the path of a root, and finds its device. */
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

export function unreadableAt(path: string, reason: string): Skipped {
  return { path, reason, isUnreadable: true };
}

/** Why this process cannot read a file, for people; undefined: it can. */
export function unreadableReason(absolute: string, stats: BigIntStats): string | undefined {
  // Nearly every file may be read by everybody and needs no further call. Others are opened to find out.
  if ((Number(stats.mode) & 0o444) === 0o444) return undefined;
  try {
    return withRegularNow(absolute, () => undefined);
  } catch (error) {
    return `it cannot be read (${errorCode(error)})`;
  }
}

export function foldersToEnter(
  tree: ScannedTree,
  folder: PathOnDisk,
  names: readonly string[],
): PathOnDisk[] {
  return names
    .map((name) => pathInFolder(folder, name))
    .filter(({ path }) => tree.interest.enters(path));
}

interface FolderScan {
  readonly tree: ScannedTree;
  readonly folder: PathOnDisk;
  readonly turns: Turns;
  readonly files: FoundFile[];
  readonly skipped: Skipped[];
}

async function addFiles(into: FolderScan, names: readonly string[]): Promise<void> {
  const { tree, folder, turns } = into;
  for (const name of names) {
    const at = pathInFolder(folder, name);
    if (tree.interest.wants(at.path)) addFile(into, at);
    if (turns.over()) await turns.next();
  }
}

function addFile({ tree, files, skipped }: FolderScan, at: PathOnDisk): void {
  const { path, raw } = at;
  try {
    const absolute = absolutePath(tree, at);
    const stats = statsAt(absolute);
    if (!stats?.isFile()) return; // it was removed since the folder was listed
    const reason = unreadableReason(absolute, stats);
    if (reason !== undefined) skipped.push(unreadableAt(path, reason));
    else files.push({ path, raw, stat: formatStat(stats), size: Number(stats.size) });
  } catch (error) {
    // The folder may be listed, but not entered.
    skipped.push(unreadableAt(path, `it cannot be read (${errorCode(error)})`));
  }
}
