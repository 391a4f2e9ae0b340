/** The context that all steps of a document purchase share. */
import { type Clock, isoTime, isReached } from '../../clock.ts';
import type { Events } from '../../event.ts';
import type { Failure } from '../../failure.ts';
import type { Semaphore } from '../../files/semaphore.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import type { Hold } from '../../job.ts';
import type { Charge, JobRecord } from '../../ledger.ts';
import type { InForce } from '../../plan/in-force.ts';
import type { Recipe, RemoteIds } from '../../plan/recipe.ts';
import type { Allowance } from '../../plan/spending.ts';
import type { DocumentAbilities } from '../../service/document-constraints.ts';
import type { DocumentsResource } from '../../service/documents.ts';
import { MAX_RETRY_AFTER_MS } from '../../service/retry.ts';
import type { DocumentPurchase, PurchaseKey } from '../../state/document-purchase.ts';
import type { Purchases } from '../../state/document-purchases.ts';
import type { InProgress } from '../remote-purchase.ts';
import { doubtfulCharge } from './charges.ts';
import type { SharedDocuments } from './shared-documents.ts';
import type { Spool } from './spool.ts';
import type { SourceTerms } from './translation-inputs.ts';

export interface PurchaseContext {
  readonly documents: DocumentsResource;
  readonly abilities: DocumentAbilities;
  readonly purchases: Purchases;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly events: Events;
  readonly reservations: DocumentReservations;
  /** Limits the downloads at a time: a kill loses those that are under way. */
  readonly downloads: Semaphore;
  /** How often each document that is not done was polled, and when the next poll is due. */
  readonly polls: Map<PurchaseKey, { readonly count: number; readonly next: number }>;
  readonly inProgress: InProgress<PurchaseKey>;
  readonly sourceTerms: SourceTerms;
  /** Absent: there is no team. */
  readonly shared?: SharedDocuments;
  /** The absolute root of a project; undefined when the config no longer has it. */
  rootOf(project: string): string | undefined;
  /** The ids of the recipe's glossary and style list on the service. */
  remoteIds(recipe: Recipe): Promise<RemoteIds>;
  /** The service did not know one of these ids. Before the next use, dragoman asks the service for them. */
  doubt(recipe: Recipe): void;
  readonly inForce: Pick<InForce, 'serviceDigest'>;
}

/** The result of one turn of a purchase. `at`: milliseconds since the epoch. */
export type PurchaseProgress =
  | { readonly kind: 'kept'; readonly kept: SpooledFile }
  | { readonly kind: 'wait'; readonly at: number }
  | { readonly kind: 'hold'; readonly hold: Hold }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The source has other content than the job. */
  | { readonly kind: 'stale' };

export interface DocumentReservationsOptions {
  /** Reserves the price of a purchase, or says why it must wait. */
  allow(job: JobRecord & { readonly purchase: string }, characters: number): Promise<Allowance>;
  /** Reserves the price of a document that was sent already. */
  setAside(
    job: Pick<JobRecord, 'id' | 'project' | 'source'> & { readonly purchase: string },
    characters: number,
  ): Disposable;
  /** Called when nothing more will be billed for a purchase. Daemons of a tree may have looked for it in turn, each with a reservation. */
  ended(purchase: PurchaseKey): void;
  /** Called with each charge when it is durable. */
  booked(charges: readonly Charge[]): void;
}

/** The reservations of purchases, from before the upload until the bill is booked: a purchase takes many turns. */
export class DocumentReservations {
  readonly #options: DocumentReservationsOptions;
  readonly #reserved = new Map<PurchaseKey, Disposable>();

  constructor(options: DocumentReservationsOptions) {
    this.#options = options;
  }

  /** @returns the hold when the purchase must wait */
  async reserve(key: PurchaseKey, job: JobRecord, characters: number): Promise<Hold | undefined> {
    const allowance = await this.#options.allow({ ...job, purchase: key }, characters);
    if (allowance.kind === 'held') return allowance.hold;
    this.#reserved.set(key, allowance);
    return undefined;
  }

  /** Reserves the price of a sent document, after a restart or when budgets were counted again. */
  keepReserved({ key, job: id, project, source, estimate }: DocumentPurchase): void {
    this.#reserved.set(
      key,
      this.#options.setAside({ id, project, source, purchase: key }, estimate),
    );
  }

  release(key: PurchaseKey): void {
    this.#reserved.get(key)?.[Symbol.dispose]();
    this.#reserved.delete(key);
  }

  /** Nothing more will be billed for the purchase. */
  end(key: PurchaseKey): void {
    this.release(key);
    this.#options.ended(key);
  }

  booked(charges: readonly Charge[]): void {
    this.#options.booked(charges);
  }
}

/** Ends the reservation: nothing more will be billed for the purchase. */
export function releaseMoney(
  { reservations, polls }: Pick<PurchaseContext, 'polls' | 'reservations'>,
  { key }: DocumentPurchase,
): void {
  reservations.end(key);
  polls.delete(key);
}

/** The paid result cannot be fetched any more: a person decides whether to buy it again. */
export async function lose(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  reason: string,
): Promise<DocumentPurchase> {
  releaseMoney(purchasing, purchase);
  return await purchasing.purchases.put({ ...purchase, stage: { kind: 'lost', reason } }, purchase);
}

/**
 * Books the purchase at once: perhaps no person will ever decide about it, because its source may have other content by now.
 * @param reason what came instead of the answer
 */
export async function leaveInDoubt(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  reason?: string,
): Promise<DocumentPurchase> {
  if (purchase.stage.kind === 'in-doubt' && purchase.stage.isBooked === true) return purchase;
  const stage = { kind: 'in-doubt', isBooked: true, ...(reason && { reason }) } as const;
  return await bookInDoubt(purchasing, purchase, stage);
}

/** The hold of a purchase that is in doubt. */
export function inDoubt({ stage, estimate: characters }: DocumentPurchase): Hold {
  const reason = stage.kind === 'in-doubt' ? stage.reason : undefined;
  return { kind: 'in-doubt', characters, ...(reason && { reason }) };
}

/**
 * It stays unknown whether the upload was billed, so it is booked as possibly billed twice.
 * @param stage the next stage of the purchase
 */
export async function bookInDoubt(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  stage: DocumentPurchase['stage'],
): Promise<DocumentPurchase> {
  const charge = doubtfulCharge(purchase, isoTime(purchasing.clock));
  const lostAnswers = purchase.lostAnswers + 1;
  const doubted = { ...purchase, lostAnswers, stage };
  const booked = await purchasing.purchases.put(doubted, purchase, [charge]);
  purchasing.reservations.booked([charge]);
  releaseMoney(purchasing, purchase);
  return booked;
}

/** Whether the service may be asked again. @param next the time that was set by the last answer */
export function isLookDue({ clock }: Pick<PurchaseContext, 'clock'>, next: number): boolean {
  return isReached(next, { now: clock.now(), longestMs: MAX_RETRY_AFTER_MS });
}
