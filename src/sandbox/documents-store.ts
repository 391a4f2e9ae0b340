/**
 * Documents between upload and download. They move by the service's clock, and are done only when the work is too:
 *
 *     queued ──> translating ──> done ──download──> gone
 *        └───────────┴────────> error
 */
import { createHash, randomBytes } from 'node:crypto';
import type { Owner } from './owned.ts';
import { notFound, Refusal } from './refusal.ts';
import type { SandboxWorld } from './resource.ts';

export interface HeldDocument {
  readonly document_id: string;
  readonly document_key: string;
  readonly owner: Owner;
  /** Milliseconds of the service's clock. */
  readonly uploaded: number;
  readonly ready: number;
  readonly billed_characters: number;
  /** Name of the result. */
  readonly filename: string;
  outcome: DocumentOutcome;
  /** Whether a status answer has called it done, and named the bill. */
  isToldDone: boolean;
}

export type DocumentOutcome =
  | { readonly kind: 'working' }
  | { readonly kind: 'written'; readonly file: string }
  | { readonly kind: 'failed'; readonly message: string };

export type DocumentStatus =
  | { readonly status: 'queued' }
  | { readonly status: 'translating'; readonly seconds_remaining: number }
  | { readonly status: 'done'; readonly billed_characters: number }
  | { readonly status: 'error'; readonly message: string };

const QUEUED_MS = 500;
const LEAST_TRANSLATING_MS = 1500;
/** "Seconds for small documents, one to two minutes for larger ones" (docs/design/api.md, "Documents"). */
const MS_PER_CHARACTER = 0.2;
const MOST_MS = 100_000;

export class DocumentStore {
  readonly #world: SandboxWorld;
  readonly #documents = new Map<string, HeldDocument>();

  constructor(world: SandboxWorld) {
    this.#world = world;
  }

  /** @throws Refusal 429 when the account has too many documents in work, or too many results that were not fetched */
  refuseTooMany({ account }: Owner): void {
    const { documents_in_work, documents_unfetched } = this.#world.limits;
    if (this.#documents.size < Math.min(documents_in_work, documents_unfetched)) return;
    const held = [...this.#documents.values()].filter((each) => each.owner.account === account);
    const states = held.map((each) => this.statusOf(each).status);
    const unfetched = states.filter((status) => status === 'done').length;
    const working = states.filter(
      (status) => status === 'queued' || status === 'translating',
    ).length;
    if (unfetched >= documents_unfetched) {
      throw new Refusal(429, 'Too many requests. Fetch the results that are done first.');
    }
    if (working >= documents_in_work) {
      throw new Refusal(429, 'Too many requests. Too many documents are being translated.');
    }
  }

  add(owner: Owner, document: { filename: string; billed_characters: number }): HeldDocument {
    const uploaded = this.#world.clock.now();
    const duration = LEAST_TRANSLATING_MS + document.billed_characters * MS_PER_CHARACTER;
    const held: HeldDocument = {
      ...document,
      document_id: randomBytes(16).toString('hex').toUpperCase(),
      document_key: randomBytes(32).toString('hex').toUpperCase(),
      owner,
      uploaded,
      ready: uploaded + Math.min(duration, MOST_MS),
      outcome: { kind: 'working' },
      isToldDone: false,
    };
    this.#documents.set(held.document_id, held);
    return held;
  }

  /** @throws Refusal 404 for unknown ids, wrong keys, other accounts, and downloaded results */
  find(owner: Owner, handle: { document_id: string; document_key: string }): HeldDocument {
    const held = this.#documents.get(handle.document_id.toUpperCase());
    const fits =
      held?.owner.account === owner.account &&
      held.owner.dataCenter === owner.dataCenter &&
      keyDigest(held.document_key) === keyDigest(handle.document_key);
    if (held === undefined || !fits) throw notFound('Document');
    return held;
  }

  statusOf({ uploaded, ready, outcome, billed_characters }: HeldDocument): DocumentStatus {
    const now = this.#world.clock.now();
    if (now < uploaded + QUEUED_MS) return { status: 'queued' };
    if (outcome.kind === 'failed') return { status: 'error', message: outcome.message };
    if (now >= ready && outcome.kind === 'written') return { status: 'done', billed_characters };
    return {
      status: 'translating',
      seconds_remaining: Math.max(1, Math.ceil((ready - now) / 1000)),
    };
  }

  /** Removes the document: nobody finds it any more. */
  take(held: HeldDocument): void {
    this.#documents.delete(held.document_id);
  }
}

/** Compared in any case, in constant time, so that the time does not show how much of a guess was right. */
function keyDigest(key: string): string {
  return createHash('sha256').update(key.toUpperCase()).digest('hex');
}
