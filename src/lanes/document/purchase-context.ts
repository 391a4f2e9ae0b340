/** Where documents are bought: what all steps of a purchase share. */
import { type Clock, isoTime } from '../../clock.ts';
import type { Events } from '../../event.ts';
import type { Failure } from '../../failure.ts';
import type { Semaphore } from '../../files/semaphore.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import type { Hold } from '../../job.ts';
import type { Charge, JobRecord } from '../../ledger.ts';
import type { Recipe, RemoteRules } from '../../plan/recipe.ts';
import type { Allowance } from '../../plan/spending.ts';
import type { DocumentAbilities } from '../../service/document-rules.ts';
import type { DocumentsResource } from '../../service/documents.ts';
import type { DocumentPurchase, PurchaseKey } from '../../state/document-purchase.ts';
import type { Purchases } from '../../state/document-purchases.ts';
import type { InProgress } from '../remote-purchase.ts';
import { doubtfulCharge } from './charges.ts';
import type { SharedDocuments } from './shared-documents.ts';
import type { Spool } from './spool.ts';
import type { Readings } from './translation-inputs.ts';

export interface PurchaseContext {
  readonly documents: DocumentsResource;
  readonly abilities: DocumentAbilities;
  readonly purchases: Purchases;
  readonly spool: Spool;
  readonly clock: Clock;
  readonly events: Events;
  readonly reservations: DocumentReservations;
  /** Results on their way: each is in danger until it has arrived, so they come a few at a time. */
  readonly downloads: Semaphore;
  /** When each document that is not done was looked at, and is to be looked at again. */
  readonly looks: Map<PurchaseKey, { readonly count: number; readonly next: number }>;
  readonly inProgress: InProgress<PurchaseKey>;
  readonly readings: Readings;
  /** Absent: nobody shares what is bought here. */
  readonly shared?: SharedDocuments;
  /** Absolute root of a project; undefined when config has none of that name any more. */
  rootOf(project: string): string | undefined;
  /** What a recipe's glossary and style are called on the service now. */
  remoteRules(recipe: Recipe): Promise<RemoteRules>;
  /** The service did not know one of them: the next question makes sure. */
  doubt(recipe: Recipe): void;
  /** The settings of `service` that requests are sent with; see `serviceMark`. */
  serviceMark(): string;
}

/** How far a purchase came in one turn. */
export type PurchaseProgress =
  | { readonly kind: 'kept'; readonly kept: SpooledFile }
  | { readonly kind: 'wait'; readonly at: number }
  | { readonly kind: 'hold'; readonly hold: Hold }
  | { readonly kind: 'refused'; readonly failure: Failure }
  /** The source is not what the job is about any more. */
  | { readonly kind: 'stale' };

export interface DocumentReservationsOptions {
  /** What keeps a purchase of that price from being made now; reserves it otherwise. */
  allow(job: JobRecord & { readonly purchase: string }, characters: number): Promise<Allowance>;
  /** Sets aside what was sent already. */
  setAside(
    job: Pick<JobRecord, 'id' | 'project' | 'source'> & { readonly purchase: string },
    characters: number,
  ): Disposable;
  /** Hears of every charge when it is durable. */
  booked(charges: readonly Charge[]): void;
}

/** Money set aside over the many turns of a purchase, from before its upload until its bill is on the books. */
export class DocumentReservations {
  readonly #options: DocumentReservationsOptions;
  readonly #reserved = new Map<PurchaseKey, Disposable>();

  constructor(options: DocumentReservationsOptions) {
    this.#options = options;
  }

  /** @returns the reason to wait, when there is one */
  async reserve(key: PurchaseKey, job: JobRecord, characters: number): Promise<Hold | undefined> {
    const allowance = await this.#options.allow({ ...job, purchase: key }, characters);
    if (allowance.kind === 'held') return allowance.hold;
    this.#reserved.set(key, allowance);
    return undefined;
  }

  /** After a restart, or when budgets were counted anew. */
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

  booked(charges: readonly Charge[]): void {
    this.#options.booked(charges);
  }
}

/** Nothing more will be billed for it. */
export function settleMoney(
  { reservations, looks }: PurchaseContext,
  { key }: DocumentPurchase,
): void {
  reservations.release(key);
  looks.delete(key);
}

/** What was paid cannot be had any more: a person decides whether to pay again. */
export async function lose(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
  reason: string,
): Promise<DocumentPurchase> {
  settleMoney(purchasing, purchase);
  return await purchasing.purchases.put({ ...purchase, stage: { kind: 'lost', reason } }, purchase);
}

/** Nobody may ever decide about it: its source may have other content by now, so it goes on the books at once. */
export async function leaveInDoubt(
  purchasing: PurchaseContext,
  purchase: DocumentPurchase,
): Promise<DocumentPurchase> {
  if (purchase.stage.kind === 'in-doubt' && purchase.stage.isBooked === true) return purchase;
  return await bookInDoubt(purchasing, purchase, { kind: 'in-doubt', isBooked: true });
}

/**
 * It may have been billed, and nobody can tell any more: it goes on the books as what may be billed twice.
 * @param stage what becomes of it
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
  settleMoney(purchasing, purchase);
  return booked;
}
