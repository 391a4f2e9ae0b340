/** What a person said about a purchase that went wrong, or whose result is in doubt. Pure. */
import type { JobRecord } from '../../../ledger.ts';
import { hasOtherSettings } from '../../../plan/service-mark.ts';
import type { DocumentPurchase } from '../../../state/document-purchase.ts';

/** Whether it is to be made again. A person's word counts for one purchase: what goes wrong again waits for another word. */
export function isAskedAgain(
  { release, fingerprint }: Pick<Partial<JobRecord>, 'release' | 'fingerprint'>,
  purchase: Pick<DocumentPurchase, 'released'>,
): boolean {
  if (release === undefined || release.fingerprint !== fingerprint) return false;
  const asks = release.kind === 'retry' || release.kind === 'machine';
  return asks && purchase.released !== release.at;
}

/** Whether the service refused it, which bills nothing, with other settings than those of now. */
export function isRefusedElsewhere(
  { stage, service }: Pick<DocumentPurchase, 'stage' | 'service'>,
  now: string,
): boolean {
  return stage.kind === 'refused' && hasOtherSettings(service, now);
}

/** Whether a result is to be delivered whatever speaks against it; a yes to its price was none to its content. */
export function isTakenAsItIs(
  { release, fingerprint }: Pick<Partial<JobRecord>, 'release' | 'fingerprint'>,
  purchase: Pick<DocumentPurchase, 'released'>,
): boolean {
  if (release === undefined || release.fingerprint !== fingerprint) return false;
  return release.kind === 'approve' && purchase.released !== release.at;
}
