/** The offsets of texts, by the hash of recipe and text. A million texts take 32 MB; with their translations they took 360 MB. */
import type { RecipeKey } from '../../job.ts';

/** A number for the place of a translation; never 0. */
export type TextOffset = number;

const EMPTY = 0;
/** A table that grows is copied. At 700,000 texts, one table blocked the event loop for 55 ms; these block it for 4 ms. */
const TABLES = 16;
const FIRST_SLOTS = 64;
/** How full a table may be. */
const FULL = 0.7;

/**
 * Hash tables with open addressing. Texts with the same 64-bit hash count as one text. The later one has the offset, and the reader of the
 * offset compares the text itself. So the worst case is that a text is forgotten, in one of a billion memories with a million texts.
 */
export class TextIndex {
  readonly #tables = Array.from({ length: TABLES }, () => new OffsetTable());

  get size(): number {
    return this.#tables.reduce((sum, { size }) => sum + size, 0);
  }

  get(recipe: RecipeKey, source: string): TextOffset | undefined {
    const { high, low } = hashOf(recipe, source);
    return this.#tableOf(high)?.get(high, low);
  }

  set(recipe: RecipeKey, source: string, offset: TextOffset): void {
    const { high, low } = hashOf(recipe, source);
    this.#tableOf(high)?.set(high, low, offset);
  }

  #tableOf(high: number): OffsetTable | undefined {
    return this.#tables[high % TABLES];
  }
}

class OffsetTable {
  #high = new Uint32Array(FIRST_SLOTS);
  #low = new Uint32Array(FIRST_SLOTS);
  #offsets = new Float64Array(FIRST_SLOTS);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(high: number, low: number): TextOffset | undefined {
    const offset = this.#offsets[this.#slotOf(high, low)];
    return offset === EMPTY ? undefined : offset;
  }

  set(high: number, low: number, offset: TextOffset): void {
    if (this.#size >= this.#offsets.length * FULL) this.#grow();
    const slot = this.#slotOf(high, low);
    if (this.#offsets[slot] === EMPTY) this.#size += 1;
    this.#high[slot] = high;
    this.#low[slot] = low;
    this.#offsets[slot] = offset;
  }

  /** The slot with the hash, or the free one where it belongs. */
  #slotOf(high: number, low: number): number {
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
    for (let at = 0; at < offsets.length; at++) {
      const offset = offsets[at] ?? EMPTY;
      if (offset !== EMPTY) this.set(highs[at] ?? 0, lows[at] ?? 0, offset);
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
