/** How far reviews have come, as it was last looked: files are read in the background when somebody asks, at most once a minute. */
import type { Clock } from '../clock.ts';
import type { Control } from '../control/control.ts';
import type { ReviewProgress } from '../control/review/report.ts';

const HOLDS_MS = 60_000;

export class ReviewFigures {
  readonly #control: Pick<Control, 'reviewProgress'>;
  readonly #clock: Pick<Clock, 'now'>;
  #progress: readonly ReviewProgress[] = [];
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  constructor(control: Pick<Control, 'reviewProgress'>, clock: Pick<Clock, 'now'>) {
    this.#control = control;
    this.#clock = clock;
  }

  /** Empty until files were read for the first time, and where the config wants no reviews. */
  look(): readonly ReviewProgress[] {
    const isDue = this.#clock.now() - this.#askedAt >= HOLDS_MS;
    if (isDue && !this.#isAsking) void this.#ask();
    return this.#progress;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    this.#askedAt = this.#clock.now();
    try {
      this.#progress = await this.#control.reviewProgress({
        ...{ projects: [], languages: [], paths: [] },
      });
    } catch {
      // The older figures stay; "dragoman review list" says what cannot be read.
    }
    this.#isAsking = false;
  }
}
