/** A limit of what questions about patterns may cost. Pure. */

/** Exceptions can cost exponentially many steps (which of their stars stand where), so that steps are counted. */
export class Steps {
  /** Less than a second of work; what real configs ask takes some thousands. */
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
