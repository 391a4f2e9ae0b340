/**
 * Decides when a file has stopped changing: compares two looks, and the times on the disk decide how long to wait between them.
 * Pure.
 */
import type { Stat } from '../job.ts';

/** The state of a path at a look: a file, no file, or something else. Times in milliseconds since the epoch, sizes in bytes. */
export type Look =
  | {
      readonly kind: 'file';
      readonly stat: Stat;
      readonly size: number;
      readonly modified: number;
      readonly changed: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: string; readonly isUnreadable?: true };

/** A path that may have changed, until it has stopped changing. */
export interface Suspect {
  /** Relative to the root, NFC. */
  readonly path: string;
  /** The spelling on the disk. */
  readonly raw: string;
  /** Its number among the suspects: the clock may be set back. 0 at the first look at a root. */
  readonly nth: number;
  /** A hint came since the last look. */
  hinted: boolean;
  look: Look | undefined;
  lookedAt: number;
  /** When it counts as settled, if it does not change before. */
  due: number;
  /** When it was first looked at. */
  since: number;
  /** A later look found something else. */
  hasChanged: boolean;
  /** Milliseconds after which it counts as changing. */
  patience: number;
}

/** At the first look at a root, a file counts as settled at once when it was written longer ago than its settling time. */
export const LONG_AGO = 0;

/** @param from when it became a suspect; `LONG_AGO` when the times on the disk can be trusted */
export function suspect(place: { path: string; raw: string }, from: number, nth = 0): Suspect {
  const { path, raw } = place;
  const unseen = { hinted: true, look: undefined, lookedAt: from, due: 0 };
  return { path, raw, nth, ...unseen, since: from, hasChanged: false, patience: 0 };
}

/**
 * Adds a look to a suspect.
 * @param settle milliseconds that this file must stay unchanged
 * @returns true when it has been unchanged for that long
 */
export function takeLook(suspect: Suspect, look: Look, { now, settle }: Timing): boolean {
  if (suspect.look === undefined) {
    suspect.since = now;
    suspect.patience = patienceFor(settle);
  } else suspect.hasChanged ||= !isSameLook(suspect.look, look);
  const isSetBack = now < suspect.lookedAt;
  if (isSetBack) suspect.since = now;
  if (suspect.look === undefined || !isSameLook(suspect.look, look) || isSetBack) {
    const since = unchangedSince(look, { earliest: Math.min(suspect.lookedAt, now), now });
    suspect.due = since + waitFor(look, settle);
  }
  suspect.look = look;
  suspect.lookedAt = now;
  suspect.hinted = false;
  return now >= suspect.due;
}

/**
 * True when it has changed for so long that nothing waits for it. A log, for example, is written faster than its settling time for ever. It
 * stays a suspect, and settles when its changes end.
 */
export function isChanging({ hasChanged, since, patience }: Suspect, now: number): boolean {
  return hasChanged && now - since >= patience;
}

const SETTLE_TIMES = 10;
const LEAST_PATIENCE_MS = 5000;
const MOST_PATIENCE_MS = 60_000;

function patienceFor(settle: number): number {
  return Math.min(Math.max(settle * SETTLE_TIMES, LEAST_PATIENCE_MS), MOST_PATIENCE_MS);
}

export interface Timing {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly settle: number;
}

/** The kernel writes the time of its last tick, and a tick is at most 10 ms. Within two ticks, a second write may leave the same time. */
const SHORTEST_MS = 20;
const FINISHED_MS = 500;
const OLD_MS = 10_000;

function waitFor(look: Look, settle: number): number {
  // Old content with a new inode time: a rename, or a copy that set its times at its end.
  const isFinished = look.kind === 'file' && look.changed - look.modified > OLD_MS;
  return Math.max(SHORTEST_MS, isFinished ? Math.min(settle, FINISHED_MS) : settle);
}

/** Times on the disk may be those of another machine's clock: they count only between the last look and now. */
function unchangedSince(look: Look, { earliest, now }: { earliest: number; now: number }): number {
  if (look.kind !== 'file') return now;
  const touched = Math.max(look.changed, look.modified);
  return touched > now ? now : Math.max(earliest, touched);
}

function isSameLook(a: Look, b: Look): boolean {
  return a.kind === 'file' && b.kind === 'file' ? a.stat === b.stat : a.kind === b.kind;
}
