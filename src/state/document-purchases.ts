/** The purchases of documents in the ledger, found by content and by the job that began them. */
import type { Hash, Job, JobId } from '../job.ts';
import { sourceHashOf } from '../job.ts';
import {
  type Charge,
  commitDecision,
  type Fact,
  type JobRecord,
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

const ID_PREFIX = 'document ';

/** Shares the stages of purchases with a team. */
export interface PurchaseListener {
  /** Called before a step that may be billed or can be done only once. @throws TakenOver */
  allow(purchase: DocumentPurchase): Promise<void>;
  /** Called when the purchase is durable in the ledger. */
  publish(purchase: DocumentPurchase): Promise<void>;
}

export function* purchasesIn(ledger: LedgerView): Generator<DocumentPurchase> {
  for (const { id, value } of ledger.all('remotes')) {
    if (id.startsWith(ID_PREFIX)) yield value as DocumentPurchase;
  }
}

/** The purchase to write, when another daemon may have written it since. @throws TakenOver */
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
  /** Keys of the purchases under way, by job. */
  readonly #underWay = new Map<JobId, Set<PurchaseKey>>();

  /** Keys by the hash of the result. */
  readonly #byResult = new Map<Hash, PurchaseKey>();

  readonly #listener: PurchaseListener | undefined;

  constructor(ledger: Ledger, listener?: PurchaseListener) {
    this.#ledger = ledger;
    this.#listener = listener;
    for (const purchase of this.all()) this.#index(purchase);
  }

  get(key: PurchaseKey): DocumentPurchase | undefined {
    return this.#ledger.get('remotes', ID_PREFIX + key)?.value as DocumentPurchase | undefined;
  }

  all(): Generator<DocumentPurchase> {
    return purchasesIn(this.#ledger);
  }

  /** Purchases that a job began, also under an earlier id, and that are under way. */
  underWay({ id, formerIds = [] }: Pick<JobRecord, 'id' | 'formerIds'>): DocumentPurchase[] {
    const left = formerIds.filter((former) => this.#ledger.get('jobs', former) === undefined);
    return [id, ...left].flatMap((job) => {
      const known = [...(this.#underWay.get(job) ?? [])].flatMap((key) => this.get(key) ?? []);
      return known.filter((purchase) => purchase.job === job);
    });
  }

  /** A job takes over the purchase of a job that is gone, because its source moved. */
  async inherit(key: PurchaseKey, { id: job, source }: Pick<Job, 'id' | 'source'>): Promise<void> {
    const purchase = this.get(key);
    if (purchase === undefined || !isUnderWay(purchase)) return;
    if (this.#ledger.get('jobs', purchase.job) !== undefined) return;
    await this.put({ ...purchase, job, source }, purchase);
  }

  /** The purchase with this result; undefined: none is on record. */
  ofResult(hash: Hash): DocumentPurchase | undefined {
    const key = this.#byResult.get(hash);
    return key === undefined ? undefined : this.get(key);
  }

  /**
   * Writes a purchase and its charges; both are durable when it resolves.
   * @param from the purchase that this was decided from, as this class returned it; undefined: there was none
   * @throws TakenOver when another daemon has written it since; the charges are booked in any case
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
        const record = this.#ledger.get('remotes', ID_PREFIX + purchase.key);
        written = following(purchase, from, record?.value as DocumentPurchase | undefined);
        const put = { id: ID_PREFIX + purchase.key, kind: 'spool', value: written } as const;
        this.#index(written);
        return [{ table: 'remotes', put, from: record }, ...booked, ...this.#shownOn(written)];
      });
    } catch (error) {
      if (error instanceof TakenOver) await this.#ledger.commit(booked);
      throw error;
    }
    if (this.#listener !== undefined) await this.#listener.publish(written);
    return written;
  }

  /** Takes a purchase that another daemon of the tree has written. @returns undefined: the record is none */
  learn({ kind, value }: RemoteRecord): DocumentPurchase | undefined {
    if (kind !== 'spool') return undefined;
    const purchase = value as DocumentPurchase;
    this.#index(purchase);
    return purchase;
  }

  /** The facts that show stage and price on the job, unless the job is about newer content now. */
  #shownOn({ job: id, sourceHash, estimate, stage: { kind } }: DocumentPurchase): Fact[] {
    const job = this.#ledger.get('jobs', id);
    if (job?.state.kind !== 'running' || sourceHashOf(job.fingerprint) !== sourceHash) return [];
    const isOver = kind === 'in-doubt' || kind === 'lost' || kind === 'refused';
    const { attempt, step } = job.state;
    const state = { kind: 'running', attempt, step: isOver ? step : { kind } } as const;
    return [{ table: 'jobs', from: job, set: { estimate, state } }];
  }

  /** Targets with this content: for a result that is no longer in the spool. */
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
