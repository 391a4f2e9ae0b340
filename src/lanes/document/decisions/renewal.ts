/** The decision of a person about a purchase that failed, or whose result is doubtful. Pure. */
import type { JobRecord } from '../../../ledger.ts';
import { hasOtherSettings } from '../../../plan/service-digest.ts';
import type { DocumentPurchase } from '../../../state/document-purchase.ts';

/**
 * Whether a person wants to buy it again. A release counts for one purchase: after another failure, the job waits for another
 * release.
 */
export function isAskedAgain(
  { release, fingerprint }: Pick<Partial<JobRecord>, 'release' | 'fingerprint'>,
  purchase: Pick<DocumentPurchase, 'released'>,
): boolean {
  if (release === undefined || release.fingerprint !== fingerprint) return false;
  const asks = release.kind === 'retry' || release.kind === 'machine';
  return asks && purchase.released !== release.at;
}

/** Whether the service refused it (which bills nothing) with other settings than the present ones. */
export function isRefusedElsewhere(
  { stage, service }: Pick<DocumentPurchase, 'stage' | 'service'>,
  now: string,
): boolean {
  return stage.kind === 'refused' && hasOtherSettings(service, now);
}

/** Whether a person wants the result in spite of the doubt. An earlier approval of the price does not count. */
export function isTakenAsItIs(
  { release, fingerprint }: Pick<Partial<JobRecord>, 'release' | 'fingerprint'>,
  purchase: Pick<DocumentPurchase, 'released'>,
): boolean {
  if (release === undefined || release.fingerprint !== fingerprint) return false;
  return release.kind === 'approve' && purchase.released !== release.at;
}
