/** What documents put on the books. Pure. */
import type { Charge } from '../../ledger.ts';
import type { DocumentPurchase } from '../../state/document-purchase.ts';

/**
 * The bill of a finished document.
 * @param billed code points by the service's word; null when it said none
 */
export function documentCharge(
  purchase: DocumentPurchase,
  { id, billed, at }: { id: string; billed: number | null; at: string },
): Charge {
  return {
    ...ownerOf(purchase),
    id: `document ${id}`,
    at,
    kind: billed === null ? 'counted' : 'billed',
    characters: billed ?? purchase.estimate,
    estimated: purchase.estimate,
  };
}

/** A document that is sent again although an upload before may have been billed. */
export function doubtfulCharge(purchase: DocumentPurchase, at: string): Charge {
  return {
    ...ownerOf(purchase),
    id: `document ${purchase.key} in doubt ${purchase.lostAnswers}`,
    at,
    kind: 'possibly-twice',
    characters: purchase.estimate,
    estimated: 0,
  };
}

function ownerOf({ job, project, language }: DocumentPurchase) {
  return { job, project, language, lane: 'document' } as const;
}
