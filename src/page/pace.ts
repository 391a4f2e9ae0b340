/** How fast jobs are done, by lane, as the last of them went. It hears events; nothing is kept. */
import type { Clock } from '../clock.ts';
import type { Listener } from '../event.ts';
import type { Lane } from '../job.ts';

/** Jobs of a lane that are looked at, and how many are needed to say anything. */
const MOST = 40;
const LEAST = 4;
/** Longer ago says nothing of now. */
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
    this.#done.set(event.lane, times.slice(-MOST));
  };

  /** Seconds for so many jobs of a lane at the pace of the last ones; null where too few were done lately. */
  secondsFor(lane: Lane, jobs: number): number | null {
    const now = this.#clock.now();
    const times = (this.#done.get(lane) ?? []).filter((time) => now - time < LASTS_MS);
    const [first] = times;
    if (first === undefined || times.length < LEAST) return null;
    return ((now - first) / 1000 / (times.length - 1)) * jobs;
  }
}
