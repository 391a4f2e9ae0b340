/** Lets a few through at a time; the others wait, first come, first served. */
export class UploadQueue {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  /** @param places how many at a time */
  constructor(places: number) {
    this.#free = places;
  }

  async pass<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}
