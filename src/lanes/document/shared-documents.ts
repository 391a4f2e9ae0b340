/** Documents that a team buys together: whose turn it is, where each purchase stands, and the result of what another runner bought. */
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
import type { DocumentCase } from './document-case.ts';
import { isAskedAgain } from './rules/renewal.ts';
import type { Spool } from './spool.ts';

export interface SharedDocumentsOptions {
  readonly team: SharedPurchases;
  readonly spool: Spool;
  /** `one`: the daemons of a tree, where what another one writes down is here, too. */
  readonly ledgers: 'one' | 'many';
  /** Milliseconds for which a result is kept. */
  keepMs(): number;
}

/** What a checkout does about a document, as far as the team decides it. */
export type Agreed =
  | { readonly kind: 'go'; readonly purchase: DocumentPurchase | undefined }
  /** Another runner works on it. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'hold'; readonly hold: Hold };

/** Who wants which document. */
interface Wanted {
  readonly job: JobRecord;
  readonly doc: Pick<DocumentCase, 'key'>;
}

type Owner = Pick<DocumentPurchase, 'project' | 'language' | 'key'>;

export class SharedDocuments implements PurchaseListener {
  readonly #options: SharedDocumentsOptions;
  /** Those of which the team has heard from this process where they stand. */
  readonly #told = new Set<PurchaseKey>();
  readonly #claimed = new Set<PurchaseKey>();
  /** Those whose result the team has, or cannot have. */
  readonly #kept = new Set<PurchaseKey>();

  constructor(options: SharedDocumentsOptions) {
    this.#options = options;
  }

  async allow(purchase: DocumentPurchase): Promise<void> {
    if (!isAsked(purchase)) return;
    if (!(await this.#note(purchase))) throw new TakenOver(idOf(purchase));
  }

  async tell(purchase: DocumentPurchase): Promise<void> {
    const { key, stage } = purchase;
    switch (stage.kind) {
      // Asked before.
      case 'closing':
      case 'downloading':
        return;
      case 'intent':
        if (this.#claimed.has(key)) await this.#note(purchase);
        return;
      case 'downloaded':
        if (!this.#kept.has(key)) await this.#keep(purchase);
        return;
      case 'uploaded':
      case 'finished':
      case 'in-doubt':
      case 'lost':
      case 'refused':
        await this.#note(purchase);
    }
  }

  /** Whose turn it is, before anything is sent or fetched. */
  async agree(purchases: Purchases, { job, doc }: Wanted): Promise<Agreed> {
    const local = purchases.get(doc.key);
    if (local !== undefined && (await this.#goesOn(local))) return { kind: 'go', purchase: local };
    const isOver = local !== undefined && !isUnderWay(local) && local.stage.kind !== 'intent';
    const asksAgain = isAskedAgain(job, local ?? {});
    const want = isOver && !asksAgain ? 'look' : asksAgain ? 'again' : 'buy';
    const owner = { key: doc.key, project: job.project, language: job.language };
    const claim = await this.#options.team.claim(shared(owner), want);
    return await this.#follow(purchases, { job, doc, local, claim });
  }

  /** A person wants another result than the one that is there. */
  async begin({ job, doc: { key } }: Wanted): Promise<'ours' | 'busy'> {
    const owner = { key, project: job.project, language: job.language };
    const { kind } = await this.#options.team.claim(shared(owner), 'anew');
    this.#told.delete(key);
    this.#kept.delete(key);
    if (kind === 'ours') this.#claimed.add(key);
    return kind === 'ours' ? 'ours' : 'busy';
  }

  /** Nothing was sent: it is free for others. */
  async release({ job, doc: { key } }: Wanted): Promise<void> {
    if (!this.#claimed.delete(key)) return;
    await this.#options.team.release(idOf({ key, project: job.project, language: job.language }));
  }

  /** Another runner goes on with it; what comes of it is asked for as if nothing had been sent from here. */
  async yield(purchases: Purchases, purchase: DocumentPurchase): Promise<void> {
    this.#told.delete(purchase.key);
    this.#claimed.delete(purchase.key);
    // It would be bought again there.
    if (this.#options.ledgers === 'one') return;
    const present = purchases.get(purchase.key);
    await purchases.put({ ...purchase, stage: { kind: 'intent' } }, present);
  }

  async sweep(): Promise<void> {
    await this.#options.team.sweep();
  }

  /** Whether this checkout goes on with what its own ledger knows. */
  async #goesOn(local: DocumentPurchase): Promise<boolean> {
    const { stage, key } = local;
    if (stage.kind === 'downloaded') {
      if (!this.#kept.has(key)) await this.#keep(local);
      return true;
    }
    if (!isUnderWay(local)) return false;
    // Nobody can go on with an upload whose answer never came.
    if (stage.kind === 'closing' || this.#told.has(key)) return true;
    if (await this.#note(local)) return true;
    const files = this.#options.spool.resultFiles(key);
    // What is paid for and here counts, whoever works on it now.
    return (await files.find()) !== undefined || (await files.arrived()) !== undefined;
  }

  async #follow(
    purchases: Purchases,
    found: Wanted & {
      readonly local: DocumentPurchase | undefined;
      readonly claim: PurchaseClaim;
    },
  ): Promise<Agreed> {
    const { job, doc, local, claim } = found;
    const own = { key: doc.key, job: job.id, project: job.project, source: job.source };
    switch (claim.kind) {
      case 'ours':
        this.#claimed.add(doc.key);
        return { kind: 'go', purchase: isUnderWayHere(local) ? undefined : local };
      case 'free':
        return { kind: 'go', purchase: local };
      case 'busy':
        return { kind: 'busy' };
      case 'taken-over': {
        this.#told.add(doc.key);
        this.#claimed.add(doc.key);
        const { released: _, ...taken } = claim.secret as DocumentPurchase;
        return { kind: 'go', purchase: await purchases.put({ ...taken, ...own }, local) };
      }
      case 'out-of-reach':
        return held(claim, `${claim.runner} sent it and is silent; it alone can fetch it`);
      case 'over': {
        const { released: _, ...over } = claim.record as DocumentPurchase;
        // Whoever left it in doubt has booked it.
        const stage = over.stage.kind === 'in-doubt' ? BOOKED : over.stage;
        return { kind: 'go', purchase: { ...over, ...own, stage } };
      }
      case 'kept': {
        const released = job.release === undefined ? {} : { released: job.release.at };
        const kept = { ...(claim.record as DocumentPurchase), ...own, ...released };
        if (await this.#take(kept)) {
          return { kind: 'go', purchase: await purchases.put(kept, local) };
        }
        // A person was told so, and wants it bought again.
        if (isAskedAgain(job, local ?? {}) && (await this.begin({ job, doc })) === 'ours') {
          return { kind: 'go', purchase: local };
        }
        return held(claim, `${claim.runner} has it, and the team's state keeps no copy of it`);
      }
    }
  }

  /** @returns whether the result is in the spool now */
  async #take({ key, stage, ...owner }: DocumentPurchase): Promise<boolean> {
    const { team, spool } = this.#options;
    const content = await team.bytes(idOf({ key, ...owner }));
    if (content === undefined || stage.kind !== 'downloaded') return false;
    if (hashBytes(content) !== stage.hash) return false;
    await spool.acceptResult(key, content);
    this.#kept.add(key);
    return true;
  }

  async #keep(purchase: DocumentPurchase): Promise<void> {
    const { team, spool, keepMs } = this.#options;
    const kept = await spool.resultFiles(purchase.key).find();
    if (kept !== undefined) await team.keep(idOf(purchase), kept.file, keepMs());
    await this.#note(purchase);
    this.#kept.add(purchase.key);
  }

  async #note(purchase: DocumentPurchase): Promise<boolean> {
    const { stage } = purchase;
    const { document: _, ...shown } = stage as typeof stage & { document?: unknown };
    const isOurs = await this.#options.team.note({
      ...shared(purchase),
      stage: sharedStage(stage),
      characters: purchase.estimate,
      seconds: 0,
      record: { ...purchase, stage: shown },
      ...('document' in stage ? { secret: purchase } : {}),
    });
    if (isOurs) this.#told.add(purchase.key);
    return isOurs;
  }
}

const BOOKED = { kind: 'in-doubt', isBooked: true } as const;

function isUnderWayHere(local: DocumentPurchase | undefined): boolean {
  return local !== undefined && isUnderWay(local);
}

/** Of several notes during one download, the first one asks. */
function isAsked({ stage }: DocumentPurchase): boolean {
  return stage.kind === 'closing' || (stage.kind === 'downloading' && stage.length === undefined);
}

function held(
  { characters }: { readonly characters: number },
  reason: string,
): Extract<Agreed, { kind: 'hold' }> {
  return { kind: 'hold', hold: { kind: 'lost-result', characters, reason } };
}

/** As texts are: one project does not take what another one bought. */
function idOf({ project, key }: Owner): string {
  return `document ${project} ${key}`;
}

function shared(owner: Owner) {
  const { project, language } = owner;
  return { id: idOf(owner), project, charge: { language, lane: 'document' } };
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
