/** Passes over the folders of a root: compares their listings with the known files, and finds suspects: files that may have changed. */
import type { Clock, Turns } from '../clock.ts';
import { statsAt } from '../files/disk.ts';
import type { Skipped } from '../files/listing.ts';
import { foldersToEnter, unreadableAt } from '../files/scan.ts';
import {
  absolutePath,
  nfc,
  type PathOnDisk,
  pathInFolder,
  readFolder,
  type ScannedTree,
} from '../files/scan-folder.ts';
import type { KnownFiles, KnownNames } from './known.ts';
import { statOfFile } from './look.ts';

/** Takes what a pass finds. */
export interface PassFindings {
  /** A file that is not as known, or that is known and not listed. */
  suspect(at: PathOnDisk): void;
  /** All paths that are refused in a folder now. */
  refuse(folder: string, skipped: readonly Skipped[]): void;
}

export interface Pass {
  readonly turns: Turns;
  readonly clock: Clock;
}

interface ListedFolder {
  readonly at: PathOnDisk;
  readonly mtimeNs: bigint;
  readonly listedAt: number;
}

/**
 * The time of a folder is that of a clock tick or of a coarse file system. A later change may have the same time when it comes
 * within so many milliseconds.
 */
const RACY_MS = 2000;
const ROOT: PathOnDisk = { path: '', raw: '' };

export class Folders {
  readonly #tree: ScannedTree;
  readonly #known: KnownFiles;
  readonly #findings: PassFindings;
  readonly #listed = new Map<string, ListedFolder>();

  constructor(tree: ScannedTree, known: KnownFiles, findings: PassFindings) {
    this.#tree = tree;
    this.#known = known;
    this.#findings = findings;
  }

  get size(): number {
    return this.#listed.size;
  }

  /** Lists every folder and looks at every file. @returns the number of files */
  async full(pass: Pass): Promise<number> {
    const before = new Set([...this.#known.folders(), ...this.#listed.keys()]);
    const open = [ROOT];
    let files = 0;
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      before.delete(folder.path);
      const { count, folders } = await this.#list(folder, pass);
      files += count;
      open.push(...folders);
    }
    for (const folder of before) this.#forget(folder);
    return files;
  }

  /**
   * Looks at the time of every folder, and lists those that changed since they were listed.
   * @returns milliseconds of work for the looks. A listing does not count, because a change was the reason for it
   */
  async changed(pass: Pass): Promise<number> {
    const { turns } = pass;
    const started = turns.spent();
    let listingMs = 0;
    for (const [path, { at, mtimeNs, listedAt }] of this.#listed) {
      if (turns.over()) await turns.next();
      const now = folderTime(absolutePath(this.#tree, at));
      const isRacy = listedAt - Number(mtimeNs / 1_000_000n) < RACY_MS;
      if (now === undefined) this.#forget(path);
      if (now === undefined || (now === mtimeNs && !isRacy)) continue;
      const before = turns.spent();
      await this.these([at], pass);
      // A folder that stays racy, because its clock is ahead, is listed without a change: that counts.
      if (now !== mtimeNs) listingMs += turns.spent() - before;
    }
    return turns.spent() - started - listingMs;
  }

  /** Lists these folders, and those below them that were never listed. */
  async these(places: Iterable<PathOnDisk>, pass: Pass): Promise<void> {
    const open = [...places];
    for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
      const { folders } = await this.#list(folder, pass);
      open.push(...folders.filter(({ path }) => !this.#listed.has(path)));
    }
  }

  async #list(folder: PathOnDisk, pass: Pass): Promise<{ count: number; folders: PathOnDisk[] }> {
    const listedAt = pass.clock.now();
    const listing = readFolder(this.#tree, folder);
    switch (listing.kind) {
      case 'absent':
        this.#forget(folder.path);
        return NO_FOLDERS;
      case 'unreadable':
        this.#findings.refuse(folder.path, [unreadableAt(folder.path, listing.reason)]);
        return NO_FOLDERS;
      case 'listed': {
        const { mtimeNs, files, skipped } = listing;
        this.#listed.set(folder.path, { at: folder, mtimeNs, listedAt });
        this.#findings.refuse(folder.path, skipped);
        const count = await this.#compare(folder, files, pass.turns);
        return { count, folders: foldersToEnter(this.#tree, folder, listing.folders) };
      }
    }
  }

  /** @returns how many of the files are of interest */
  async #compare(folder: PathOnDisk, names: readonly string[], turns: Turns): Promise<number> {
    const known = this.#known.in(folder.path);
    const absolute = absolutePath(this.#tree, folder);
    let knownFiles = 0;
    let newFiles = 0;
    for (const name of names) {
      if (turns.over()) await turns.next();
      const stat = known.get(name) ?? known.get(nfc(name));
      if (stat === undefined) {
        if (this.#isNewFile(pathInFolder(folder, name))) newFiles += 1;
        continue;
      }
      knownFiles += 1;
      if (statOfFile(`${absolute}/${name}`) !== stat)
        this.#findings.suspect(pathInFolder(folder, name));
    }
    if (knownFiles < known.size) this.#suspectUnlisted(folder, known, names);
    return knownFiles + newFiles;
  }

  #isNewFile(at: PathOnDisk): boolean {
    if (!this.#tree.interest.wants(at.path)) return false;
    this.#findings.suspect(at);
    return true;
  }

  #suspectUnlisted(folder: PathOnDisk, known: KnownNames, names: readonly string[]): void {
    const listed = new Set(names.map(nfc));
    for (const name of known.keys()) {
      if (!listed.has(name)) this.#findings.suspect(pathInFolder(folder, name));
    }
  }

  /** A folder is no longer there or no longer of interest: each of its known files is a suspect. */
  #forget(path: string): void {
    const at = this.#listed.get(path)?.at ?? { path, raw: path };
    this.#listed.delete(path);
    this.#findings.refuse(path, []);
    for (const name of this.#known.in(path).keys()) this.#findings.suspect(pathInFolder(at, name));
  }
}

const NO_FOLDERS = { count: 0, folders: [] };

function folderTime(absolute: string): bigint | undefined {
  try {
    return statsAt(absolute)?.mtimeNs;
  } catch {
    // It may not be entered any more: its listing will report why.
    return -1n;
  }
}
