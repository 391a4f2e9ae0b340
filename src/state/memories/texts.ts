/** The texts of a memory while it is used: recipe -> encoded source -> encoded translation. */
import type { RecipeKey } from '../../job.ts';
import type { MemoryLine } from './line.ts';

// Below this a rewrite saves nothing that anybody would notice.
const WORTH_COMPACTING = 10_000;

export class Texts {
  /** By recipe first: a key of both would cost a million times the length of a recipe. */
  readonly #byRecipe = new Map<RecipeKey, Map<string, string>>();
  readonly requests = new Set<string>();
  #added = 0;
  #size = 0;

  add({ recipe, request, texts }: MemoryLine): void {
    const bought = this.#byRecipe.get(recipe) ?? new Map<string, string>();
    this.#byRecipe.set(recipe, bought);
    const before = bought.size;
    for (const [source, translation] of texts) bought.set(source, translation);
    this.#size += bought.size - before;
    this.#added += texts.length;
    this.requests.add(request);
  }

  get(recipe: RecipeKey, source: string): string | undefined {
    return this.#byRecipe.get(recipe)?.get(source);
  }

  get size(): number {
    return this.#size;
  }

  get isMostlySuperseded(): boolean {
    return this.#added > WORTH_COMPACTING && this.#added > 2 * this.#size;
  }
}
