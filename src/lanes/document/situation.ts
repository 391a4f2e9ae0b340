/** How a document job stands: its case, and what the rules say about it. */
import type { Hash, Job } from '../../job.ts';
import type { JobRecord, LedgerView } from '../../ledger.ts';
import type { InForce } from '../../plan/in-force.ts';
import { type DocumentCase, documentCase } from './document-case.ts';
import type { PurchaseContext } from './purchase-context.ts';
import { decide, type Verdict } from './rules/decide.ts';
import { withTerms } from './translation-inputs.ts';

export interface Surroundings {
  readonly purchasing: PurchaseContext;
  readonly ledger: LedgerView;
  readonly inForce: InForce;
}

/** @throws JobFailure `unsupported` when no route claims the source any more */
export async function caseOf(
  { ledger, inForce, purchasing }: Surroundings,
  job: Job,
): Promise<DocumentCase> {
  const sources = { ledger, planner: inForce.planner, styles: purchasing.abilities.styles };
  return await withTerms(purchasing, documentCase(job, sources));
}

export interface Looked {
  /** With what the ledger knows of it, if it does. */
  readonly job: Job & Partial<JobRecord>;
  readonly doc: DocumentCase;
  /** Hash of what stands at the target's place. */
  readonly found: Hash | undefined;
}

export function judge({ purchasing, ledger }: Surroundings, { job, doc, found }: Looked): Verdict {
  const { release } = job;
  const left = job.wrote?.find(({ path }) => path === doc.targetPath);
  return decide({
    job,
    found,
    left,
    // What a person wrote there was made with no words of ours.
    isOutdated: left !== undefined && left.hash === found && doc.isOutdated(left.hash),
    delivered: job.delivered ?? null,
    release: release?.fingerprint === job.fingerprint ? release : undefined,
    purchase: purchasing.purchases.get(doc.key),
    policies: doc.route.policies,
    factsLost: ledger.condition === 'facts-lost',
  });
}
