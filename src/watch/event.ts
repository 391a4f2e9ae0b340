/** What the watcher tells: batches of files that are still, and the state of roots and hints. */
import type { FoundFile, Skipped } from '../files/listing.ts';

export type WatchEvent =
  | ({ readonly kind: 'settled' } & Settled)
  /** Something of interest that is not taken; told once for each reason. */
  | ({ readonly kind: 'skipped'; readonly project: string } & Skipped)
  /** Still, but its end has been missing for ten minutes. */
  | ({ readonly kind: 'incomplete'; readonly project: string } & Skipped)
  /** A full pass is over. Milliseconds. */
  | {
      readonly kind: 'scanned';
      readonly project: string;
      readonly files: number;
      readonly durationMs: number;
    }
  | { readonly kind: 'offline'; readonly project: string; readonly reason: string }
  | { readonly kind: 'online'; readonly project: string }
  /** Events of the system cannot be had: changes are found by passes only, some seconds later. */
  | { readonly kind: 'degraded'; readonly reason: string }
  | { readonly kind: 'recovered' };

/** Changes below one project's root that are over, as far as two looks can tell. Paths are relative to the root, NFC. */
export interface Settled {
  readonly project: string;
  /** There, still, and not as they were known. */
  readonly files: readonly FoundFile[];
  /** Known, and not there in two looks at least their settling time apart. */
  readonly gone: readonly string[];
  /** Known, and not there in one look: where a file in `files` may have been moved from. */
  readonly missing: ReadonlySet<string>;
}
