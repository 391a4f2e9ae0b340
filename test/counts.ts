/** The requests of a rig that the service saw. */
import type { Rig } from './rig.ts';

/** Unicode code points billed so far, all operations. */
export function billed(rig: Rig): number {
  return rig.sandbox.counters().billed_characters;
}

/** Calls of one operation, or of all. */
export function requests(rig: Rig, operation?: string): number {
  const operations = rig.sandbox.counters().operations;
  const counted = operation === undefined ? Object.values(operations) : [operations[operation]];
  return counted.reduce((sum, counts) => sum + (counts?.calls ?? 0), 0);
}

/**
 * Whether the bill is between two sums of the books: without and with characters that were possibly billed twice. Returns the fault.
 */
export async function wrongBooks(rig: Rig): Promise<string | undefined> {
  const { billed_characters: books, possibly_billed_twice: twice } = JSON.parse(
    (await rig.run('usage', '--json')).stdout,
  ) as { billed_characters: number; possibly_billed_twice: number };
  const bill = billed(rig);
  if (bill >= books && bill <= books + twice) return undefined;
  return `the service billed ${bill}, the books say ${books} and ${twice} possibly twice`;
}
