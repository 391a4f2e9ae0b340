/** The files of a root as they were last reported or are on record. By folder and name, because folders are listed. Pure. */

import { fileNameOf, folderOf } from '../files/listing.ts';
import type { Stat } from '../job.ts';
import type { LedgerView } from '../ledger.ts';

/** Name -> stat, in one folder. */
export type KnownNames = ReadonlyMap<string, Stat>;

export class KnownFiles {
  readonly #folders = new Map<string, Map<string, Stat>>();

  /** The known files of a folder, without those of its subfolders. */
  in(folder: string): KnownNames {
    return this.#folders.get(folder) ?? NONE;
  }

  get count(): number {
    let files = 0;
    for (const names of this.#folders.values()) files += names.size;
    return files;
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
    return this.#namesBeside(path)?.get(fileNameOf(path));
  }

  set(path: string, stat: Stat): void {
    const names = this.#namesBeside(path);
    if (names) names.set(fileNameOf(path), stat);
    else this.#folders.set(folderOf(path), new Map([[fileNameOf(path), stat]]));
  }

  delete(path: string): void {
    const names = this.#namesBeside(path);
    names?.delete(fileNameOf(path));
    if (names?.size === 0) this.#folders.delete(folderOf(path));
  }

  #namesBeside(path: string): Map<string, Stat> | undefined {
    return this.#folders.get(folderOf(path));
  }
}

/** By project, the sources and targets on record. Walks over the ledger once. */
export function knownFilesOf(ledger: LedgerView): Map<string, KnownFiles> {
  const projects = new Map<string, KnownFiles>();
  const filesOf = (project: string): KnownFiles => {
    const found = projects.get(project);
    if (found) return found;
    const made = new KnownFiles();
    projects.set(project, made);
    return made;
  };
  for (const { project, wrote } of ledger.all('jobs')) {
    for (const { path, stat } of wrote) filesOf(project).set(path, stat);
  }
  // A file with all languages is source and target: the record of the source counts.
  for (const { project, path, stat } of ledger.all('sources')) filesOf(project).set(path, stat);
  return projects;
}

const NONE: KnownNames = new Map();
