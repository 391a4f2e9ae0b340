/** Ids that wait for a time, the earliest first. A binary heap: one timer is enough for ten thousand of them. Pure. */

interface Due<Id> {
  readonly id: Id;
  readonly at: number;
}

export class DueTimes<Id> {
  readonly #heap: Due<Id>[] = [];
  /** The valid time of each id. An entry of the heap with another time is out of date. */
  readonly #times = new Map<Id, number>();

  get size(): number {
    return this.#times.size;
  }

  /** The earliest time; undefined when no id waits. */
  get next(): number | undefined {
    for (;;) {
      const [first] = this.#heap;
      if (!first || this.#isValid(first)) return first?.at;
      this.#dropFirst();
    }
  }

  /** Sets or changes the time of an id. */
  set(id: Id, at: number): void {
    this.#times.set(id, at);
    this.#heap.push({ id, at });
    this.#rise(this.#heap.length - 1);
  }

  delete(id: Id): void {
    this.#times.delete(id);
  }

  /** Removes all ids that are due. @returns them, the earliest first */
  take(now: number): Id[] {
    const due: Id[] = [];
    for (let next = this.next; next !== undefined && next <= now; next = this.next) {
      const { id } = this.#dropFirst();
      this.#times.delete(id);
      due.push(id);
    }
    return due;
  }

  #isValid({ id, at }: Due<Id>): boolean {
    return this.#times.get(id) === at;
  }

  #dropFirst(): Due<Id> {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (!first || !last) throw new Error('nothing waits');
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink(0);
    }
    return first;
  }

  #rise(index: number): void {
    const parent = (index - 1) >> 1;
    if (index === 0 || this.#at(parent) <= this.#at(index)) return;
    this.#swap(index, parent);
    this.#rise(parent);
  }

  #sink(index: number): void {
    const left = 2 * index + 1;
    const smaller = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
    if (this.#at(index) <= this.#at(smaller)) return;
    this.#swap(index, smaller);
    this.#sink(smaller);
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Number.POSITIVE_INFINITY;
  }

  #swap(a: number, b: number): void {
    const [left, right] = [this.#heap[a], this.#heap[b]];
    if (!left || !right) return;
    this.#heap[a] = right;
    this.#heap[b] = left;
  }
}
