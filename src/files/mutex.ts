/** Turns: who comes for the same name waits until those before are done. */
export class Mutex {
  readonly #last = new Map<string, Promise<void>>();

  /** Resolves when it is this one's turn; disposing of it ends the turn. */
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
}
