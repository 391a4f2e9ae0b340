/** Downloads a result, which the service returns only once: to a file in the spool, flushed and checked before it counts. */
import { describeFailure, failureOf, JobFailure } from '../../failure.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import type { UploadedDocument } from '../../job.ts';
import { MAX_RETRY_AFTER_MS } from '../../service/retry.ts';
import { type DocumentPurchase, pollDelay, type StageOf } from '../../state/document-purchase.ts';
import type { Purchases } from '../../state/document-purchases.ts';
import { leftWhole, receive } from '../remote-purchase.ts';
import { wrongResult } from './check-result.ts';
import { findMissingMedia, restoreMedia } from './media.ts';
import { isLookDue, lose, type PurchaseContext } from './purchase-context.ts';

export interface Fetching {
  readonly purchasing: PurchaseContext;
  readonly purchase: DocumentPurchase;
  readonly signal: AbortSignal;
}

type Fetchable = StageOf<'finished'> | StageOf<'downloading'>;

/** The document is done, but the service does not return its result yet. `at`: the next request, in milliseconds since the epoch. */
interface NotReady {
  readonly at: number;
}

/** Interrupted downloads of one result, while the service still has it; after that a person must ask again. */
const MOST_TRIES = 5;
/** Answers that the result is not ready; with the pauses between them, this takes about ten minutes. */
const MOST_NOT_READY = 45;
/** Bytes that must be free beside twice the size of the source: a translation is seldom longer than that. */
export const SPARE_BYTES = 16 * 1024 * 1024;
/** How many times as long as its source a result may be, beside the spare bytes: another format may be much longer. */
const MOST_TIMES = 20;
const MOST_SPARE_BYTES = 64 * 1024 * 1024;
const OPERATION = 'POST /v2/document/{document_id}/result';

/**
 * Goes on with a download from its present stage.
 * @returns the purchase as `downloaded` or `lost`, or at the stage where the next try begins
 * @throws JobFailure for a failure that may pass: the service still has the result; `unanswered` after too many interrupted downloads
 */
export async function download(
  fetching: Fetching,
  stage: Fetchable,
): Promise<DocumentPurchase | NotReady> {
  const { purchasing, purchase } = fetching;
  const { spool } = purchasing;
  const { next: at = 0 } = purchasing.polls.get(purchase.key) ?? {};
  if (!isLookDue(purchasing, at)) return { at };
  const files = spool.resultFiles(purchase.key);
  const left = await leftWhole(files, stage.kind === 'downloading' ? stage.length : undefined);
  if (left === 'part') return await accept(purchasing, purchase);
  if (left !== undefined) return await keep(purchasing, purchase, left);
  if (stage.kind === 'downloading') {
    if (!(await isStillThere(fetching, stage.document))) {
      const arrived = (await files.arrived()) ?? 0;
      return await lose(purchasing, purchase, `it broke off after ${arrived} bytes`);
    }
    if (stage.tries >= MOST_TRIES) return await giveUp(purchasing, purchase, stage);
  }
  await spool.requireSpace(2 * purchase.bytes + SPARE_BYTES);
  const tries = stage.kind === 'downloading' ? stage.tries + 1 : 1;
  const next = { kind: 'downloading', document: stage.document, tries } as const;
  using _ = await purchasing.downloads.enter();
  return await fetchOnce(fetching, next);
}

/** Whether the service still has the result after an interrupted download. The API does not say; the question bills nothing. */
async function isStillThere(
  { purchasing, signal }: Fetching,
  document: UploadedDocument,
): Promise<boolean> {
  try {
    return (await purchasing.documents.status(document, { signal })).status !== 'error';
  } catch (error) {
    if (failureOf(error).kind !== 'not-found') throw error;
    return false;
  }
}

async function giveUp(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  { document }: StageOf<'downloading'>,
): Promise<never> {
  await purchasing.purchases.put({ ...purchase, stage: { kind: 'finished', document } }, purchase);
  const message = `the result broke off ${MOST_TRIES} times; the service still has it`;
  throw new JobFailure({ kind: 'unanswered', operation: OPERATION, message });
}

async function fetchOnce(
  { purchasing, purchase, signal }: Fetching,
  stage: StageOf<'downloading'>,
): Promise<DocumentPurchase | NotReady> {
  const { purchases, spool, documents } = purchasing;
  // Only now: while the job waited for its turn, a kill could lose nothing.
  let trying = await purchases.put({ ...purchase, stage }, purchase);
  const received = await receive(spool.resultFiles(purchase.key), {
    operation: OPERATION,
    mostBytes: MOST_TIMES * purchase.bytes + MOST_SPARE_BYTES,
    download: (sink) => documents.result(stage.document, sink, { signal }),
    recordLength: async (length) => {
      trying = await purchases.put({ ...purchase, stage: { ...stage, length } }, trying);
    },
  });
  switch (received.kind) {
    case 'whole':
      return await accept(purchasing, trying);
    case 'failed':
      return await judgeBrokenDownload(purchasing, trying, { ...received, stage });
    case 'not-ready':
      // The bill is booked: another look at the status would book it again.
      await putBack(purchases, trying, stage);
      return askLater(purchasing, purchase, received.retryAfterMs);
  }
}

/** @throws JobFailure `server-error` when the service never returns the result: the purchase stays, and the next run asks again */
function askLater(
  { polls, clock }: PurchaseContext,
  { key }: DocumentPurchase,
  retryAfterMs: number | undefined,
): NotReady {
  const { count } = polls.get(key) ?? { count: 0 };
  const delay = notReadyDelay(count, retryAfterMs);
  if (delay === undefined) {
    polls.delete(key);
    const message = 'the document is done, but the service does not return its result';
    throw new JobFailure({ kind: 'server-error', status: 503, operation: OPERATION, message });
  }
  const at = clock.now() + delay;
  polls.set(key, { count: count + 1, next: at });
  return { at };
}

/** Milliseconds until the next request for a result; undefined: there were enough. @param count earlier answers */
export function notReadyDelay(count: number, retryAfterMs = 0): number | undefined {
  if (count >= MOST_NOT_READY) return undefined;
  return Math.max(pollDelay(count), Math.min(retryAfterMs, MAX_RETRY_AFTER_MS));
}

interface Break {
  readonly error: unknown;
  readonly bytes: number;
  readonly stage: StageOf<'downloading'>;
}

async function judgeBrokenDownload(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  { error, bytes, stage }: Break,
): Promise<DocumentPurchase> {
  const failure = failureOf(error);
  if (failure.kind === 'stopped') throw error;
  if (failure.kind === 'not-found')
    return await lose(purchasing, purchase, describeFailure(failure));
  if (failure.kind === 'unanswered') return purchase;
  // The disk is full: the next try comes when it has space.
  if (bytes > 0) throw error;
  // The service refused before it sent anything: the try does not count.
  await putBack(purchasing.purchases, purchase, stage);
  throw error;
}

/** The service has sent nothing: the purchase is as before the try. */
async function putBack(
  purchases: Purchases,
  purchase: DocumentPurchase,
  { document }: StageOf<'downloading'>,
): Promise<void> {
  await purchases.put({ ...purchase, stage: { kind: 'finished', document } }, purchase);
}

/** Makes a complete, flushed download the result. */
async function accept(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
): Promise<DocumentPurchase> {
  const { spool } = purchasing;
  const { key, output, minified } = purchase;
  const files = spool.resultFiles(key);
  if ((await files.arrived()) === 0) return await lose(purchasing, purchase, 'the result is empty');
  const isSound = (await wrongResult(files.part, output)) === undefined;
  if (!minified || !isSound) return await keep(purchasing, purchase, await files.accept());
  const translated = { path: files.part, source: spool.sourceOf(key) };
  const content = await restoreMedia({ ...translated, name: purchase.source });
  return await keep(purchasing, purchase, await spool.acceptResult(key, content));
}

async function keep(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  { hash, size }: SpooledFile,
): Promise<DocumentPurchase> {
  const flaw = await flawOf(purchasing, purchase);
  purchasing.polls.delete(purchase.key);
  await purchasing.spool.dropSource(purchase.key);
  const stage = {
    kind: 'downloaded',
    hash,
    size,
    ...(flaw === undefined ? {} : { flaw }),
  } as const;
  return await purchasing.purchases.put({ ...purchase, stage }, purchase);
}

async function flawOf(
  { spool }: PurchaseContext,
  { key, output, minified, source }: DocumentPurchase,
): Promise<string | undefined> {
  const { result: path } = spool.resultFiles(key);
  const wrong = await wrongResult(path, output);
  if (wrong !== undefined || !minified || (await spool.sourceSize(key)) === undefined) return wrong;
  const translated = { path, source: spool.sourceOf(key) };
  return await findMissingMedia({ ...translated, name: source });
}
