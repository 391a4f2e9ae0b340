/** The files that a look at a root finds: types for scan, watch and intake. */
import type { Stat } from '../job.ts';

/** A regular file when it was looked at. */
export interface FoundFile {
  /** Relative to the root, `/`-separated, NFC: its name in the ledger. */
  readonly path: string;
  /**
   * The path as it is spelled on the disk, relative to the root: used to open the file. It differs from `path` only where that
   * is not NFC.
   */
  readonly raw: string;
  readonly stat: Stat;
  /** Bytes. */
  readonly size: number;
}

/** A path of interest that cannot be translated, with the reason; also a folder that cannot be listed. */
export interface Skipped {
  /** The same as in `FoundFile`. */
  readonly path: string;
  /** For people: `a symbolic link; links are not followed`. */
  readonly reason: string;
  /** A normal file or folder that this process may not read. */
  readonly isUnreadable?: true;
  /** Advice for a person, when only the name is the reason. */
  readonly advice?: string;
}

/** Which part of a root is of interest. Paths are relative to the root, `/`-separated, NFC. */
export interface Interest {
  /** Whether the file is a source or a target of some route. */
  wants(path: string): boolean;
  /** Whether such files may be below the folder. */
  enters(folder: string): boolean;
}

/** All files of a root. A root that does not exist is offline: its files do not count as gone. */
export type Listing =
  | {
      readonly kind: 'online';
      readonly files: readonly FoundFile[];
      readonly skipped: readonly Skipped[];
      /** How many folders were listed. */
      readonly folders: number;
      /** Number of the device with the root. */
      readonly device: bigint;
    }
  | { readonly kind: 'offline'; readonly reason: string };

/** Whether `path` is `other` or somewhere below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || (path.startsWith(other) && path[other.length] === '/') || other === '';
}

/** The last part of a path: the name in its folder. */
export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** The folder of a relative path; empty for the root. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
