/** The situation of a document job: its case, and the verdict of the rules. */
import { requireOwnFile } from '../../files/disk.ts';
import { type Fingerprint, type Hash, type Job, sourceHashOf } from '../../job.ts';
import type { JobRecord, LedgerView, Written } from '../../ledger.ts';
import type { InForce } from '../../plan/in-force.ts';
import type { LockFiles } from '../../state/lock-file.ts';
import { lockedTarget, type OtherSide, onOtherSide } from '../stated-history.ts';
import { type DocumentVerdict, decideDocument } from './decisions/decide.ts';
import { type DocumentCase, documentCase } from './document-case.ts';
import type { PurchaseContext } from './purchase-context.ts';
import { withTerms } from './translation-inputs.ts';

export interface Surroundings {
  readonly purchasing: PurchaseContext;
  readonly ledger: LedgerView;
  readonly inForce: InForce;
  /** Absent: the config names no lock. */
  readonly lock?: LockFiles;
}

/** @throws JobFailure `unsupported` when no route matches the source any more */
export async function documentCaseOf(
  { ledger, inForce, purchasing }: Surroundings,
  job: Job,
): Promise<DocumentCase> {
  const sources = { ledger, planner: inForce.planner, styles: purchasing.abilities.styles };
  return await withTerms(purchasing, documentCase(job, sources));
}

export interface LookedAtDocument {
  /** With the fields of the ledger, when the job is on record. */
  readonly job: Job & Partial<JobRecord>;
  readonly doc: DocumentCase;
  /** Hash of the present target; undefined: there is none. */
  readonly found: Hash | undefined;
}

export async function judgeDocument(
  { purchasing, ledger, lock }: Surroundings,
  { job, doc, found }: LookedAtDocument,
): Promise<DocumentVerdict> {
  const { release } = job;
  const own = job.wrote?.find(({ path }) => path === doc.targetPath);
  const source = sourceHashOf(job.fingerprint);
  const path = doc.targetPath;
  if (found === source) requireOwnFile(doc.sourcePath, doc.targetFile);
  const files = [doc.sourcePath, doc.targetFile] as const;
  const from = job.delivered ? { from: sourceHashOf(job.delivered) } : {};
  const locked = await lockedTarget({
    ...{ job, lock, files, source, found, path, left: own && { ...from, ...own } },
    root: doc.project.root,
  });
  const stated = locked ?? (await putBack(purchasing, { job, doc, found }, own));
  const left = stated ?? own;
  return decideDocument({
    job,
    found,
    left,
    // A target that a person changed does not depend on terms of dragoman.
    isOutdated: left !== undefined && left.hash === found && doc.isOutdated(left.hash),
    delivered: stated === undefined ? (job.delivered ?? null) : deliveredOf(stated, job),
    release: release?.fingerprint === job.fingerprint ? release : undefined,
    purchase: purchasing.purchases.get(doc.key),
    policies: doc.route.policies,
    factsLost: ledger.condition === 'facts-lost',
  });
}

/**
 * The target, when git or a program put the result for an earlier source back. It is replaced where this costs nothing: the result for the
 * present source is here, or is not bought yet.
 */
async function putBack(
  { purchases, spool }: PurchaseContext,
  { job, doc: { key, targetPath: path }, found }: LookedAtDocument,
  own: Written | undefined,
): Promise<Written | undefined> {
  if (found === undefined || own === undefined || own.hash === found) return undefined;
  const earlier = purchases.ofResult(found);
  if (earlier?.project !== job.project || earlier.language !== job.language) return undefined;
  if (earlier.sourceHash === sourceHashOf(job.fingerprint)) return undefined;
  const isBought = purchases.get(key)?.stage.kind === 'downloaded';
  if (isBought && (await spool.resultFiles(key).find()) === undefined) return undefined;
  return { path, hash: found, stat: own.stat, from: earlier.sourceHash };
}

/** A translation of this content on the other side of a merge: it need not be bought again. */
export async function otherSide(
  { purchasing, lock }: Surroundings,
  { job, doc, found }: LookedAtDocument,
): Promise<OtherSide | undefined> {
  if (purchasing.purchases.get(doc.key) !== undefined) return undefined;
  const { targetPath: path, project } = doc;
  const files = [doc.sourcePath, doc.targetFile] as const;
  const source = sourceHashOf(job.fingerprint);
  const { root } = project;
  return await onOtherSide({ job, lock, files, source, found, path, left: undefined, root });
}

/** The fingerprint that a file of the team was made from: the present one, or null when it is unknown here. */
function deliveredOf({ from }: Written, { fingerprint }: Job): Fingerprint | null {
  return from === sourceHashOf(fingerprint) ? fingerprint : null;
}
