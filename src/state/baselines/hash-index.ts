/** The place of each baseline in the log. A hash table in one typed array with 24 bytes per entry: 100,000 of them take few megabytes. */
import { hashBytes } from '../../files/disk.ts';
import type { ByteRange } from './bytes.ts';

/** 24 hexadecimal digits that name a baseline in log and index. Among 100,000 baselines, two ids are equal in one of 10^19 states. */
export type BaselineId = string & { readonly __brand: 'BaselineId' };

// Three words of the id, two of the offset, one of the length, which is 0 in an empty slot.
const WORDS_OF_SLOT = 6;
const OFFSET = 3;
const LENGTH = 5;
const FEWEST_SLOTS = 64;
const TWO_TO_32 = 2 ** 32;

type Id = readonly [number, number, number];

export function baselineId(name: string): BaselineId {
  return hashBytes(name).slice(0, 24) as BaselineId;
}

export class BaselineIndex {
  #table = new Uint32Array(FEWEST_SLOTS * WORDS_OF_SLOT);
  #size = 0;
  #bytes = 0;

  /** Number of baselines. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of all baselines. */
  get bytes(): number {
    return this.#bytes;
  }

  get(id: BaselineId): ByteRange | undefined {
    return this.#read(this.#slotOf(idNumbers(id)));
  }

  set(id: BaselineId, { offset, length }: ByteRange): void {
    const words = idNumbers(id);
    const slot = this.#slotOf(words);
    const before = this.#table[slot + LENGTH] ?? 0;
    this.#bytes += length - before;
    this.#table.set([...words, Math.floor(offset / TWO_TO_32), offset % TWO_TO_32, length], slot);
    if (before > 0) return;
    this.#size += 1;
    if (4 * this.#size * WORDS_OF_SLOT > 3 * this.#table.length) this.#grow();
  }

  delete(id: BaselineId): void {
    let hole = this.#slotOf(idNumbers(id));
    const length = this.#table[hole + LENGTH] ?? 0;
    if (length === 0) return;
    this.#size -= 1;
    this.#bytes -= length;
    // An entry that is after the hole because its own slot was taken moves up: else it would not be found any more.
    for (let slot = this.#next(hole); this.#table[slot + LENGTH] !== 0; slot = this.#next(slot)) {
      const home = this.#home(this.#table[slot] ?? 0);
      const isBetween = hole <= slot ? home > hole && home <= slot : home > hole || home <= slot;
      if (isBetween) continue;
      this.#table.copyWithin(hole, slot, slot + WORDS_OF_SLOT);
      hole = slot;
    }
    this.#table.fill(0, hole, hole + WORDS_OF_SLOT);
  }

  *entries(): Generator<ByteRange & { readonly id: BaselineId }> {
    for (let slot = 0; slot < this.#table.length; slot += WORDS_OF_SLOT) {
      const location = this.#read(slot);
      if (location === undefined) continue;
      const words = this.#table.subarray(slot, slot + OFFSET);
      const id = [...words].map((word) => word.toString(16).padStart(8, '0')).join('');
      yield { id: id as BaselineId, ...location };
    }
  }

  /** All entries as bytes, for a file. */
  toBytes(): Buffer {
    const packed = new Uint32Array(this.#size * WORDS_OF_SLOT);
    let at = 0;
    for (let slot = 0; slot < this.#table.length; slot += WORDS_OF_SLOT) {
      if (this.#table[slot + LENGTH] === 0) continue;
      packed.set(this.#table.subarray(slot, slot + WORDS_OF_SLOT), at);
      at += WORDS_OF_SLOT;
    }
    return Buffer.from(packed.buffer);
  }

  /** @param bytes of `toBytes` */
  static from(bytes: Uint8Array): BaselineIndex {
    // A copy, because words must be aligned.
    const packed = new Uint32Array(new Uint8Array(bytes).buffer);
    const index = new BaselineIndex();
    index.#resize(packed.length / WORDS_OF_SLOT);
    for (let at = 0; at < packed.length; at += WORDS_OF_SLOT)
      index.#place(packed.subarray(at, at + WORDS_OF_SLOT));
    return index;
  }

  #grow(): void {
    const old = this.#table;
    this.#resize(this.#size);
    for (let slot = 0; slot < old.length; slot += WORDS_OF_SLOT) {
      if (old[slot + LENGTH] !== 0) this.#place(old.subarray(slot, slot + WORDS_OF_SLOT));
    }
  }

  /** Makes the table empty, for twice as many entries. */
  #resize(entries: number): void {
    const slots = Math.max(FEWEST_SLOTS, 2 ** Math.ceil(Math.log2(2 * (entries + 1))));
    this.#table = new Uint32Array(slots * WORDS_OF_SLOT);
    this.#size = 0;
    this.#bytes = 0;
  }

  #place(entry: Uint32Array): void {
    const [a = 0, b = 0, c = 0] = entry;
    this.#table.set(entry, this.#slotOf([a, b, c]));
    this.#size += 1;
    this.#bytes += entry[LENGTH] ?? 0;
  }

  #read(slot: number): ByteRange | undefined {
    const length = this.#table[slot + LENGTH] ?? 0;
    if (length === 0) return undefined;
    const [high = 0, low = 0] = this.#table.subarray(slot + OFFSET, slot + LENGTH);
    return { offset: high * TWO_TO_32 + low, length };
  }

  /** The slot with the id, or the empty one where it belongs. */
  #slotOf([a, b, c]: Id): number {
    const table = this.#table;
    let slot = this.#home(a);
    while (
      table[slot + LENGTH] !== 0 &&
      (table[slot] !== a || table[slot + 1] !== b || table[slot + 2] !== c)
    ) {
      slot = this.#next(slot);
    }
    return slot;
  }

  // Ids are hashes already; the number of slots is a power of two.
  #home(word: number): number {
    return (word % (this.#table.length / WORDS_OF_SLOT)) * WORDS_OF_SLOT;
  }

  #next(slot: number): number {
    return slot + WORDS_OF_SLOT < this.#table.length ? slot + WORDS_OF_SLOT : 0;
  }
}

function idNumbers(id: BaselineId): Id {
  return [
    Number.parseInt(id.slice(0, 8), 16),
    Number.parseInt(id.slice(8, 16), 16),
    Number.parseInt(id.slice(16), 16),
  ];
}
