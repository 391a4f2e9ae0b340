/** The last known progress of reviews. Files are read in the background when somebody asks for it. */
import { type Clock, OnwardTime } from '../clock.ts';
import type { Control } from '../control/control.ts';
import type { ReviewProgress } from '../control/review-report.ts';

/** Milliseconds between two readings of the files, for metrics. */
const HOLDS_MS = 60_000;
/** A slow reading is made more rarely, so that readings cost at most a tenth of the time. */
const EFFORT = 10;

export interface ReviewFiguresOptions {
  readonly control: Pick<Control, 'reviewProgress'>;
  readonly clock: Pick<Clock, 'now'>;
  /** Called when there is another progress. */
  onChange(): void;
}

export class ReviewFigures {
  readonly #options: ReviewFiguresOptions;
  #progress: readonly ReviewProgress[] | null = null;
  readonly #time: OnwardTime;
  #askedAt = Number.NEGATIVE_INFINITY;
  #lasted = 0;
  #isAsking = false;

  constructor(options: ReviewFiguresOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
  }

  /**
   * @param holds milliseconds for which a progress counts as the present one
   * @returns null before the first reading; empty when the config wants no reviews
   */
  look(holds = HOLDS_MS): readonly ReviewProgress[] | null {
    const age = this.#time.now() - this.#askedAt;
    const isDue = age >= Math.max(holds, this.#lasted * EFFORT);
    if (isDue && !this.#isAsking) void this.#ask();
    return this.#progress;
  }

  async #ask(): Promise<void> {
    const { control, onChange } = this.#options;
    this.#isAsking = true;
    this.#askedAt = this.#time.now();
    const before = JSON.stringify(this.#progress);
    try {
      this.#progress = await control.reviewProgress({ projects: [], languages: [], paths: [] });
    } catch {
      // The earlier figures stay; "dragoman review list" names the files that cannot be read.
    }
    this.#lasted = this.#time.now() - this.#askedAt;
    this.#isAsking = false;
    if (JSON.stringify(this.#progress) !== before) onChange();
  }
}
