/** The texts of an open memory: where the line with each text is in the journal, and the lines that were read last. */
import type { RecipeKey } from '../../job.ts';
import { HeldLine, type HeldLines } from './held-lines.ts';
import type { MemoryLine } from './line.ts';
import { TextIndex, type TextOffset } from './text-index.ts';

// A smaller journal is not rewritten: it would save too little.
const WORTH_COMPACTING = 10_000;

/** A line that is not in the journal yet: its place is negative. */
export interface Pending {
  /** Called when the line is in the journal. */
  placed(offset: number): void;
}

export class RememberedTexts {
  readonly requests = new Set<string>();
  /** Without their scopes: a few, whatever the number of texts. */
  readonly recipes = new Set<string>();
  readonly #index = new TextIndex();
  readonly #lines = new Map<TextOffset, HeldLine>();
  readonly #held: HeldLines;
  #added = 0;
  #pending = 0;

  constructor(held: HeldLines) {
    this.#held = held;
  }

  /** @param offset place of the line in the journal @param json the line */
  add(line: MemoryLine, { offset, json }: { offset: number; json: string }): void {
    this.#record(line, placeAt(offset));
    this.hold(line, { offset, json });
  }

  addPending(line: MemoryLine, json: string): Pending {
    const pendingPlace = -++this.#pending;
    this.#record(line, pendingPlace);
    this.#lines.set(pendingPlace, new HeldLine(line, json.length, () => {}));
    return {
      placed: (offset) => {
        for (const [source] of line.texts) {
          if (this.#index.get(line.recipe, source) !== pendingPlace) continue;
          this.#index.set(line.recipe, source, placeAt(offset));
        }
        this.#lines.delete(pendingPlace);
        this.hold(line, { offset, json });
      },
    };
  }

  /** Keeps a line that was read again. */
  hold(line: MemoryLine, { offset, json }: { offset: number; json: string }): HeldLine {
    const place = placeAt(offset);
    const held = new HeldLine(line, json.length, () => this.#lines.delete(place));
    // Two calls at the same time may both have read it.
    if (!this.#lines.has(place)) {
      this.#lines.set(place, held);
      this.#held.hold(held);
    }
    return held;
  }

  /** @returns the line with the text, or its offset in the journal; undefined: the text was never bought */
  find(recipe: RecipeKey, source: string): HeldLine | number | undefined {
    if (!this.recipes.has(unscoped(recipe))) return undefined;
    const place = this.#index.get(recipe, source);
    return place === undefined ? undefined : (this.#lines.get(place) ?? place - 1);
  }

  /** Whether the line at this offset is the last one with the text. */
  isLast(offset: number, recipe: RecipeKey, source: string): boolean {
    return this.#index.get(recipe, source) === placeAt(offset);
  }

  get size(): number {
    return this.#index.size;
  }

  get isMostlySuperseded(): boolean {
    return this.#added > WORTH_COMPACTING && this.#added > 2 * this.size;
  }

  #record({ recipe, request, texts }: MemoryLine, place: TextOffset): void {
    for (const [source] of texts) this.#index.set(recipe, source, place);
    this.#added += texts.length;
    this.requests.add(request);
    this.recipes.add(unscoped(recipe));
  }
}

/** @see memoryKey */
function unscoped(recipe: RecipeKey): string {
  const end = recipe.indexOf('/');
  return end < 0 ? recipe : recipe.slice(0, end);
}

/** Offsets begin at 0, places of written lines at 1, and places of pending lines are negative. */
function placeAt(offset: number): TextOffset {
  return offset + 1;
}
