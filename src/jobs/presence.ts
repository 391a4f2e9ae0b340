/** Tells the other daemons of a tree how many jobs this one can run at a time, how many it has settled, and why it cannot do its part. */
import type { Clock } from '../clock.ts';
import type { Event, Listener } from '../event.ts';
import type { JobId } from '../job.ts';
import type { DaemonFigures, Daemons } from '../state/tree.ts';

/** Milliseconds between two messages; a message is sent only when something has changed. */
const TELL_MS = 2000;

export interface PresenceOptions {
  readonly daemons: Pick<Daemons, 'tell'>;
  readonly clock: Clock;
  places(): DaemonFigures['places'];
  troubles(): DaemonFigures['troubles'];
  /** Reads the leader's config, which may have changed. */
  compare(): Promise<void>;
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

  /** Tells it until the signal. When the database is away, nothing is lost: every message has all figures. */
  async keep(signal: AbortSignal): Promise<void> {
    const { daemons, clock, places, troubles, compare } = this.#options;
    let told = '';
    while (!signal.aborted) {
      await compare().catch(() => {});
      const figures = { places: places(), settled: this.#settled, troubles: troubles() };
      const message = JSON.stringify(figures);
      if (message !== told) {
        await daemons.tell(figures).then(
          () => {
            told = message;
          },
          () => {},
        );
      }
      await clock.sleep(TELL_MS, signal).catch(() => {});
    }
  }

  /** Whether a job ended. One that is delivered and then held for some of its texts counts once. */
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
