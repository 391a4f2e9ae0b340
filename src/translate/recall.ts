/** What the memory is asked for while a decision is made, which cannot wait: noted, looked up, and there for the next decision. */
import type { RecipeKey } from '../job.ts';
import { partsKey } from '../state/memories/parts.ts';
import type { AskedText, Found } from '../state/memory.ts';

/** How many texts or answers go over at once: a thousand short ones are copied between threads in some milliseconds. */
export const PORTION = 1000;

export class Recall {
  readonly #open = new Map<string, AskedText>();
  readonly #found = new Map<string, Found>();
  #asked: readonly string[] = [];

  /** Undefined also for what was not looked up yet. */
  lookup(recipe: RecipeKey, parts: AskedText['parts']): Found {
    const key = `${recipe}\n${partsKey(parts)}`;
    if (!this.#found.has(key)) this.#open.set(key, { recipe, parts });
    return this.#found.get(key);
  }

  /** @returns what is still to be looked up, so much of it at a time */
  ask(most: number): AskedText[] {
    const portion = [...this.#open.entries().take(most)];
    this.#asked = portion.map(([key]) => key);
    return portion.map(([, asked]) => asked);
  }

  /** @param found what was asked last, in its order */
  learn(found: readonly Found[]): void {
    for (const [index, key] of this.#asked.entries()) {
      this.#found.set(key, found[index]);
      this.#open.delete(key);
    }
  }
}
