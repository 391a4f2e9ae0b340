/** Memory lookups for decisions, which cannot wait: a question is kept, looked up later, and answered when the decision is made again. */
import type { RecipeKey } from '../job.ts';
import { partsKey } from '../state/memories/parts.ts';
import type { AskedText, KnownTranslation } from '../state/memory.ts';

/** Texts or answers per message between threads: a thousand short ones are copied in some milliseconds. */
export const RECALL_PORTION = 1000;

export class Recall {
  readonly #open = new Map<string, AskedText>();
  readonly #found = new Map<string, KnownTranslation>();
  #asked: readonly string[] = [];
  #hasFound = false;

  /** Whether the memory knew any of the texts. If not, decisions stay as they are: each text counted as unknown already. */
  get hasFound(): boolean {
    return this.#hasFound;
  }

  /** Undefined also for a text that was not looked up yet. */
  lookup(recipe: RecipeKey, parts: AskedText['parts']): KnownTranslation {
    return this.#lookup({ recipe, parts });
  }

  /** The same in the memories of other projects. */
  lookupInOthers(recipe: RecipeKey, parts: AskedText['parts']): KnownTranslation {
    return this.#lookup({ recipe, parts, isOfOthers: true });
  }

  #lookup(asked: AskedText): KnownTranslation {
    const key = `${asked.isOfOthers ?? ''}${asked.recipe}\n${partsKey(asked.parts)}`;
    if (!this.#found.has(key)) this.#open.set(key, asked);
    return this.#found.get(key);
  }

  /** @param most how many at a time @returns the next texts to look up */
  ask(most: number): AskedText[] {
    const portion = [...this.#open.entries().take(most)];
    this.#asked = portion.map(([key]) => key);
    return portion.map(([, asked]) => asked);
  }

  /** @param found answers to the last `ask`, in its order */
  learn(found: readonly KnownTranslation[]): void {
    for (const [index, key] of this.#asked.entries()) {
      this.#found.set(key, found[index]);
      this.#hasFound ||= found[index] !== undefined;
      this.#open.delete(key);
    }
  }
}
