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
    const slash = path.lastIndexOf('/');
    return this.#folders.get(path.slice(0, Math.max(slash, 0)))?.get(path.slice(slash + 1));
  }

  set(path: string, stat: Stat): void {
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(slash, 0));
    const names = this.#folders.get(folder);
    const name = path.slice(slash + 1);
    if (names) names.set(name, stat);
    else this.#folders.set(folder, new Map([[name, stat]]));
  }

  delete(path: string): void {
    const slash = path.lastIndexOf('/');
    const folder = path.slice(0, Math.max(slash, 0));
    const names = this.#folders.get(folder);
    names?.delete(path.slice(slash + 1));
    if (names?.size === 0) this.#folders.delete(folder);
  }
}

const NONE: KnownNames = new Map();
