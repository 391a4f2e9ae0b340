/** The bulk-change guard: a change larger than config allows at once (a branch switch, a restored backup) waits for a yes, as one item. Pure. */
import type { Config } from '../config.ts';
import type { Hold } from '../job.ts';
import type { PlannedJob } from './plan.ts';

/** @returns those whose content came with this change; a person's word, a retry or a budget that frees itself is no bulk change */
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
 * @returns the hold when it is more than the guard lets through
 */
export function guardHold(
  guard: NonNullable<Config['guard']>,
  { files, characters }: { readonly files: number; readonly characters: number },
): Hold | undefined {
  if (characters === 0) return undefined;
  const isBurst = files > guard.files || characters > guard.characters;
  return isBurst ? { kind: 'guard', files, characters } : undefined;
}
