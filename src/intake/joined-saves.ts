/**
 * Saves of people into large files: their jobs wait until nobody saves any more. A job reads and compares all texts of a file, which takes
 * ten seconds of processor time for 100,000 texts. A save has written the target and the lock already.
 */
import type { Clock } from '../clock.ts';
import type { SourceId } from '../job.ts';

/** Bytes from which a file counts as large: the job of a smaller one takes less than half a second. */
export const LARGE_BYTES = 256 * 1024;
/** Milliseconds without a save after which the job begins. */
export const QUIET_MS = 30_000;
/** Milliseconds after which the job begins although a person still saves. */
export const MOST_MS = 5 * 60_000;

export interface JoinedSavesOptions {
  readonly clock: Clock;
  /** Called when the jobs of the source may begin. */
  ended(source: SourceId): void;
}

export class JoinedSaves {
  readonly #options: JoinedSavesOptions;
  readonly #waiting = new Map<SourceId, SaveWait>();

  constructor(options: JoinedSavesOptions) {
    this.#options = options;
  }

  /** A person has saved into targets of these sources. */
  add(sources: Iterable<SourceId>): void {
    for (const id of sources) {
      const known = this.#waiting.get(id);
      known?.quiet.abort();
      const { all } = known ?? { all: new AbortController() };
      const quiet = new AbortController();
      this.#waiting.set(id, { all, quiet });
      if (known === undefined) this.#endAfter(MOST_MS, id, all.signal);
      this.#endAfter(QUIET_MS, id, quiet.signal);
    }
  }

  /** The files are watched no longer. The next look at all of them reports what was saved. */
  forget(): void {
    for (const id of [...this.#waiting.keys()]) this.#stop(id);
  }

  #endAfter(ms: number, id: SourceId, signal: AbortSignal): void {
    const ended = () => {
      this.#stop(id);
      this.#options.ended(id);
    };
    this.#options.clock.sleep(ms, signal).then(ended, () => {});
  }

  #stop(id: SourceId): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.all.abort();
    waiting?.quiet.abort();
  }
}

interface SaveWait {
  /** Ends the whole wait. */
  readonly all: AbortController;
  /** Ends the wait since the last save. */
  readonly quiet: AbortController;
}
