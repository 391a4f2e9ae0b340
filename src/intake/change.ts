/** What was seen of a project's files, and what it means beside the ledger. */

import type { FoundFile, Skipped } from '../files/listing.ts';
import type { Hash } from '../job.ts';
import type { SourceRecord } from '../ledger.ts';
import type { OwnWrite } from './inventory.ts';

/** What was seen of a project's files; paths relative to its root, NFC. */
export interface Observed {
  /** There and still; those that are as on record may be left out. */
  readonly files: readonly FoundFile[];
  /** Not there in two looks, while the root was. */
  readonly gone: readonly string[];
  /** Not there in one look: may have been moved, is not yet gone. */
  readonly missing: ReadonlySet<string>;
}

export type Change =
  /** `copyOf`: a source with the same content, which is still there. */
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
  /** The content is as we know it, the fingerprint on record is to be renewed. With another hash it is our own writing. */
  | {
      readonly kind: 'touched';
      readonly file: FoundFile;
      readonly hash: Hash;
      readonly before: SourceRecord;
    }
  /** Its hash is another one than before when it was edited on the way. */
  | {
      readonly kind: 'moved';
      readonly file: FoundFile;
      readonly hash: Hash;
      readonly before: SourceRecord;
    }
  /** Files that took each other's names, swapped or in a ring or chain: their targets must move together. */
  | {
      readonly kind: 'exchanged';
      readonly moves: readonly Extract<Change, { kind: 'moved' }>[];
    }
  | { readonly kind: 'gone'; readonly before: SourceRecord }
  /** So many sources vanished at once that a person must confirm it: until then their targets stay. */
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
