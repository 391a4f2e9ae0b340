/** Passes over the folders of a root: compares what is listed with what is known, and names the files that deserve a look. */
import { lstatSync } from 'node:fs';
import type { Clock, Turns } from '../clock.ts';
import type { Skipped } from '../files/listing.ts';
import { foldersToEnter, unreadableAt } from '../files/scan.ts';
import {
  absolutePath,
  nfc,
  type PathOnDisk,
  pathIn,
  readFolder,
  type ScannedTree,
} from '../files/scan-folder.ts';
import type { KnownFiles, KnownNames } from './known.ts';
import { statOfFile } from './look.ts';

/** Where a pass leaves what it finds. */
export interface PassFindings {
  /** Not as known, or known and not listed. */
  suspect(at: PathOnDisk): void;
  /** All that is refused in a folder now. */
  refuse(folder: string, skipped: readonly Skipped[]): void;
}

export interface Pass {
  readonly turns: Turns;
  readonly clock: Clock;
}

interface Listed {
  readonly at: PathOnDisk;
  readonly mtimeNs: bigint;
  readonly listedAt: number;
}

/** A folder's time is that of a clock tick or of a coarse file system: younger than this, another change may have the same. */
const RACY_MS = 2000;
const ROOT: PathOnDisk = { path: '', raw: '' };

export class Folders {
  readonly #tree: ScannedTree;
  readonly #known: KnownFiles;
  readonly #findings: PassFindings;
  readonly #listed = new Map<string, Listed>();

  constructor(tree: ScannedTree, known: KnownFiles, findings: PassFindings) {
    this.#tree = tree;
    this.#known = known;
    this.#findings = findings;
  }

  get size(): number {
    return this.#listed.size;
  }

  /** Lists every folder and looks at every file. @returns how many there are */
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
   * Looks at every folder's time, and lists those that changed since they were listed.
   * @returns milliseconds of work that looking took; listing is not counted, since it is not done for nothing
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
      // A folder that stays racy, because its clock is ahead, is listed for nothing.
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
        return NOTHING;
      case 'unreadable':
        this.#findings.refuse(folder.path, [unreadableAt(folder.path, listing.reason)]);
        return NOTHING;
      case 'listed': {
        const { mtimeNs, files, skipped } = listing;
        this.#listed.set(folder.path, { at: folder, mtimeNs, listedAt });
        this.#findings.refuse(folder.path, skipped);
        const count = await this.#compare(folder, files, pass.turns);
        return { count, folders: foldersToEnter(this.#tree, folder, listing.folders) };
      }
    }
  }

  /** @returns how many of the names are of interest */
  async #compare(folder: PathOnDisk, names: readonly string[], turns: Turns): Promise<number> {
    const known = this.#known.in(folder.path);
    const absolute = absolutePath(this.#tree, folder);
    let acquainted = 0;
    let strangers = 0;
    for (const name of names) {
      if (turns.over()) await turns.next();
      const stat = known.get(nfc(name));
      if (stat === undefined) {
        if (this.#isStranger(pathIn(folder, name))) strangers += 1;
        continue;
      }
      acquainted += 1;
      if (statOfFile(`${absolute}/${name}`) !== stat) this.#findings.suspect(pathIn(folder, name));
    }
    if (acquainted < known.size) this.#suspectUnlisted(folder, known, names);
    return acquainted + strangers;
  }

  #isStranger(at: PathOnDisk): boolean {
    if (!this.#tree.interest.wants(at.path)) return false;
    this.#findings.suspect(at);
    return true;
  }

  #suspectUnlisted(folder: PathOnDisk, known: KnownNames, names: readonly string[]): void {
    const listed = new Set(names.map(nfc));
    for (const name of known.keys()) {
      if (!listed.has(name)) this.#findings.suspect(pathIn(folder, name));
    }
  }

  /** A folder that is not there, or not of interest any more: each of its files is looked at by itself. */
  #forget(path: string): void {
    const at = this.#listed.get(path)?.at ?? { path, raw: path };
    this.#listed.delete(path);
    this.#findings.refuse(path, []);
    for (const name of this.#known.in(path).keys()) this.#findings.suspect(pathIn(at, name));
  }
}

const NOTHING = { count: 0, folders: [] };

function folderTime(absolute: string): bigint | undefined {
  try {
    return lstatSync(absolute, { bigint: true, throwIfNoEntry: false })?.mtimeNs;
  } catch {
    // Not to be entered any more: listing it says why.
    return -1n;
  }
}
