/** A moment by both clocks of a machine: one that was suspended may know it by one of them only. */
import type { Clock } from '../../clock.ts';

export interface Moment {
  /** Of the wall. */
  readonly now: number;
  /** Milliseconds that this process was there. */
  readonly ran: number;
}

export function momentOf(clock: Clock): Moment {
  return { now: clock.now(), ran: performance.now() };
}

/** Whether fewer milliseconds than that have passed by either clock. */
export function isWithin(ms: number, since: Moment, at: Moment): boolean {
  return at.now >= since.now && Math.max(at.now - since.now, at.ran - since.ran) < ms;
}
