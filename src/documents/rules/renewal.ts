/** Whether a person asked for a purchase that went wrong to be made again. Pure. */
import type { JobRecord } from '../../ledger.ts';
import type { Purchase } from './purchase.ts';

/** A person's word counts for one purchase: what goes wrong again waits for another word. */
export function isAskedAgain(
  { release, fingerprint }: Pick<Partial<JobRecord>, 'release' | 'fingerprint'>,
  purchase: Pick<Purchase, 'released'>,
): boolean {
  if (release === undefined || release.fingerprint !== fingerprint) return false;
  const asks = release.kind === 'retry' || release.kind === 'machine';
  return asks && purchase.released !== release.at;
}
