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

  /** Several turns at once, taken in one order by everybody: so nobody waits in a circle. */
  async takeAll(names: readonly string[]): Promise<Disposable> {
    const turns = new DisposableStack();
    for (const name of [...new Set(names)].sort(byCode)) turns.use(await this.take(name));
    return turns;
  }
}

function byCode(a: string, b: string): number {
  return a < b ? -1 : 1;
}
