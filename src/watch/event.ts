/** What the watcher tells: batches of files that are still, and the state of roots and hints. */
import type { FoundFile, Skipped } from '../listing.ts';

export type WatchEvent =
  | ({ readonly kind: 'settled' } & Settled)
  /** Something of interest that is not taken; told once for each reason. */
  | ({ readonly kind: 'skipped'; readonly root: string } & Skipped)
  /** Still, but its end has been missing for ten minutes. */
  | ({ readonly kind: 'incomplete'; readonly root: string } & Skipped)
  /** A full pass is over. Milliseconds. */
  | {
      readonly kind: 'scanned';
      readonly root: string;
      readonly files: number;
      readonly durationMs: number;
    }
  | { readonly kind: 'offline'; readonly root: string; readonly reason: string }
  | { readonly kind: 'online'; readonly root: string }
  /** Events of the system cannot be had: changes are found by passes only, some seconds later. */
  | { readonly kind: 'degraded'; readonly reason: string }
  | { readonly kind: 'recovered' };

/** Changes of one root that are over, as far as two looks can tell. Paths are relative to it, NFC. */
export interface Settled {
  /** As it was given to `openWatch`. */
  readonly root: string;
  /** There, still, and not as they were known. */
  readonly files: readonly FoundFile[];
  /** Known, and not there in two looks at least their settling time apart. */
  readonly gone: readonly string[];
  /** Known, and not there in one look: where a file in `files` may have been moved from. */
  readonly missing: ReadonlySet<string>;
}
