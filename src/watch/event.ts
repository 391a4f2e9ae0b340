/** The reports of the watch: batches of files that have stopped changing, and the state of roots and hints. */
import type { FoundFile, Skipped } from '../files/listing.ts';

export type WatchEvent =
  | ({ readonly kind: 'settled' } & Settled)
  /** A path of interest that cannot be translated; reported once for each reason. */
  | ({ readonly kind: 'skipped'; readonly project: string } & Skipped)
  /** A file that has stopped changing, but whose end has been missing for ten minutes. */
  | ({ readonly kind: 'incomplete'; readonly project: string } & Skipped)
  /** A full pass is over. */
  | {
      readonly kind: 'scanned';
      readonly project: string;
      readonly files: number;
      readonly durationMs: number;
    }
  | { readonly kind: 'offline'; readonly project: string; readonly reason: string }
  | { readonly kind: 'online'; readonly project: string }
  /** The system gives no file events: changes are found by passes only, some seconds later. */
  | { readonly kind: 'degraded'; readonly reason: string }
  | { readonly kind: 'recovered' };

/** Changes below the root of one project that are over, according to two looks. Paths are relative to the root, NFC. */
export interface Settled {
  readonly project: string;
  /** Files that have stopped changing and are not as they were known. */
  readonly files: readonly FoundFile[];
  /** Known files that two looks did not find, at least their settling time apart. */
  readonly gone: readonly string[];
  /** Known files that one look did not find: a file in `files` may have been moved from there. */
  readonly missing: ReadonlySet<string>;
}
