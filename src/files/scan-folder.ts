/** Lists one folder: its files, its folders, and the names that cannot be translated with the reason. */
import { type Dirent, readdirSync, realpathSync, statSync } from 'node:fs';
import { errorCode, isAbsent, statsAt } from './disk.ts';
import { folderOf, type Interest, type Skipped } from './listing.ts';
import { isTemporary } from './temporary.ts';

/** A root to list. */
export interface ScannedTree {
  /** Absolute path with links resolved. */
  readonly absolute: string;
  readonly interest: Interest;
  isIgnored(name: string): boolean;
  /** Called for a file with the name of a temporary file of dragoman. */
  onTemporary?(at: PathOnDisk): void;
}

/** A file or folder below a root, in both spellings. */
export interface PathOnDisk {
  /** Relative to the root, NFC; empty for the root itself. */
  readonly path: string;
  /** The path as it is spelled on the disk. */
  readonly raw: string;
}

export type FolderListing =
  | {
      readonly kind: 'listed';
      /** Taken before the listing: so the next look finds a change during the listing. */
      readonly mtimeNs: bigint;
      /** Names as spelled on the disk, also of files that are not wanted. */
      readonly files: readonly string[];
      readonly folders: readonly string[];
      readonly skipped: readonly Skipped[];
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly reason: string };

export function readFolder(tree: ScannedTree, folder: PathOnDisk): FolderListing {
  const absolute = absolutePath(tree, folder);
  try {
    const stats = statsAt(absolute);
    if (!stats?.isDirectory()) return { kind: 'absent' };
    const entries = readdirSync(absolute, { withFileTypes: true });
    return { kind: 'listed', mtimeNs: stats.mtimeNs, ...sortEntries(tree, folder, entries) };
  } catch (error) {
    if (isAbsent(error)) return { kind: 'absent' };
    return { kind: 'unreadable', reason: `the folder cannot be read (${errorCode(error)})` };
  }
}

/** The path of an entry. @param name as it is spelled on the disk */
export function pathInFolder(folder: PathOnDisk, name: string): PathOnDisk {
  const path = below(folder.path, nfc(name));
  return folder.raw === folder.path && isAscii(name)
    ? { path, raw: path }
    : { path, raw: below(folder.raw, name) };
}

export function absolutePath(tree: ScannedTree, at: PathOnDisk): string {
  return at.raw === '' ? tree.absolute : `${tree.absolute}/${at.raw}`;
}

/**
 * Whether the folder of a path is there, without a symbolic link between the root and it. Each folder is asked about once: make a new
 * function for each pass.
 */
export function realFolders(tree: ScannedTree): (at: PathOnDisk) => boolean {
  const known = new Map<string, boolean>();
  return ({ raw }) => {
    const folder = absolutePath(tree, { path: '', raw: folderOf(raw) });
    const isReal = known.get(folder) ?? leadsToItself(folder);
    known.set(folder, isReal);
    return isReal;
  };
}

function leadsToItself(folder: string): boolean {
  try {
    return realpathSync(folder) === folder;
  } catch (error) {
    // The look at the file says why a folder may not be entered.
    return !isAbsent(error);
  }
}

/** The name as the ledger spells it. On Linux, `é` in a name may be one character or two, which look the same. */
export function nfc(name: string): string {
  return isAscii(name) ? name : name.normalize('NFC');
}

/** Whether a name has only one spelling in Unicode. */
export function isAscii(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a newline may be in a name, and is as plain as a letter here
  return !/[^\x00-\x7f]/v.test(name);
}

interface SortedEntries {
  readonly files: string[];
  readonly folders: string[];
  readonly skipped: Skipped[];
}

function sortEntries(
  tree: ScannedTree,
  folder: PathOnDisk,
  entries: readonly Dirent[],
): SortedEntries {
  const sorted: SortedEntries = { files: [], folders: [], skipped: [] };
  let twins: ReadonlyMap<string, SkipAdvice> | undefined;
  for (const entry of entries) {
    const { name } = entry;
    if (tree.isIgnored(name)) {
      if (tree.onTemporary !== undefined && isTemporary(name))
        tree.onTemporary(pathInFolder(folder, name));
      continue;
    }
    if (isAscii(name) && entry.isFile()) {
      sorted.files.push(name);
      continue;
    }
    twins ??= twinsAmong(entries);
    const refused = refusal(tree, pathInFolder(folder, name), { entry, twins });
    const path = below(folder.path, nfc(name));
    const isListed = sorted.skipped.some((skipped) => skipped.path === path);
    if (refused !== undefined && !isListed) sorted.skipped.push({ path, ...refused });
    // A folder with the name of a wanted file is reported, and is also listed.
    if (entry.isDirectory() && refused?.advice === undefined) sorted.folders.push(name);
    else if (entry.isFile() && refused === undefined) sorted.files.push(name);
  }
  return sorted;
}

type SkipAdvice = Pick<Skipped, 'reason' | 'advice'>;

const NOT_UTF8: SkipAdvice = {
  reason: 'its name is not representable (not UTF-8)',
  advice: 'rename it; dragoman then finds it',
};
const TWIN: SkipAdvice = {
  reason: 'another name here differs only in how its accents are spelled (NFC and NFD)',
  advice: 'rename or delete one of them; dragoman then finds the other',
};
const LIKE_LOST: SkipAdvice = {
  reason: 'another name here is not UTF-8, and reads like this one (with U+FFFD)',
  advice: 'rename both, without U+FFFD; dragoman then finds them',
};

interface RefusedEntry {
  readonly entry: Dirent;
  readonly twins: ReadonlyMap<string, SkipAdvice>;
}

/** Why an entry of interest cannot be translated; undefined: it can, or is not of interest. */
function refusal(
  tree: ScannedTree,
  at: PathOnDisk,
  { entry, twins }: RefusedEntry,
): SkipAdvice | undefined {
  if (entry.isSymbolicLink()) return because(linkRefusal(tree, at));
  const isWanted = tree.interest.wants(at.path);
  const isEntered = entry.isDirectory() && tree.interest.enters(at.path);
  if (!isWanted && !isEntered) return undefined;
  if (entry.name.includes('\ufffd') && isLost(tree, at)) return NOT_UTF8;
  const twin = twins.get(nfc(entry.name));
  if (twin !== undefined) return twin;
  if (entry.isDirectory())
    return because(
      isWanted && isNamedLikeFile(tree, at) ? 'it is a folder, not a file' : undefined,
    );
  return because(entry.isFile() ? undefined : 'it is not a regular file');
}

/** Whether a folder is wanted for its name. Where files of every name are wanted (`**`), its name says nothing. */
function isNamedLikeFile({ interest }: ScannedTree, { path }: PathOnDisk): boolean {
  return !interest.wants(below(folderOf(path), 'a name of any kind'));
}

function because(reason: string | undefined): SkipAdvice | undefined {
  return reason === undefined ? undefined : { reason };
}

// Node decodes a name that is not UTF-8 with U+FFFD, and nothing is found under that. A name with a real U+FFFD is found.
function isLost(tree: ScannedTree, at: PathOnDisk): boolean {
  return statsAt(absolutePath(tree, at)) === undefined;
}

function linkRefusal(tree: ScannedTree, at: PathOnDisk): string | undefined {
  const isWanted = tree.interest.wants(at.path);
  if (!isWanted && !tree.interest.enters(at.path)) return undefined;
  try {
    const leadsToFolder = statSync(absolutePath(tree, at)).isDirectory();
    if (leadsToFolder) return 'it is a symbolic link to a folder; links are not followed';
    return isWanted ? 'it is a symbolic link; links are not followed' : undefined;
  } catch (error) {
    if (!isWanted) return undefined;
    const isLoop = errorCode(error) === 'ELOOP';
    return isLoop ? 'it is a symbolic link in a loop' : 'it is a symbolic link that leads nowhere';
  }
}

/** Names that two entries of the folder have in NFC, with what is said of them. */
function twinsAmong(entries: readonly Dirent[]): ReadonlyMap<string, SkipAdvice> {
  const spelled = entries.filter(({ name }) => !isAscii(name)).map(({ name }) => name);
  if (spelled.length < 2) return NONE;
  const once = new Map<string, string>();
  const twice = new Map<string, SkipAdvice>();
  for (const name of spelled) {
    const first = once.get(nfc(name));
    if (first === undefined) once.set(nfc(name), name);
    // No folder has one name twice, so Node decoded at least one of them.
    else twice.set(nfc(name), first === name ? LIKE_LOST : TWIN);
  }
  return twice;
}

const NONE: ReadonlyMap<string, SkipAdvice> = new Map();

function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}
