/** The estimate of a document job: what it would bill or wait for. Nothing is sent. */

import { JobFailure } from '../../failure.ts';
import { hashIfPresent } from '../../files/disk.ts';
import type { Hold, Job } from '../../job.ts';
import type { Estimate } from '../../lane.ts';
import type { JobRecord } from '../../ledger.ts';
import { type DocumentPurchase, isUnderWay } from '../../state/document-purchase.ts';
import { editedTarget } from '../edited-target.ts';
import { isReplaced } from './decisions/decide.ts';
import { isAskedAgain, isRefusedElsewhere } from './decisions/renewal.ts';
import { inDoubt } from './purchase-context.ts';
import { quoteDocument } from './quote.ts';
import { documentCaseOf, judgeDocument, otherSide, type Surroundings } from './situation.ts';

/**
 * @param counted keys of purchases that other jobs of the same plan have counted already: copies of a source share one
 * @throws JobFailure with which the run would end
 */
export async function appraise(
  surroundings: Surroundings,
  job: Job,
  counted: Set<string>,
): Promise<Estimate> {
  const { purchasing, ledger, inForce } = surroundings;
  if (!inForce.planner.wants(job)) return { job, characters: 0, atLeast: false };
  const doc = await documentCaseOf(surroundings, job);
  const known = { ...ledger.get('jobs', job.id), ...job };
  const found = await hashIfPresent(doc.targetFile);
  const verdict = await judgeDocument(surroundings, { job: known, doc, found });
  const free = { job, characters: 0, atLeast: false, notes: doc.notes };
  if (verdict.kind === 'leave') return { ...free, isUpToDate: true };
  const purchase = purchasing.purchases.get(doc.key);
  if (isReplaced(verdict) && (await otherSide(surroundings, { job: known, doc, found }))) {
    return free;
  }
  if (verdict.kind === 'obtain') {
    const hold = holdOf(known, purchase, purchasing.inForce.serviceDigest);
    if (hold !== undefined) return { ...free, hold };
    if (counted.has(doc.key) || isPaid(purchase)) return free;
    counted.add(doc.key);
  }
  const { characters, atLeast } = await quoteDocument(purchasing, doc);
  if (verdict.kind === 'obtain') return { ...free, characters, atLeast };
  const hold: Hold =
    verdict.why === 'state-lost'
      ? { kind: 'state-lost', characters }
      : editedTarget({ ...doc, lock: surroundings.lock }, { characters });
  return { ...free, hold };
}

/** Whether the purchase bills nothing more when it goes on. */
function isPaid(purchase: DocumentPurchase | undefined): boolean {
  if (purchase === undefined) return false;
  return purchase.stage.kind === 'downloaded' || isUnderWay(purchase);
}

/** The hold of an earlier purchase of the same content. @throws JobFailure for a refused one */
function holdOf(
  job: Job & Partial<JobRecord>,
  purchase: DocumentPurchase | undefined,
  serviceDigest: string,
): Hold | undefined {
  if (purchase === undefined || isAskedAgain(job, purchase)) return undefined;
  if (isRefusedElsewhere(purchase, serviceDigest)) return undefined;
  const { stage, estimate: characters } = purchase;
  if (stage.kind === 'in-doubt') return inDoubt(purchase);
  if (stage.kind === 'lost') return { kind: 'lost-result', characters, reason: stage.reason };
  if (stage.kind === 'refused') throw new JobFailure(stage.failure);
  return undefined;
}
