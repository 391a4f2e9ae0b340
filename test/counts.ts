/** What the service saw of a rig. */
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
