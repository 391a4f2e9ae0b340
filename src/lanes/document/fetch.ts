/**
 * From an uploaded document to a result in the spool. Polls until it is done, books the bill, and downloads the result, which is possible
 * only once.
 */
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isoTime } from '../../clock.ts';
import { failureOf, JobFailure } from '../../failure.ts';
import { hashIfPresent } from '../../files/disk.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import type { Hash, UploadedDocument } from '../../job.ts';
import {
  type DocumentPurchase,
  type PurchaseKey,
  pollDelay,
} from '../../state/document-purchase.ts';
import { TakenOver } from '../../state/shared-purchases.ts';
import { BUSY_MS } from '../remote-purchase.ts';
import { documentCharge } from './charges.ts';
import { download, type Fetching } from './download.ts';
import {
  bookInDoubt,
  isLookDue,
  type PurchaseContext,
  type PurchaseProgress,
  releaseMoney,
} from './purchase-context.ts';

/** Polls of a document that is not done; with the pauses between them, this takes a little more than an hour. */
const MOST_LOOKS = 250;
const OPERATION = 'POST /v2/document/{document_id}';

/** @throws JobFailure for a failure that may pass: the purchase keeps its stage */
export async function fetchDocument(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  signal: AbortSignal,
): Promise<PurchaseProgress> {
  try {
    return await advance(purchasing, purchase, signal);
  } catch (error) {
    if (!(error instanceof TakenOver)) throw error;
    purchasing.reservations.release(purchase.key);
    purchasing.polls.delete(purchase.key);
    await purchasing.shared?.yield(purchasing.purchases, purchase);
    return { kind: 'wait', at: purchasing.clock.now() + BUSY_MS };
  }
}

async function advance(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  signal: AbortSignal,
): Promise<PurchaseProgress> {
  let current = purchase;
  for (;;) {
    const { stage } = current;
    const fetching = { purchasing, purchase: current, signal };
    switch (stage.kind) {
      case 'uploaded': {
        const looked = await askStatus(fetching, stage.document);
        if ('at' in looked) return { kind: 'wait', at: looked.at };
        current = looked;
        break;
      }
      case 'finished':
      case 'downloading': {
        const fetched = await download(fetching, stage);
        if ('at' in fetched) return { kind: 'wait', at: fetched.at };
        current = fetched;
        break;
      }
      case 'downloaded': {
        const kept = await keptAs(purchasing, current.key, stage.hash);
        if (kept !== undefined) return { kind: 'kept', kept };
        return lostHold(current, 'its copy is not in the spool any more');
      }
      case 'lost':
        return lostHold(current, stage.reason);
      case 'refused':
        return { kind: 'refused', failure: stage.failure };
      case 'intent':
      case 'closing':
      case 'in-doubt':
        throw new RangeError(`nothing to fetch: the purchase is ${stage.kind}`);
    }
  }
}

/** The result in the spool, or a target that still has exactly these bytes. */
async function keptAs(
  purchasing: PurchaseContext,
  key: PurchaseKey,
  hash: Hash,
): Promise<SpooledFile | undefined> {
  const kept = await purchasing.spool.resultFiles(key).find();
  if (kept?.hash === hash) return kept;
  for (const { project, path } of purchasing.purchases.written(hash)) {
    const file = join(purchasing.rootOf(project) ?? '', path);
    if ((await hashIfPresent(file)) === hash) return { file, hash, size: (await stat(file)).size };
  }
  return undefined;
}

function lostHold({ estimate }: DocumentPurchase, reason: string): PurchaseProgress {
  return { kind: 'hold', hold: { kind: 'lost-result', characters: estimate, reason } };
}

/** Asks for the status. @returns the purchase as `finished`, `refused` or `lost`, or when to look again */
async function askStatus(
  { purchasing, purchase, signal }: Fetching,
  document: UploadedDocument,
): Promise<DocumentPurchase | { readonly at: number }> {
  const { key } = purchase;
  const { count, next } = purchasing.polls.get(key) ?? { count: 0, next: 0 };
  purchasing.reservations.keepReserved(purchase);
  if (!isLookDue(purchasing, next)) return { at: next };
  try {
    const { status, billed_characters, message } = await purchasing.documents.status(document, {
      signal,
    });
    switch (status) {
      case 'done':
        return await finish({ purchasing, purchase, signal }, document, billed_characters ?? null);
      case 'error':
        return await refuse(purchasing, purchase, message ?? 'it gave no reason');
      default:
        return lookLater(purchasing, key, count);
    }
  } catch (error) {
    if (failureOf(error).kind !== 'not-found') throw error;
    // The service accepted it, and its bill is unknown.
    const reason = 'the service does not know the document any more';
    return await bookInDoubt(purchasing, purchase, { kind: 'lost', reason });
  }
}

/** @throws JobFailure `unanswered` when the document is never done: the purchase stays, and the next run polls again */
function lookLater({ polls, clock }: PurchaseContext, key: PurchaseKey, count: number) {
  if (count >= MOST_LOOKS) {
    polls.delete(key);
    const message =
      'the service has worked on the document for more than an hour; asking again costs nothing';
    throw new JobFailure({ kind: 'unanswered', operation: OPERATION, message });
  }
  const at = clock.now() + pollDelay(count);
  polls.set(key, { count: count + 1, next: at });
  return { at };
}

/** Books the bill before the download: after that the service no longer has the document or the bill. */
async function finish(
  { purchasing, purchase }: Fetching,
  document: UploadedDocument,
  billed: number | null,
): Promise<DocumentPurchase> {
  const at = isoTime(purchasing.clock);
  const charge = documentCharge(purchase, { id: document.document_id, billed, at });
  const finished = await purchasing.purchases.put(
    { ...purchase, stage: { kind: 'finished', document } },
    purchase,
    [charge],
  );
  purchasing.reservations.booked([charge]);
  releaseMoney(purchasing, purchase);
  const { project, language, lane, estimated } = charge;
  const characters = charge.characters ?? 0;
  purchasing.events.emit({ kind: 'billed', project, language, lane, characters, estimated });
  return finished;
}

async function refuse(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  message: string,
): Promise<DocumentPurchase> {
  releaseMoney(purchasing, purchase);
  await purchasing.spool.dropSource(purchase.key);
  // The request itself was answered with 200: the service cannot translate the document.
  const operation = 'POST /v2/document/{document_id}';
  const failure = { kind: 'rejected', status: 200, operation, message } as const;
  const refused = { kind: 'refused', failure } as const;
  return await purchasing.purchases.put({ ...purchase, stage: refused }, purchase);
}
