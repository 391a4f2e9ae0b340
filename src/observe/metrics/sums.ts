/** What adds up while the process lives: counters and histograms, one sum for each set of label values. */
import type { Labels, Sample } from './exposition.ts';

export class Counter {
  readonly #sums = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, amount = 1): void {
    const key = JSON.stringify(labels);
    const known = this.#sums.get(key);
    if (known === undefined) this.#sums.set(key, { labels, value: amount });
    else known.value += amount;
  }

  samples(): Sample[] {
    return [...this.#sums.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

interface Observed {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

export class Histogram {
  readonly #bounds: readonly number[];
  readonly #observed = new Map<string, Observed>();

  /** @param bounds upper bounds of the buckets, rising; one without a bound is added */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = JSON.stringify(labels);
    const fresh = { labels, counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    const observed = this.#observed.get(key) ?? fresh;
    this.#observed.set(key, observed);
    observed.sum += value;
    observed.count += 1;
    this.#bounds.forEach((bound, nth) => {
      if (value <= bound) observed.counts[nth] = (observed.counts[nth] ?? 0) + 1;
    });
  }

  samples(): Sample[] {
    return [...this.#observed.values()].flatMap(({ labels, counts, sum, count }) => [
      ...this.#bounds.map((bound, nth) => ({
        suffix: '_bucket',
        labels: { ...labels, le: String(bound) },
        value: counts[nth] ?? 0,
      })),
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: count },
    ]);
  }
}
