/** The steps of an alignment of least cost, from the first paragraph of both sides to the last. Pure. */
import { type Costs, SKIP } from './likeness.ts';
import type { IndexPair } from './subsequence.ts';

/** Comparing more pairs than this takes too long for what it finds. */
const MAX_CELLS = 2_000_000;
/** The most paragraphs that one side may be ahead of the other, beside the difference of their numbers. */
const BAND = 40;

/** A pair, a paragraph without partner, one paragraph for two, or two for one. */
export type BeadKind = 'pair' | 'source' | 'target' | 'split' | 'join';

/** One step of the alignment: a pair, a paragraph without partner, one paragraph for two, or two paragraphs for one. */
export interface Bead extends IndexPair {
  readonly kind: BeadKind;
  readonly cost: number;
}

/** How many paragraphs of each side a step takes. */
export const STEPS: Readonly<Record<BeadKind, readonly [number, number]>> = {
  pair: [1, 1],
  source: [1, 0],
  target: [0, 1],
  split: [1, 2],
  join: [2, 1],
};

/** @returns undefined when the pages are too long to be compared */
export function cheapestBeads(costs: Costs): Bead[] | undefined {
  const { source, target } = costs.lengths;
  const [rows, columns] = [source.length, target.length];
  const reach = BAND + Math.abs(rows - columns);
  const width = Math.min(columns, 2 * reach) + 1;
  if ((rows + 1) * width > MAX_CELLS) return undefined;
  const from = (row: number) =>
    Math.max(
      0,
      Math.min(columns + 1 - width, Math.round((row * columns) / Math.max(1, rows)) - reach),
    );
  const totals = new Float64Array((rows + 1) * width).fill(Number.POSITIVE_INFINITY);
  const steps: (BeadKind | undefined)[] = new Array((rows + 1) * width);
  const at = (row: number, column: number) =>
    column < from(row) || column >= from(row) + width ? -1 : row * width + column - from(row);
  totals[at(0, 0)] = 0;
  const relax = (kind: BeadKind, row: number, column: number, cost: number) => {
    const [down, right] = STEPS[kind];
    const before = row < down || column < right ? -1 : at(row - down, column - right);
    const here = at(row, column);
    if (before < 0 || here < 0) return;
    const total = (totals[before] ?? 0) + cost;
    if (total < (totals[here] ?? 0)) {
      totals[here] = total;
      steps[here] = kind;
    }
  };
  for (let row = 0; row <= rows; row++) {
    for (let column = from(row); column < from(row) + width && column <= columns; column++) {
      if (row > 0 && column > 0) relax('pair', row, column, costs.pair(row - 1, column - 1));
      relax('source', row, column, SKIP);
      relax('target', row, column, SKIP);
      if (row > 0 && column > 1) relax('split', row, column, costs.split(row - 1, column - 2));
      if (row > 1 && column > 0) relax('join', row, column, costs.join(row - 2, column - 1));
    }
  }
  return walkBack(costs, (row, column) => steps[at(row, column)]);
}

function walkBack(
  costs: Costs,
  stepAt: (row: number, column: number) => BeadKind | undefined,
): Bead[] | undefined {
  const beads: Bead[] = [];
  let [row, column] = [costs.lengths.source.length, costs.lengths.target.length];
  while (row > 0 || column > 0) {
    const kind = stepAt(row, column);
    if (kind === undefined) return undefined;
    const [down, right] = STEPS[kind];
    row -= down;
    column -= right;
    const cost = costOfBead(kind, { a: row, b: column }, costs);
    beads.push({ kind, a: row, b: column, cost });
  }
  return beads.reverse();
}

function costOfBead(kind: BeadKind, { a, b }: IndexPair, costs: Costs): number {
  return kind === 'source' || kind === 'target' ? SKIP : costs[kind](a, b);
}

/** Beads that are decided together. */
export interface BeadRun {
  readonly is: 'sure' | 'open' | 'contradicted';
  readonly beads: readonly Bead[];
}

/** So many indices in a row. */
export function from(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, nth) => first + nth);
}
