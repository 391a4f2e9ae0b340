/** Buys one document. It is sent at most once without a person's command, and its handle is durable before anything else happens. */
import { describeFailure, type Failure, failureOf, JobFailure } from '../../failure.ts';
import { bytesIn } from '../../files/disk.ts';
import { sourceHashOf, type UploadedDocument } from '../../job.ts';
import type { JobRecord } from '../../ledger.ts';
import { type DocumentPurchase, isUnderWay, pollDelay } from '../../state/document-purchase.ts';
import { isAboutRemoteId } from '../../translate/purchase.ts';
import { BUSY_MS, type Sent, sendPurchase } from '../remote-purchase.ts';
import { isAskedAgain, isRefusedElsewhere } from './decisions/renewal.ts';
import { type DocumentCase, uploadRequestFor } from './document-case.ts';
import { SPARE_BYTES } from './download.ts';
import { fetchDocument } from './fetch.ts';
import { removeMedia } from './media.ts';
import {
  inDoubt,
  leaveInDoubt,
  type PurchaseContext,
  type PurchaseProgress,
} from './purchase-context.ts';
import { quoteDocument } from './quote.ts';
import { documentInputs } from './translation-inputs.ts';

/** A job with the document that it needs. */
export interface DocumentOrder {
  readonly job: JobRecord;
  readonly doc: DocumentCase;
  readonly signal: AbortSignal;
}

/**
 * Goes on with a purchase from its present stage, until its result is in the spool or it must wait.
 * @throws JobFailure when it cannot be sent; then nothing is billed
 */
export async function buyDocument(
  purchasing: PurchaseContext,
  order: DocumentOrder,
): Promise<PurchaseProgress> {
  const { shared, purchases } = purchasing;
  if (shared === undefined)
    return await continuePurchase(purchasing, order, purchases.get(order.doc.key));
  const agreed = await shared.agree(purchases, order);
  switch (agreed.kind) {
    case 'hold':
      return agreed;
    case 'busy':
      return { kind: 'wait', at: purchasing.clock.now() + BUSY_MS };
    case 'go':
      return await releasingClaim(purchasing, order, () =>
        continuePurchase(purchasing, order, agreed.purchase),
      );
  }
}

/**
 * Releases the claim of the team when nothing was sent: also after a hold, and when an earlier purchase of the document had failed.
 * Else the other runners would wait as long as this one lives.
 */
async function releasingClaim(
  { shared, purchases }: PurchaseContext,
  order: DocumentOrder,
  work: () => Promise<PurchaseProgress>,
): Promise<PurchaseProgress> {
  const { key } = order.doc;
  try {
    return await work();
  } finally {
    const purchase = purchases.get(key);
    if (purchase === undefined || !isUnderWay(purchase)) await shared?.release(order);
  }
}

async function continuePurchase(
  purchasing: PurchaseContext,
  order: DocumentOrder,
  purchase: DocumentPurchase | undefined,
): Promise<PurchaseProgress> {
  switch (purchase?.stage.kind) {
    case undefined:
    // With only an intent, nothing was sent completely.
    case 'intent':
      return await beginPurchase(purchasing, order);
    // An earlier process ended before it got the answer.
    case 'closing':
    case 'in-doubt':
      return await doubt(purchasing, order, { purchase });
    case 'lost':
    case 'refused':
      if (
        isAskedAgain(order.job, purchase) ||
        isRefusedElsewhere(purchase, purchasing.inForce.serviceDigest)
      )
        return await beginPurchase(purchasing, order);
      return await fetchDocument(purchasing, purchase, order.signal);
    case 'uploaded':
    case 'finished':
    case 'downloading':
    case 'downloaded':
      return await fetchDocument(purchasing, purchase, order.signal);
  }
}

/** Buys the document again although there is a result: a person wants another one. */
export async function buyAgain(
  purchasing: PurchaseContext,
  order: DocumentOrder,
): Promise<PurchaseProgress> {
  if ((await purchasing.shared?.begin(order)) === 'busy') {
    return { kind: 'wait', at: purchasing.clock.now() + BUSY_MS };
  }
  return await releasingClaim(purchasing, order, () => beginPurchase(purchasing, order));
}

async function beginPurchase(
  purchasing: PurchaseContext,
  order: DocumentOrder,
): Promise<PurchaseProgress> {
  const { doc, job } = order;
  const { key } = doc;
  const before = purchasing.purchases.get(key);
  const estimate = await quoteDocument(purchasing, doc);
  if (estimate.kind === 'copied') return await copySource(purchasing, doc);
  const hold = await purchasing.reservations.reserve(key, job, estimate.characters);
  if (hold !== undefined) return { kind: 'hold', hold };
  try {
    if (!(await fillSpool(purchasing, doc))) return { kind: 'stale' };
    const intended: DocumentPurchase = {
      ...(await purchaseOf(purchasing, order, estimate.characters)),
      lostAnswers: before?.lostAnswers ?? 0,
    };
    return await upload(purchasing, order, await purchasing.purchases.put(intended, before));
  } finally {
    if (purchasing.purchases.get(key)?.stage.kind !== 'uploaded')
      purchasing.reservations.release(key);
  }
}

/** A purchase that was not sent. */
export async function purchaseOf(
  { sourceTerms, inForce }: PurchaseContext,
  { doc, job }: Pick<DocumentOrder, 'doc' | 'job'>,
  estimate: number,
): Promise<DocumentPurchase> {
  const { key, extension, output, sourcePath } = doc;
  return {
    key,
    job: job.id,
    project: job.project,
    source: job.source,
    language: job.language,
    sourceHash: sourceHashOf(job.fingerprint),
    extension,
    output,
    bytes: await bytesIn(sourcePath),
    minified: doc.minify,
    estimate,
    made: await documentInputs(sourceTerms, doc),
    lostAnswers: 0,
    service: inForce.serviceDigest,
    stage: { kind: 'intent' },
  };
}

/** For a document without text: it is copied as it is, and costs nothing. */
async function copySource({ spool }: PurchaseContext, { key, sourcePath, source }: DocumentCase) {
  const kept = await spool.copySource(key, sourcePath, source.hash);
  return kept === undefined ? ({ kind: 'stale' } as const) : ({ kind: 'kept', kept } as const);
}

async function fillSpool({ spool }: PurchaseContext, doc: DocumentCase): Promise<boolean> {
  const { key, sourcePath, job } = doc;
  // Space for four files: the copy, the copy without media, and the result twice (the download, and a target on the same disk).
  await spool.requireSpace(4 * (await bytesIn(sourcePath)) + SPARE_BYTES);
  // An earlier purchase of the same content may have left files.
  await spool.drop(key);
  if (!(await spool.takeSource(key, sourcePath, sourceHashOf(job.fingerprint)))) return false;
  if (doc.minify) {
    await spool.putMinified(key, await removeMedia(spool.sourceOf(key), sourcePath));
  }
  return true;
}

async function upload(
  purchasing: PurchaseContext,
  order: DocumentOrder,
  purchase: DocumentPurchase,
): Promise<PurchaseProgress> {
  const { purchases, spool, polls, clock } = purchasing;
  const { key, minified } = purchase;
  const { sent, last } = await sendUntilIdsExist(purchasing, order, purchase);
  if (sent.kind === 'failed') {
    return await judgeFailedUpload(purchasing, order, { purchase: last, sent });
  }
  await purchases.put({ ...last, stage: { kind: 'uploaded', document: sent.answer } }, last);
  if (!minified) await spool.dropSource(key);
  const next = clock.now() + pollDelay(0);
  polls.set(key, { count: 1, next });
  return { kind: 'wait', at: next };
}

interface SentPurchase {
  readonly sent: Sent<UploadedDocument>;
  /** The purchase as it was written last. */
  readonly last: DocumentPurchase;
}

async function sendUntilIdsExist(
  purchasing: PurchaseContext,
  order: DocumentOrder,
  purchase: DocumentPurchase,
): Promise<SentPurchase> {
  const once = await sendOnce(purchasing, order, purchase);
  const { sent, last } = once;
  if (sent.kind === 'accepted' || !isAboutRemoteId(sent.error, order.doc)) return once;
  // A refusal bills nothing. Somebody deleted the glossary or style list: it is created again, and the document is sent again.
  purchasing.doubt(order.doc.recipe);
  const again = await purchasing.purchases.put(unsent(last), last);
  return await sendOnce(purchasing, order, again);
}

async function sendOnce(
  { documents, purchases, spool, abilities, remoteIds }: PurchaseContext,
  { job, doc, signal }: DocumentOrder,
  purchase: DocumentPurchase,
): Promise<SentPurchase> {
  const { key, minified } = purchase;
  const released = job.release === undefined ? {} : { released: job.release.at };
  let last = purchase;
  const file = minified ? spool.minifiedOf(key) : spool.sourceOf(key);
  const request = {
    file,
    ...uploadRequestFor(doc, await remoteIds(doc.recipe), abilities.styles),
  };
  const sent = await sendPurchase(
    (onClosing) => documents.upload(request, { signal, onClosing }),
    async () => {
      last = await purchases.put({ ...last, ...released, stage: { kind: 'closing' } }, last);
    },
  );
  return { sent, last };
}

/** Nothing of it was billed: the release of a person still counts for the next try. */
function unsent({ released: _, ...purchase }: DocumentPurchase): DocumentPurchase {
  return { ...purchase, stage: { kind: 'intent' } };
}

async function judgeFailedUpload(
  purchasing: PurchaseContext,
  order: DocumentOrder,
  {
    purchase,
    sent,
  }: { purchase: DocumentPurchase; sent: Extract<Sent<never>, { kind: 'failed' }> },
): Promise<PurchaseProgress> {
  const { error, mayHaveArrived } = sent;
  if (!mayHaveArrived) throw error;
  const failure = failureOf(error);
  switch (mayHaveBilled(failure)) {
    case 'maybe':
      return await doubt(purchasing, order, { purchase, failure });
    case 'unknown':
      throw error;
    case 'no':
      await purchasing.purchases.put(unsent(purchase), purchase);
      throw error;
  }
}

/** It may have been billed, and the handle of the document is lost. */
async function doubt(
  purchasing: PurchaseContext,
  order: DocumentOrder,
  { purchase, failure }: { purchase: DocumentPurchase; failure?: Failure },
): Promise<PurchaseProgress> {
  const reason = failure?.kind === 'bad-answer' ? describeFailure(failure) : undefined;
  const doubted = await leaveInDoubt(purchasing, purchase, reason);
  // A person must always decide, also when the price is small.
  if (!isAskedAgain(order.job, purchase)) return { kind: 'hold', hold: inDoubt(doubted) };
  return await beginPurchase(purchasing, order);
}

/** @throws JobFailure for a purchase that the service refused */
export function keptOrThrow(
  progress: PurchaseProgress,
): Exclude<PurchaseProgress, { kind: 'refused' }> {
  if (progress.kind === 'refused') throw new JobFailure(progress.failure);
  return progress;
}

/**
 * Whether a failed upload whose last bytes were being sent may be billed. `no`: the service refused it, or did not get all of it.
 * `maybe`: it may have been accepted. `unknown`: the process stopped waiting.
 */
function mayHaveBilled(failure: Failure): 'no' | 'maybe' | 'unknown' {
  switch (failure.kind) {
    case 'stopped':
      return 'unknown';
    case 'unanswered':
    case 'bad-answer':
    case 'internal':
      return 'maybe';
    case 'key-refused':
    case 'forbidden':
    case 'quota-exceeded':
    case 'throttled':
    case 'server-error':
    case 'rejected':
    case 'too-large':
    case 'not-found':
    case 'unreachable':
    case 'key-missing':
    case 'invalid-request':
    case 'unsupported':
    case 'malformed':
    case 'unreadable':
    case 'unwritable':
    case 'disk-full':
    case 'changed-meanwhile':
    case 'program-silent':
    case 'damaged-state':
    case 'state-unwritable':
    case 'team-state':
      return 'no';
  }
}
