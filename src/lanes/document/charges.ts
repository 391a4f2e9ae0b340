/** The charges of documents. Pure. */
import type { Charge } from '../../ledger.ts';
import type { DocumentPurchase } from '../../state/document-purchase.ts';

/**
 * The charge of a finished document.
 * @param billed code points that the service reported; null: it reported none
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

/** The charge of a document whose answer was lost: it may have been billed. */
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
