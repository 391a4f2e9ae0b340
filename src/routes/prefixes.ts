/** Finds beginnings of paths that may have a path in common with another one. Pure. */

/**
 * Prefixes by their place in a list. Most routes have their own folders: 1,600 of them that were all compared with each other took a
 * second.
 */
export class ByPrefix {
  readonly #count: number;
  readonly #places: ReadonlyMap<string, readonly number[]>;
  readonly #sorted: readonly string[];
  readonly #lengths: readonly number[];

  constructor(prefixes: readonly string[]) {
    this.#count = prefixes.length;
    this.#places = Map.groupBy(prefixes.keys(), (place) => prefixes[place] ?? '');
    this.#sorted = [...this.#places.keys()].sort((a, b) => (a < b ? -1 : 1));
    this.#lengths = [...new Set(this.#sorted.map(({ length }) => length))];
  }

  /**
   * The places of prefixes that begin with this one, or with which it begins, in order.
   * @param before only places before this one
   */
  near(prefix: string, before = this.#count): number[] {
    const around = this.#lengths
      .filter((length) => length < prefix.length)
      .map((length) => prefix.slice(0, length));
    return [...around, ...this.#beginningWith(prefix)]
      .flatMap((each) => this.#places.get(each) ?? [])
      .filter((place) => place < before)
      .sort((a, b) => a - b);
  }

  #beginningWith(prefix: string): string[] {
    const found: string[] = [];
    for (let at = this.#firstFrom(prefix); this.#sorted[at]?.startsWith(prefix); at++) {
      found.push(this.#sorted[at] ?? '');
    }
    return found;
  }

  /** The first prefix that is not before this one. */
  #firstFrom(prefix: string): number {
    let [low, high] = [0, this.#sorted.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#sorted[middle] ?? '') < prefix) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
