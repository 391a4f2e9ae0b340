/** Random numbers from a seed: the same seed gives the same numbers again. */

/** Mulberry32: one multiplication a number, and every seed has another sequence. */
export class Seeded {
  #state: number;

  /** @param seed of several numbers, such as a run and the number of an input in it, every one counts */
  constructor(...seed: readonly number[]) {
    this.#state = seed.reduce((state, part) => scramble(state ^ part), 0x9e3779b9);
  }

  /** From 0 up to 1, without 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    return scramble(this.#state) / 2 ** 32;
  }

  /** A whole number from 0 up to `end`, without `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** @throws RangeError when there is nothing to choose from */
  pick<T>(from: readonly T[]): T {
    if (from.length === 0) throw new RangeError('nothing to choose from');
    return from[this.below(from.length)] as T;
  }

  isOneIn(chances: number): boolean {
    return this.below(chances) === 0;
  }
}

function scramble(number: number): number {
  let mixed = Math.imul(number ^ (number >>> 15), number | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return (mixed ^ (mixed >>> 14)) >>> 0;
}
