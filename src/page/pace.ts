/**
 * The pace of each lane, from the last delivered jobs. It is an estimate for people, counted from events as metrics are: nothing is decided
 * from it.
 */
import type { Clock } from '../clock.ts';
import type { Listener } from '../event.ts';
import type { Lane } from '../job.ts';

/** Number of last jobs of a lane that count, and the least number for an estimate. */
const MOST_JOBS = 40;
const LEAST = 4;
/** Milliseconds. Older jobs do not count. */
const LASTS_MS = 10 * 60_000;

export class LanePace {
  readonly #clock: Pick<Clock, 'now'>;
  readonly #done = new Map<Lane, number[]>();

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  readonly listener: Listener = (event) => {
    if (event.kind !== 'job-delivered') return;
    const times = this.#done.get(event.lane) ?? [];
    times.push(this.#clock.now());
    this.#done.set(event.lane, times.slice(-MOST_JOBS));
  };

  /** Estimated seconds for a number of jobs of a lane; null when too few were done lately. */
  secondsFor(lane: Lane, jobs: number): number | null {
    const now = this.#clock.now();
    const times = (this.#done.get(lane) ?? []).filter((time) => now - time < LASTS_MS);
    const [first] = times;
    if (first === undefined || times.length < LEAST) return null;
    return ((now - first) / 1000 / (times.length - 1)) * jobs;
  }
}
