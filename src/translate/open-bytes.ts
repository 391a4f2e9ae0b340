/** Room for large files: how many bytes of them may be open at a time. Who finds none waits for those before. */

export class OpenBytes {
  readonly #bytes: number;
  #taken = 0;
  readonly #waiting: (() => boolean)[] = [];

  constructor(bytes: number) {
    this.#bytes = bytes;
  }

  /** Resolves when there is room, first come first served; what is larger than the whole room gets it alone. */
  async take(bytes: number): Promise<Disposable> {
    const size = Math.min(bytes, this.#bytes);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(() => {
      if (this.#taken + size > this.#bytes) return false;
      this.#taken += size;
      resolve();
      return true;
    });
    this.#admit();
    await promise;
    let isTaken = true;
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#taken -= size;
        isTaken = false;
        this.#admit();
      },
    };
  }

  #admit(): void {
    while (this.#waiting[0]?.()) this.#waiting.shift();
  }
}
