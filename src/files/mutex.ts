/** A mutex for each name: one holder at a time, in the order of the calls. */
export class Mutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when the caller has the mutex of the name; dispose releases it. */
  async take(name: string): Promise<Disposable> {
    const before = this.#last.get(name);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last.set(name, promise);
    await before;
    return {
      [Symbol.dispose]: () => {
        if (this.#last.get(name) === promise) this.#last.delete(name);
        resolve();
      },
    };
  }

  /** Takes several. All callers take them in the same order, so that there is no deadlock. */
  async takeAll(names: readonly string[]): Promise<Disposable> {
    const held = new DisposableStack();
    for (const name of [...new Set(names)].sort(byCode)) held.use(await this.take(name));
    return held;
  }
}

function byCode(a: string, b: string): number {
  return a < b ? -1 : 1;
}
