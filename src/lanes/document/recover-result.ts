/** Finds the paid result of a document whose purchase is not on record, because the state was restored from a backup. */
import type { JobRecord } from '../../ledger.ts';
import { purchaseOf } from './buy.ts';
import { wrongResult } from './check-result.ts';
import type { DocumentCase } from './document-case.ts';
import type { PurchaseContext } from './purchase-context.ts';
import { quoteDocument } from './quote.ts';

/** Puts the purchase on record. The name of the result in the spool is the key of the purchase: only a result of this content has it. */
export async function recoverResult(
  purchasing: PurchaseContext,
  job: JobRecord,
  doc: DocumentCase,
): Promise<void> {
  const { purchases, spool } = purchasing;
  if (purchases.get(doc.key) !== undefined) return;
  const kept = await spool.resultFiles(doc.key).find();
  if (kept === undefined) return;
  const estimate = await quoteDocument(purchasing, doc);
  // Nothing was bought: it is the copy of a document without text.
  if (estimate.kind === 'copied') return;
  const { file, hash, size } = kept;
  const flaw = await wrongResult(file, doc.output);
  const stage = {
    kind: 'downloaded',
    hash,
    size,
    ...(flaw === undefined ? {} : { flaw }),
  } as const;
  const { characters } = estimate;
  await purchases.put(
    { ...(await purchaseOf(purchasing, { job, doc }, characters)), stage },
    undefined,
  );
}
