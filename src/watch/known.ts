/** The files of a root as they were last reported or recorded: by folder and name, because folders are what is listed. */
import type { Stat } from '../job.ts';

/** Name -> fingerprint, in one folder. */
export type KnownNames = ReadonlyMap<string, Stat>;

export class KnownFiles {
  readonly #folders = new Map<string, Map<string, Stat>>();

  /** @param files paths relative to the root, NFC, with their fingerprints */
  constructor(files: Iterable<readonly [string, Stat]> = []) {
    for (const [path, stat] of files) this.set(path, stat);
  }

  /** What is known in a folder itself, not below it. */
  in(folder: string): KnownNames {
    return this.#folders.get(folder) ?? NONE;
  }

  folders(): Iterable<string> {
    return this.#folders.keys();
  }

  *paths(): Generator<string> {
    for (const [folder, names] of this.#folders) {
      for (const name of names.keys()) yield folder === '' ? name : `${folder}/${name}`;
    }
  }

  get(path: string): Stat | undefined {
    return this.#namesBeside(path)?.get(nameOf(path));
  }

  set(path: string, stat: Stat): void {
    const names = this.#namesBeside(path);
    if (names) names.set(nameOf(path), stat);
    else this.#folders.set(folderOf(path), new Map([[nameOf(path), stat]]));
  }

  delete(path: string): void {
    const names = this.#namesBeside(path);
    names?.delete(nameOf(path));
    if (names?.size === 0) this.#folders.delete(folderOf(path));
  }

  #namesBeside(path: string): Map<string, Stat> | undefined {
    return this.#folders.get(folderOf(path));
  }
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const NONE: KnownNames = new Map();
