/**
 * Documents that a team buys together: decides which runner may buy, keeps the stage of each purchase, and gets results that other
 * runners bought.
 */
import type { Config } from '../../config.ts';
import { hashBytes } from '../../files/disk.ts';
import type { Hold } from '../../job.ts';
import type { JobRecord } from '../../ledger.ts';
import {
  type DocumentPurchase,
  isUnderWay,
  type PurchaseKey,
} from '../../state/document-purchase.ts';
import type { PurchaseListener, Purchases } from '../../state/document-purchases.ts';
import {
  type PurchaseClaim,
  type SharedPurchases,
  type SharedStage,
  TakenOver,
} from '../../state/shared-purchases.ts';
import type { InProgress } from '../remote-purchase.ts';
import { isAskedAgain, isRefusedElsewhere } from './decisions/renewal.ts';
import type { DocumentCase } from './document-case.ts';
import type { Spool } from './spool.ts';

export interface SharedDocumentsOptions {
  readonly team: SharedPurchases;
  readonly spool: Spool;
  /** `one`: the daemons of a tree, which share one ledger. `many`: each runner has its own. */
  readonly ledgers: 'one' | 'many';
  /** A result is deleted after `keep.spool`. */
  readonly inForce: { readonly config: Pick<Config, 'keep'>; readonly serviceDigest: string };
}

/** The permission of the team for this runner and a document. */
export type Agreed =
  | { readonly kind: 'go'; readonly purchase: DocumentPurchase | undefined }
  /** Another runner works on it. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'hold'; readonly hold: Hold };

/** A job and the document that it needs. */
interface WaitingJob {
  readonly job: JobRecord;
  readonly doc: Pick<DocumentCase, 'key'>;
}

type PurchaseOwner = Pick<DocumentPurchase, 'project' | 'language' | 'key'>;

export class SharedDocuments implements PurchaseListener {
  readonly #options: SharedDocumentsOptions;
  /** Purchases whose stage this process has written to the team's database, and their ids there. */
  readonly #told = new Map<PurchaseKey, string>();
  /** Purchases whose stage is in the ledger, and could not be published. */
  readonly #untold = new Set<PurchaseKey>();
  readonly #claimed = new Set<PurchaseKey>();
  /** Purchases whose result the team has, or cannot have. */
  readonly #kept = new Set<PurchaseKey>();

  constructor(options: SharedDocumentsOptions) {
    this.#options = options;
  }

  async allow(purchase: DocumentPurchase): Promise<void> {
    if (!isAsked(purchase)) return;
    if (!(await this.#record(purchase))) throw new TakenOver(documentId(purchase));
  }

  async publish(purchase: DocumentPurchase): Promise<void> {
    this.#untold.add(purchase.key);
    await this.#publish(purchase);
    this.#untold.delete(purchase.key);
  }

  async #publish(purchase: DocumentPurchase): Promise<void> {
    const { key, stage } = purchase;
    switch (stage.kind) {
      // `allow` has done it.
      case 'closing':
      case 'downloading':
        return;
      case 'intent':
        if (this.#claimed.has(key)) await this.#record(purchase);
        return;
      case 'downloaded':
        if (!this.#kept.has(key)) await this.#keep(purchase);
        return;
      case 'uploaded':
      case 'finished':
      case 'in-doubt':
      case 'lost':
      case 'refused':
        await this.#record(purchase);
    }
  }

  /** Asks the team who may buy, before anything is sent or fetched. */
  async agree(purchases: Purchases, { job, doc }: WaitingJob): Promise<Agreed> {
    const local = purchases.get(doc.key);
    if (local !== undefined && this.#untold.has(doc.key)) await this.publish(local);
    if (local !== undefined && (await this.#goesOn(local))) return { kind: 'go', purchase: local };
    const isOver = local !== undefined && !isUnderWay(local) && local.stage.kind !== 'intent';
    const isRenewed = isAskedAgain(job, local ?? {}) || this.#isRefusedElsewhere(local);
    const want = isOver && !isRenewed ? 'look' : isRenewed ? 'again' : 'buy';
    const owner = { key: doc.key, project: job.project, language: job.language };
    const claim = await this.#options.team.claim(shared(owner), want);
    return await this.#follow(purchases, { job, doc, local, claim });
  }

  /** Claims a document again: a person wants another result than the present one. */
  async begin({ job, doc: { key } }: WaitingJob): Promise<'ours' | 'busy'> {
    const owner = { key, project: job.project, language: job.language };
    const { kind } = await this.#options.team.claim(shared(owner), 'anew');
    this.#told.delete(key);
    this.#kept.delete(key);
    if (kind === 'ours') this.#claimed.add(key);
    return kind === 'ours' ? 'ours' : 'busy';
  }

  /** Releases a claim: nothing was sent. */
  async release({ job, doc: { key } }: WaitingJob): Promise<void> {
    if (!this.#claimed.delete(key)) return;
    await this.#options.team.release(
      documentId({ key, project: job.project, language: job.language }),
    );
  }

  /**
   * This daemon takes no jobs: lets the other daemons of the tree go on with the documents that it has sent. Otherwise they would wait
   * for it. Documents that it is working on at this moment stay.
   */
  async leave(purchases: Purchases, inProgress: InProgress<PurchaseKey>): Promise<void> {
    if (this.#options.ledgers === 'many') return;
    for (const [key, id] of this.#told) {
      const purchase = purchases.get(key);
      if (purchase === undefined || !isUnderWay(purchase) || inProgress.has(key)) continue;
      await this.#options.team.leave(id);
      this.#told.delete(key);
    }
  }

  /** Another runner goes on with the purchase: this runner forgets that it has sent the document. */
  async yield(purchases: Purchases, purchase: DocumentPurchase): Promise<void> {
    this.#told.delete(purchase.key);
    this.#claimed.delete(purchase.key);
    // With one ledger, the other daemon would then buy it again.
    if (this.#options.ledgers === 'one') return;
    const present = purchases.get(purchase.key);
    await purchases.put({ ...purchase, stage: { kind: 'intent' } }, present);
  }

  async sweep(): Promise<void> {
    await this.#options.team.sweep();
  }

  /** Whether this runner goes on with the purchase in its own ledger. */
  async #goesOn(local: DocumentPurchase): Promise<boolean> {
    const { stage, key } = local;
    if (stage.kind === 'downloaded') {
      if (!this.#kept.has(key)) await this.#keep(local);
      return true;
    }
    if (!isUnderWay(local)) return false;
    // No other runner can go on with an upload whose answer never came.
    if (stage.kind === 'closing' || this.#told.has(key)) return true;
    if (await this.#record(local)) return true;
    const files = this.#options.spool.resultFiles(key);
    // A paid result that is here counts, also when another runner works on the purchase now.
    return (await files.find()) !== undefined || (await files.arrived()) !== undefined;
  }

  async #follow(
    purchases: Purchases,
    found: WaitingJob & {
      readonly local: DocumentPurchase | undefined;
      readonly claim: PurchaseClaim;
    },
  ): Promise<Agreed> {
    const { job, doc, local, claim } = found;
    const own = { key: doc.key, job: job.id, project: job.project, source: job.source };
    const owner = { key: doc.key, project: job.project, language: job.language };
    switch (claim.kind) {
      case 'ours':
        this.#claimed.add(doc.key);
        return { kind: 'go', purchase: isUnderWayHere(local) ? undefined : local };
      case 'free':
        return { kind: 'go', purchase: local };
      case 'busy':
        return { kind: 'busy' };
      case 'taken-over': {
        this.#told.set(doc.key, documentId(owner));
        this.#claimed.add(doc.key);
        const { released: _, ...taken } = claim.secret as DocumentPurchase;
        return { kind: 'go', purchase: await purchases.put({ ...taken, ...own }, local) };
      }
      case 'out-of-reach':
        return held(claim, `${claim.runner} sent it and is silent; it alone can fetch it`);
      case 'over': {
        const { released: _, ...over } = claim.record as DocumentPurchase;
        if (this.#isRefusedElsewhere(over)) {
          const again = await this.#options.team.claim(shared(owner), 'again');
          return await this.#follow(purchases, { ...found, claim: again });
        }
        // The other runner has booked it.
        const stage = over.stage.kind === 'in-doubt' ? BOOKED : over.stage;
        return { kind: 'go', purchase: { ...over, ...own, stage } };
      }
      case 'kept': {
        const released = job.release === undefined ? {} : { released: job.release.at };
        const kept = { ...(claim.record as DocumentPurchase), ...own, ...released };
        if (await this.#take(kept)) {
          return { kind: 'go', purchase: await purchases.put(kept, local) };
        }
        // A person knows that, and wants to buy it again.
        if (isAskedAgain(job, local ?? {}) && (await this.begin({ job, doc })) === 'ours') {
          return { kind: 'go', purchase: local };
        }
        return held(claim, `${claim.runner} has it, and the team's state keeps no copy of it`);
      }
    }
  }

  #isRefusedElsewhere(purchase: DocumentPurchase | undefined): boolean {
    const { serviceDigest } = this.#options.inForce;
    return purchase !== undefined && isRefusedElsewhere(purchase, serviceDigest);
  }

  /** @returns whether the result is in the spool now */
  async #take({ key, stage, ...owner }: DocumentPurchase): Promise<boolean> {
    const { team, spool } = this.#options;
    const content = await team.bytes(documentId({ key, ...owner }));
    if (content === undefined || stage.kind !== 'downloaded') return false;
    if (hashBytes(content) !== stage.hash) return false;
    await spool.acceptResult(key, content);
    this.#kept.add(key);
    return true;
  }

  async #keep(purchase: DocumentPurchase): Promise<void> {
    const { team, spool, inForce } = this.#options;
    const keepMs = inForce.config.keep.spool;
    const kept = await spool.resultFiles(purchase.key).find();
    if (kept !== undefined) await team.keep(documentId(purchase), kept.file, keepMs);
    await this.#record(purchase);
    this.#kept.add(purchase.key);
  }

  async #record(purchase: DocumentPurchase): Promise<boolean> {
    const { stage } = purchase;
    const { document: _, ...shown } = stage as typeof stage & { document?: unknown };
    const isOurs = await this.#options.team.record({
      ...shared(purchase),
      stage: sharedStage(stage),
      characters: purchase.estimate,
      seconds: 0,
      record: { ...purchase, stage: shown },
      ...('document' in stage ? { secret: purchase } : {}),
    });
    if (isOurs) this.#told.set(purchase.key, documentId(purchase));
    return isOurs;
  }
}

const BOOKED = { kind: 'in-doubt', isBooked: true } as const;

function isUnderWayHere(local: DocumentPurchase | undefined): boolean {
  return local !== undefined && isUnderWay(local);
}

/** Whether the team must allow the stage. During one download, only its first record asks. */
function isAsked({ stage }: DocumentPurchase): boolean {
  return stage.kind === 'closing' || (stage.kind === 'downloading' && stage.length === undefined);
}

function held(
  { characters }: { readonly characters: number },
  reason: string,
): Extract<Agreed, { kind: 'hold' }> {
  return { kind: 'hold', hold: { kind: 'lost-result', characters, reason } };
}

/** With the project, as for texts: a project does not use what another one bought. */
function documentId({ project, key }: PurchaseOwner): string {
  return `document ${project} ${key}`;
}

function shared(owner: PurchaseOwner) {
  const { project, language } = owner;
  return { id: documentId(owner), project, charge: { language, lane: 'document' } };
}

function sharedStage({ kind }: DocumentPurchase['stage']): SharedStage {
  switch (kind) {
    case 'intent':
      return 'begun';
    case 'closing':
      return 'closing';
    case 'uploaded':
      return 'sent';
    case 'finished':
    case 'downloading':
      return 'booked';
    case 'downloaded':
      return 'kept';
    case 'in-doubt':
    case 'lost':
    case 'refused':
      return 'over';
  }
}
