/** Whether the scheduler takes up jobs: ready ones that nobody runs for a while mean that it stands. */
import type { Clock } from '../clock.ts';
import type { Queue } from './queue.ts';

export interface LivenessOptions {
  readonly clock: Clock;
  readonly queue: Pick<Queue, 'waiting' | 'running' | 'nextDue'>;
}

/** A beat that is so late, or ready jobs that nobody takes up for so long, mean that the scheduler stands. */
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

  /** Called from the event loop, every few seconds. */
  beat(): void {
    const { clock, queue } = this.#options;
    this.#beatAt = clock.now();
    const stands = queue.waiting > 0 && queue.running === 0 && queue.nextDue === undefined;
    if (!stands) this.#movedAt = this.#beatAt;
  }

  /** @returns what is wrong; undefined while it is alive */
  get trouble(): string | undefined {
    const now = this.#options.clock.now();
    const late = now - this.#beatAt;
    if (late > LATE_MS) return `has not ticked for ${Math.round(late / 1000)} s`;
    const idle = now - this.#movedAt;
    return idle > LATE_MS ? `takes up no job for ${Math.round(idle / 1000)} s` : undefined;
  }
}
