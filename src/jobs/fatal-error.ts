/** The error that ends a daemon, whichever part it comes from. */
export class FatalError {
  readonly #error = Promise.withResolvers<never>();

  constructor() {
    this.thrown.catch(() => {});
  }

  /** Rejects when a part fails: the daemon cannot go on. Never resolves. */
  get thrown(): Promise<never> {
    return this.#error.promise;
  }

  /** Ends the daemon with this error. */
  throw(error: unknown): void {
    this.#error.reject(error);
  }

  /** When this part rejects, the daemon ends with its error. */
  watch(part: Promise<unknown>): void {
    part.catch((error: unknown) => this.throw(error));
  }
}
