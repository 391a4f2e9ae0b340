/** Watches the event loop and the queue: a daemon whose loop is blocked, or that leaves ready jobs in the queue, is not alive. */
import type { Clock } from '../clock.ts';
import type { Queue } from './queue.ts';

export interface LivenessOptions {
  readonly clock: Clock;
  readonly queue: Pick<Queue, 'waiting' | 'running' | 'nextDue'>;
}

/** Milliseconds without a beat, or with ready jobs that are not taken up, after which the daemon is not alive. */
const LATE_MS = 15_000;

export class Liveness {
  readonly #options: LivenessOptions;
  #beatAt: number;
  #movedAt: number;

  constructor(options: LivenessOptions) {
    this.#options = options;
    this.#beatAt = options.clock.now();
    this.#movedAt = this.#beatAt;
  }

  /** Called by a timer of the event loop, every few seconds. */
  beat(): void {
    const { clock, queue } = this.#options;
    this.#beatAt = clock.now();
    const isStill = queue.waiting > 0 && queue.running === 0 && queue.nextDue === undefined;
    if (!isStill) this.#movedAt = this.#beatAt;
  }

  /** The fault, in words for people; undefined while the daemon is alive. */
  get trouble(): string | undefined {
    const now = this.#options.clock.now();
    const late = now - this.#beatAt;
    if (late > LATE_MS) return `the event loop was blocked for ${Math.round(late / 1000)} s`;
    const idle = now - this.#movedAt;
    return idle > LATE_MS ? `has started no job for ${Math.round(idle / 1000)} s` : undefined;
  }
}
