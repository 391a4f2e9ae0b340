/** The purchases of documents in the ledger, found by content and by the job that began them. */
import type { Hash, Job, JobId } from '../job.ts';
import { sourceHashOf } from '../job.ts';
import {
  type Charge,
  commitDecision,
  type Fact,
  type Ledger,
  type LedgerView,
  type RemoteRecord,
} from '../ledger.ts';
import {
  type DocumentPurchase,
  isStillOfUse,
  isUnderWay,
  type PurchaseKey,
} from './document-purchase.ts';
import { TakenOver } from './shared-purchases.ts';

const PREFIX = 'document ';

/** Who shares purchases with a team hears where they stand. */
export interface PurchaseListener {
  /** Before what may be billed, or is given away only once. @throws TakenOver */
  allow(purchase: DocumentPurchase): Promise<void>;
  /** What is durable here. */
  tell(purchase: DocumentPurchase): Promise<void>;
}

export function* purchasesIn(ledger: LedgerView): Generator<DocumentPurchase> {
  for (const { id, value } of ledger.all('remotes')) {
    if (id.startsWith(PREFIX)) yield value as DocumentPurchase;
  }
}

/** What is written of a purchase, where another daemon may have written of it since. @throws TakenOver */
function following(
  next: DocumentPurchase,
  from: DocumentPurchase | undefined,
  present: DocumentPurchase | undefined,
): DocumentPurchase {
  if (present === from) return next;
  if (from === undefined || present === undefined || !isStillOfUse(next, from, present)) {
    throw new TakenOver(next.key);
  }
  return { ...next, lostAnswers: present.lostAnswers };
}

export class Purchases {
  readonly #ledger: Ledger;
  /** Those of which the service holds something, by job. */
  readonly #underWay = new Map<JobId, Set<PurchaseKey>>();

  /** By what came of them. */
  readonly #byResult = new Map<Hash, PurchaseKey>();

  readonly #listener: PurchaseListener | undefined;

  constructor(ledger: Ledger, listener?: PurchaseListener) {
    this.#ledger = ledger;
    this.#listener = listener;
    for (const purchase of this.all()) this.#index(purchase);
  }

  get(key: PurchaseKey): DocumentPurchase | undefined {
    return this.#ledger.get('remotes', PREFIX + key)?.value as DocumentPurchase | undefined;
  }

  all(): Generator<DocumentPurchase> {
    return purchasesIn(this.#ledger);
  }

  /** Purchases that a job began and that are not settled. */
  underWay(job: JobId): DocumentPurchase[] {
    const known = [...(this.#underWay.get(job) ?? [])].flatMap((key) => this.get(key) ?? []);
    return known.filter((purchase) => purchase.job === job);
  }

  /** A job takes over what one began that is gone, because its source moved. */
  async inherit(key: PurchaseKey, { id: job, source }: Pick<Job, 'id' | 'source'>): Promise<void> {
    const purchase = this.get(key);
    if (purchase === undefined || !isUnderWay(purchase)) return;
    if (this.#ledger.get('jobs', purchase.job) !== undefined) return;
    await this.put({ ...purchase, job, source }, purchase);
  }

  /** The purchase that a result came of, where it is on record. */
  ofResult(hash: Hash): DocumentPurchase | undefined {
    const key = this.#byResult.get(hash);
    return key === undefined ? undefined : this.get(key);
  }

  /**
   * Writes down where a purchase stands; durable when it resolves, together with the charges.
   * @param from what it was decided from, as this gave it; undefined: there was none
   * @throws TakenOver when another daemon wrote of it since; the charges are booked all the same
   */
  async put(
    purchase: DocumentPurchase,
    from: DocumentPurchase | undefined,
    charges: readonly Charge[] = [],
  ): Promise<DocumentPurchase> {
    if (this.#listener !== undefined) await this.#listener.allow(purchase);
    const booked = charges.map((put): Fact => ({ table: 'charges', put }));
    let written = purchase;
    try {
      await commitDecision(this.#ledger, () => {
        const record = this.#ledger.get('remotes', PREFIX + purchase.key);
        written = following(purchase, from, record?.value as DocumentPurchase | undefined);
        const put = { id: PREFIX + purchase.key, kind: 'spool', value: written } as const;
        this.#index(written);
        return [{ table: 'remotes', put, from: record }, ...booked, ...this.#shownOn(written)];
      });
    } catch (error) {
      if (error instanceof TakenOver) await this.#ledger.commit(booked);
      throw error;
    }
    if (this.#listener !== undefined) await this.#listener.tell(written);
    return written;
  }

  /** What another daemon of the tree wrote down. */
  learn({ kind, value }: RemoteRecord): void {
    if (kind === 'spool') this.#index(value as DocumentPurchase);
  }

  /** The job shows how far its document is and what it costs, unless it is about newer content meanwhile. */
  #shownOn({ job: id, sourceHash, estimate, stage: { kind } }: DocumentPurchase): Fact[] {
    const job = this.#ledger.get('jobs', id);
    if (job?.state.kind !== 'running' || sourceHashOf(job.fingerprint) !== sourceHash) return [];
    const isOver = kind === 'in-doubt' || kind === 'lost' || kind === 'refused';
    const { attempt, step } = job.state;
    const state = { kind: 'running', attempt, step: isOver ? step : { kind } } as const;
    return [{ table: 'jobs', from: job, set: { estimate, state } }];
  }

  /** A target elsewhere that holds this content, where the spool does not any more. */
  *written(hash: string): Generator<{ readonly project: string; readonly path: string }> {
    for (const { project, wrote } of this.#ledger.all('jobs')) {
      for (const written of wrote) if (written.hash === hash) yield { project, path: written.path };
    }
  }

  #index(purchase: DocumentPurchase): void {
    const { stage } = purchase;
    if (stage.kind === 'downloaded') this.#byResult.set(stage.hash, purchase.key);
    const keys = this.#underWay.get(purchase.job) ?? new Set();
    if (isUnderWay(purchase)) keys.add(purchase.key);
    else keys.delete(purchase.key);
    if (keys.size > 0) this.#underWay.set(purchase.job, keys);
    else this.#underWay.delete(purchase.job);
  }
}
