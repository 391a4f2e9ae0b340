/** The files that were seen in a project, and the changes that follow when they are compared with the ledger. */

import type { FoundFile, Skipped } from '../files/listing.ts';
import type { Hash } from '../job.ts';
import type { SourceRecord } from '../ledger.ts';
import type { OwnWrite } from './inventory.ts';

/** The files that were seen in a project. Paths are relative to its root, NFC. */
export interface Observed {
  /** Files that exist and have stopped changing. Files that are as on record may be left out. */
  readonly files: readonly FoundFile[];
  /** Files that two looks did not find, while the root was there. */
  readonly gone: readonly string[];
  /** Files that one look did not find: they may have been moved, and are not yet gone. */
  readonly missing: ReadonlySet<string>;
  /** Whether the root itself is an empty folder now, as where a volume is not mounted; absent: it is not. */
  readonly isBare?: boolean;
}

export type Change =
  /** `copyOf`: path of a source with the same content that still exists. */
  | {
      readonly kind: 'new';
      readonly file: FoundFile;
      readonly hash: Hash;
      readonly copyOf?: string;
    }
  | {
      readonly kind: 'edited';
      readonly file: FoundFile;
      readonly hash: Hash;
      readonly before: SourceRecord;
    }
  /** The content is known, only the record of its stat is renewed. When the hash is another one, dragoman wrote the file itself. */
  | {
      readonly kind: 'touched';
      readonly file: FoundFile;
      readonly hash: Hash;
      readonly before: SourceRecord;
    }
  /** The hash differs from that of `before` when the file was also edited. */
  | {
      readonly kind: 'moved';
      readonly file: FoundFile;
      readonly hash: Hash;
      readonly before: SourceRecord;
    }
  /** Files that took each other's names (two, or a ring or chain of several): their targets must move together. */
  | {
      readonly kind: 'exchanged';
      readonly moves: readonly Extract<Change, { kind: 'moved' }>[];
    }
  | { readonly kind: 'gone'; readonly before: SourceRecord }
  /** So many sources vanished at once that a person must confirm it. Until then their targets stay. */
  | {
      readonly kind: 'mass-deletion';
      readonly gone: readonly SourceRecord[];
      readonly of: number;
    }
  | ({ readonly kind: 'skipped' } & Skipped)
  | {
      readonly kind: 'target-edited';
      readonly file: FoundFile;
      readonly hash: Hash;
      readonly writes: readonly OwnWrite[];
    }
  | {
      readonly kind: 'target-touched';
      readonly file: FoundFile;
      readonly writes: readonly OwnWrite[];
    }
  | {
      readonly kind: 'target-missing';
      readonly path: string;
      readonly writes: readonly OwnWrite[];
    };
