/** A moment by both clocks of a machine: after a suspension, one of them may not show the time that passed. */
import type { Clock } from '../../clock.ts';

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
