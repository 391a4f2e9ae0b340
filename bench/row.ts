/** A row of the table that `npm run bench` prints: a figure beside its goal and beside the bare limit of the same run. */
import { appendFileSync } from 'node:fs';

export interface Row {
  readonly what: string;
  readonly today: number;
  /** The figure of the smallest program that does this work, measured in turn with ours. */
  readonly bare: number;
  readonly unit: 's' | 'ms' | 'MB' | 'texts' | 'texts/s' | 'jobs/s' | 'characters';
  /** For the ratio of both, or for the figure itself on the two-core machine that the goals were set on. */
  readonly goal:
    | { readonly ratio: number }
    | { readonly most: number }
    | { readonly least: number };
}

/** Prints it, and hands it to the bench that runs all of them. */
export function report(row: Row): void {
  console.log(lineOf(row));
  const collector = process.env['BENCH_ROWS'];
  if (collector !== undefined) appendFileSync(collector, `${JSON.stringify(row)}\n`);
}

function lineOf(row: Row): string {
  const { what, today, bare, unit } = row;
  return `${what}: ${shown(today)} ${unit}, bare limit ${shown(bare)} ${unit}, ratio ${(today / bare).toFixed(2)}; goal ${goalOf(row)}`;
}

export function goalOf({ goal, unit }: Row): string {
  if ('ratio' in goal) return `ratio ≤ ${goal.ratio}`;
  return 'most' in goal ? `≤ ${goal.most} ${unit}` : `≥ ${goal.least} ${unit}`;
}

export function isMet({ goal, today, bare }: Row): boolean {
  if ('ratio' in goal) return today / bare <= goal.ratio;
  return 'most' in goal ? today <= goal.most : today >= goal.least;
}

function shown(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2);
}
