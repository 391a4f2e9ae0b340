/** A moment by both clocks of a machine: after a suspension, one of them may not show the time that passed. */
import type { Clock } from '../../clock.ts';

/**
 * Milliseconds after a reservation was sent, during which the target may be put in place. Other daemons leave the target alone for
 * longer (`HELD_S`): a clock that is wrong by a third does no harm.
 */
export const PLACES_MS = 4000;
/** Milliseconds between checks whether another writer still has what was reserved. */
export const HELD_LOOK_MS = 50;

export interface Moment {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Milliseconds since the start of the process. */
  readonly ran: number;
}

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), ran: performance.now() };
}

/** Whether fewer than `ms` milliseconds have passed by both clocks. */
export function isWithinMs(ms: number, since: Moment, at: Moment): boolean {
  return at.now >= since.now && Math.max(at.now - since.now, at.ran - since.ran) < ms;
}
