/** What a look at a root found: the words that the scanner, the watcher and reconcile share. */
import type { Stat } from '../job.ts';

/** A regular file as it stood when it was looked at. */
export interface FoundFile {
  /** Relative to the root, `/`-separated, NFC: its name in the ledger. */
  readonly path: string;
  /** As it is spelled on disk, relative to the root: its name for reading. The same but for names that are not NFC. */
  readonly raw: string;
  readonly stat: Stat;
  /** Bytes. */
  readonly size: number;
}

/** Something of interest that is not taken, and why; also a folder that cannot be looked into. */
export interface Skipped {
  /** As in FoundFile. */
  readonly path: string;
  /** For people: `a symbolic link; links are not followed`. */
  readonly reason: string;
  /** It is a file or folder as others, and the system refuses it to us. */
  readonly isUnreadable?: true;
  /** What a person does so that it is taken, where the name alone stands in the way. */
  readonly advice?: string;
}

/** Which part of a root is of interest; both take paths relative to it, `/`-separated, NFC. */
export interface Interest {
  /** Whether the file is a source or a target of some route. */
  wants(path: string): boolean;
  /** Whether such files may be below the folder. */
  enters(folder: string): boolean;
}

/** A whole root. One that is not there is offline, which is not the same as empty: nothing in it is gone. */
export type Listing =
  | {
      readonly kind: 'online';
      readonly files: readonly FoundFile[];
      readonly skipped: readonly Skipped[];
      /** How many folders were looked into. */
      readonly folders: number;
      /** Number of the device that holds the root. */
      readonly device: bigint;
    }
  | { readonly kind: 'offline'; readonly reason: string };

/** Whether `path` is `other` or somewhere below it. */
export function isWithin(path: string, other: string): boolean {
  return path === other || (path.startsWith(other) && path[other.length] === '/') || other === '';
}

/** The last part of a path: the name in its folder. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
