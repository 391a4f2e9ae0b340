/** A semaphore: at most so many run at a time, the others wait in the order in which they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #places: number;

  constructor(places: number) {
    this.#places = places;
  }

  /** Resolves inside; disposing of it lets the next one in. */
  async enter(): Promise<Disposable> {
    if (this.#places > 0) this.#places -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return { [Symbol.dispose]: () => this.#leave() };
  }

  /** From now on, one more may run at a time. */
  widen(): void {
    this.#leave();
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#places += 1;
    else next();
  }
}
