/** Tells the daemons of a tree what this one has places for, and how many jobs it has settled. */
import type { Clock } from '../clock.ts';
import type { Event, Listener } from '../event.ts';
import type { JobId } from '../job.ts';
import type { DaemonFigures, Daemons } from '../state/tree.ts';

/** Milliseconds between words of it, where something changed. */
const TELL_MS = 2000;

export interface PresenceOptions {
  readonly daemons: Pick<Daemons, 'tell'>;
  readonly clock: Clock;
  places(): DaemonFigures['places'];
}

export class Presence {
  readonly #options: PresenceOptions;
  #settled = 0;
  #delivered: JobId | undefined;

  constructor(options: PresenceOptions) {
    this.#options = options;
  }

  readonly listener: Listener = (event) => {
    if (this.#isEnd(event)) this.#settled += 1;
  };

  /** Until the signal. People read it: where the database is away, the next word says all. */
  async keep(signal: AbortSignal): Promise<void> {
    const { daemons, clock, places } = this.#options;
    let told = '';
    while (!signal.aborted) {
      const figures = { places: places(), settled: this.#settled };
      const word = JSON.stringify(figures);
      if (word !== told) {
        await daemons.tell(figures).then(
          () => {
            told = word;
          },
          () => {},
        );
      }
      await clock.sleep(TELL_MS, signal).catch(() => {});
    }
  }

  /** A job that is delivered and held for some of its texts ends once. */
  #isEnd(event: Event): boolean {
    switch (event.kind) {
      case 'job-delivered':
        this.#delivered = event.job;
        return true;
      case 'job-held':
        return event.job !== this.#delivered;
      case 'job-failed':
        return true;
      default:
        return false;
    }
  }
}
