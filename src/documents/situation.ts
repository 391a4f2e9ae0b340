/** How a document job stands: its case, and what the rules say about it. */
import type { Hash, Job } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Planner } from '../planner.ts';
import { type DocumentCase, documentCase } from './document-case.ts';
import { decide, type Verdict } from './rules/decide.ts';
import type { Shop } from './shop.ts';

export interface Surroundings {
  readonly shop: Shop;
  readonly ledger: LedgerView;
  /** The planner of the config in force. */
  planner(): Planner;
  /** Whether the ledger lost facts, and what was paid may be unknown. */
  factsLost(): boolean;
}

/** @throws JobFailure `unsupported` when no route claims the source any more */
export function caseOf({ ledger, planner, shop }: Surroundings, job: Job): DocumentCase {
  return documentCase(job, { ledger, planner: planner(), styles: shop.abilities.styles });
}

export interface Looked {
  /** With what the ledger knows of it, if it does. */
  readonly job: Job & Partial<JobRecord>;
  readonly doc: DocumentCase;
  /** Hash of what stands at the target's place. */
  readonly found: Hash | undefined;
}

export function judge({ shop, factsLost }: Surroundings, { job, doc, found }: Looked): Verdict {
  const { release } = job;
  return decide({
    job,
    found,
    left: job.wrote?.find(({ path }) => path === doc.targetPath),
    delivered: job.delivered ?? null,
    release: release?.fingerprint === job.fingerprint ? release : undefined,
    purchase: shop.purchases.get(doc.key),
    policies: doc.route.policies,
    factsLost: factsLost(),
  });
}
