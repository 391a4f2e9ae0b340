/** A limit for the costs of questions about patterns. Pure. */

/** Counts steps, since exclusions with many stars can cost exponentially many. */
export class Steps {
  /** Less than a second of work; real configs take some thousands. */
  static readonly MOST = 3_000_000;
  #left: number;

  constructor(most = Steps.MOST) {
    this.#left = most;
  }

  get areOver(): boolean {
    return this.#left <= 0;
  }

  take(count: number): void {
    this.#left -= count;
  }
}
