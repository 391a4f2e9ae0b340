/** The offsets of texts, by the hash of recipe and text. A million texts take 32 MB; with their translations they took 360 MB. */
import type { RecipeKey } from '../../job.ts';

/** A number for the place of a translation; never 0. */
export type TextOffset = number;

const EMPTY = 0;
const FIRST_SLOTS = 1024;
/** How full the table may be. */
const FULL = 0.7;

/**
 * A hash table with open addressing. Texts with the same 64-bit hash count as one text. The later one has the offset, and the reader of the
 * offset compares the text itself. So the worst case is that a text is forgotten, in one of a billion memories with a million texts.
 */
export class TextIndex {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  #offsets = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(recipe: RecipeKey, source: string): TextOffset | undefined {
    const offset = this.#offsets[this.#slotOf(hashOf(recipe, source))];
    return offset === EMPTY ? undefined : offset;
  }

  set(recipe: RecipeKey, source: string, offset: TextOffset): void {
    if (this.#size >= this.#offsets.length * FULL) this.#grow();
    this.#put(hashOf(recipe, source), offset);
  }

  #put(hash: TextHash, offset: TextOffset): void {
    const slot = this.#slotOf(hash);
    if (this.#offsets[slot] === EMPTY) this.#size += 1;
    this.#high[slot] = hash.high;
    this.#low[slot] = hash.low;
    this.#offsets[slot] = offset;
  }

  /** The slot with the hash, or the free one where it belongs. */
  #slotOf({ high, low }: TextHash): number {
    const mask = this.#offsets.length - 1;
    for (let slot = low & mask; ; slot = (slot + 1) & mask) {
      if (this.#offsets[slot] === EMPTY) return slot;
      if (this.#low[slot] === low && this.#high[slot] === high) return slot;
    }
  }

  #grow(): void {
    const [highs, lows, offsets] = [this.#high, this.#low, this.#offsets];
    const slots = offsets.length * 2;
    this.#high = new Uint32Array(slots);
    this.#low = new Uint32Array(slots);
    this.#offsets = new Float64Array(slots);
    this.#size = 0;
    for (const [at, offset] of offsets.entries()) {
      if (offset !== EMPTY) this.#put({ high: highs[at] ?? 0, low: lows[at] ?? 0 }, offset);
    }
  }
}

interface TextHash {
  readonly high: number;
  readonly low: number;
}

/** The hash of the last recipe. It is the seed of the hashes of its texts; most texts in a row have the same recipe. */
let last: { readonly recipe: string; readonly seed: TextHash } | undefined;

function hashOf(recipe: RecipeKey, source: string): TextHash {
  if (last?.recipe !== recipe) {
    last = { recipe, seed: hashOn({ high: 0xdeadbeef, low: 0x41c6ce57 }, recipe) };
  }
  return hashOn(last.seed, source);
}

/** Two multiplicative hashes side by side, each mixed with the other at the end (cyrb53, with all of its bits). */
function hashOn(seed: TextHash, text: string): TextHash {
  let a = seed.high;
  let b = seed.low;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    a = Math.imul(a ^ code, 2654435761);
    b = Math.imul(b ^ code, 1597334677);
  }
  const high = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909);
  const low = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  return { high: high >>> 0, low: low >>> 0 };
}
