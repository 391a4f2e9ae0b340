/**
 * Jobs that failed because this daemon cannot read or write their files, for example in a folder that is read-only on this machine
 * alone. For some time they are left to the other daemons of the tree.
 */
import { type Clock, OnwardTime } from '../clock.ts';
import type { Failure } from '../failure.ts';
import type { JobId } from '../job.ts';

/** Milliseconds after the first failure in which only other daemons try the job: they may have no free slot at once. */
export const LEFT_MS = 30_000;
/** Milliseconds until a job that this daemon was offered again meanwhile is offered to others. */
export const NEXT_OFFER_MS = 1000;

export class LeftToOthers {
  readonly #time: OnwardTime;
  /** When each job failed here first; the earliest first. */
  readonly #since = new Map<JobId, number>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#time = new OnwardTime(clock);
  }

  /** Whether only other daemons may try the job now. */
  has(id: JobId): boolean {
    return this.#time.now() - (this.#since.get(id) ?? Number.NEGATIVE_INFINITY) < LEFT_MS;
  }

  /** @returns false when the others had their time: then the job fails */
  leave(id: JobId): boolean {
    const now = this.#time.now();
    this.#forgetBefore(now - 2 * LEFT_MS);
    if (this.#since.delete(id)) return false;
    this.#since.set(id, now);
    return true;
  }

  /** A job that failed here long ago was done since, or is left to the others again. */
  #forgetBefore(time: number): void {
    for (const [id, since] of this.#since) {
      if (since >= time) return;
      this.#since.delete(id);
    }
  }
}

/** Whether the reason may be that of this machine alone: an error of its system, not a fact about the tree. */
export function mayBeOfThisMachine(failure: Failure): boolean {
  const isOfFile = failure.kind === 'unwritable' || failure.kind === 'unreadable';
  return isOfFile && /^E[A-Z]+$/.test(failure.code);
}
