/** The files of a root as they were last told or recorded: by folder and name, because folders are what is listed. Pure. */

import { nameOf } from '../files/listing.ts';
import type { Stat } from '../job.ts';
import type { LedgerView } from '../ledger.ts';

/** Name -> fingerprint, in one folder. */
export type KnownNames = ReadonlyMap<string, Stat>;

export class KnownFiles {
  readonly #folders = new Map<string, Map<string, Stat>>();

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

/** The files of each project that are on record, sources and targets, in one walk over the ledger. */
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
  // A file that holds all languages is both, and what it was as a source counts.
  for (const { project, path, stat } of ledger.all('sources')) filesOf(project).set(path, stat);
  return projects;
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

const NONE: KnownNames = new Map();
