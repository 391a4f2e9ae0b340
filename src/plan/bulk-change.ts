/**
 * The bulk-change guard. When a change is larger than the config allows (a switch of the branch, a restored backup), all of it waits for
 * one approval. Pure.
 */
import type { Config } from '../config.ts';
import type { Hold } from '../job.ts';
import type { PlannedJob } from './plan.ts';

/** @returns the jobs that a change of content or config caused; a person's command, a retry or a hold that passed is not a bulk change */
export function bulkChangeOf(work: readonly PlannedJob[]): readonly PlannedJob[] {
  return work.filter(({ reason }) => BULK_CHANGES.has(reason));
}

const BULK_CHANGES: ReadonlySet<PlannedJob['reason']> = new Set([
  'new',
  'source changed',
  'recipe changed',
]);

/**
 * @param files distinct sources of the change
 * @param characters Unicode code points that they would bill
 * @returns the hold when it is more than the guard allows
 */
export function guardHold(
  guard: NonNullable<Config['guard']>,
  { files, characters }: { readonly files: number; readonly characters: number },
): Hold | undefined {
  if (characters === 0) return undefined;
  const isTooMuch = files > guard.files || characters > guard.characters;
  return isTooMuch ? { kind: 'guard', files, characters } : undefined;
}
