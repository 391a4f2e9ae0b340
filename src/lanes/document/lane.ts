/** The document lane: a file is sent to the service as a whole, is billed once, and is returned once. */
import { join } from 'node:path';
import { type Clock, isoTime } from '../../clock.ts';
import { ofJob } from '../../event.ts';
import { isPassing, JobFailure } from '../../failure.ts';
import { hashIfPresent, holdsStill, statOf } from '../../files/disk.ts';
import type { SpooledFile } from '../../files/spool-folder.ts';
import type { Hash, Hold } from '../../job.ts';
import { sourceHashOf } from '../../job.ts';
import type { LaneResult, LaneRun, LaneWorker } from '../../lane.ts';
import type { JobRecord, Written } from '../../ledger.ts';
import { isUnderWay } from '../../state/document-purchase.ts';
import { TakenOver } from '../../state/shared-purchases.ts';
import type { Trash } from '../../state/trash.ts';
import { editedTarget } from '../edited-target.ts';
import { BUSY_MS } from '../remote-purchase.ts';
import type { OtherSide } from '../stated-history.ts';
import { appraise } from './appraise.ts';
import { buyAgain, buyDocument, keptOrThrow } from './buy.ts';
import { afterDelivery } from './copies.ts';
import { type DocumentVerdict, isReplaced } from './decisions/decide.ts';
import { isAskedAgain, isTakenAsItIs } from './decisions/renewal.ts';
import { type DocumentCase, documentDamage } from './document-case.ts';
import { doubtAbout } from './doubt.ts';
import { fetchRemaining } from './fetch-remaining.ts';
import { type DocumentPublication, publishBeside, publishResult, removeBeside } from './publish.ts';
import type { PurchaseProgress } from './purchase-context.ts';
import { quoteDocument } from './quote.ts';
import { recoverResult } from './recover-result.ts';
import { documentCaseOf, judgeDocument, otherSide, type Surroundings } from './situation.ts';
import { fetchUnclaimed } from './unclaimed.ts';

export interface DocumentLaneOptions extends Surroundings {
  readonly trash: Trash;
  readonly clock: Clock;
  /** See `hourlySweep`. */
  sweep(): Promise<void>;
}

export function documentLane(options: DocumentLaneOptions): LaneWorker {
  return {
    lane: 'document',
    async run(run) {
      await options.sweep();
      try {
        return await runJob(options, run);
      } catch (error) {
        if (!(error instanceof TakenOver)) throw error;
        return { kind: 'poll', at: options.clock.now() + BUSY_MS };
      }
    },
    estimate: async (job, counted) => await appraise(options, job, await counted),
  };
}

/** @throws TakenOver */
async function runJob(options: DocumentLaneOptions, run: LaneRun): Promise<LaneResult> {
  const isWanted = () => options.inForce.planner.wants(run.job);
  const result = isWanted() ? await work(options, run) : undefined;
  if (result?.kind === 'delivered') reportDamage(options, run.job);
  if (result !== undefined && (result.kind !== 'superseded' || isWanted())) return result;
  return await fetchUnclaimed(options, run);
}

function reportDamage(
  { purchasing, inForce: { planner } }: DocumentLaneOptions,
  record: JobRecord,
): void {
  const { project, source } = record;
  const root = planner.project(project)?.root;
  const findings = root === undefined ? [] : documentDamage(join(root, source), source);
  if (findings.length === 0) return;
  purchasing.events.emit({ kind: 'source-damaged', findings, ...ofJob(record) });
}

/** What is paid is fetched also when the present content cannot be translated, or the source cannot be read. */
async function work(options: DocumentLaneOptions, run: LaneRun): Promise<LaneResult> {
  let doc: DocumentCase | undefined;
  try {
    doc = await documentCaseOf(options, run.job);
    return await workOn(options, run, doc);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    if (isPassing(error.failure) && error.failure.kind !== 'unreadable') throw error;
    const next = await fetchRemaining(options.purchasing, run, doc?.key);
    if (next === undefined) throw error;
    return { kind: 'poll', at: next };
  }
}

async function workOn(
  options: DocumentLaneOptions,
  run: LaneRun,
  doc: DocumentCase,
): Promise<LaneResult> {
  const { purchasing } = options;
  if (purchasing.inProgress.has(doc.key))
    return { kind: 'poll', at: purchasing.clock.now() + BUSY_MS };
  using _ = purchasing.inProgress.begin(doc.key);
  await purchasing.purchases.inherit(doc.key, run.job);
  // If the ledger has lost facts, a person decides.
  if (options.ledger.condition !== 'facts-lost') await recoverResult(purchasing, run.job, doc);
  const earlier = await fetchRemaining(purchasing, run, doc.key);
  const result = await runDocument(options, run, doc);
  const isOver = result.kind === 'delivered' || result.kind === 'held';
  return isOver && earlier !== undefined ? { kind: 'poll', at: earlier } : result;
}

async function runDocument(
  options: DocumentLaneOptions,
  run: LaneRun,
  doc: DocumentCase,
): Promise<LaneResult> {
  const found = await hashIfPresent(doc.targetFile, run.signal);
  const verdict = await judgeDocument(options, { job: run.job, doc, found });
  if (isReplaced(verdict)) {
    const other = await otherSide(options, { job: run.job, doc, found });
    if (other !== undefined) return await takeOver(options, run, { doc, found, other });
  }
  switch (verdict.kind) {
    case 'leave':
      return await leave(options, run, { doc, found, by: verdict.by });
    case 'hold':
      return await hold(options, { doc, found, verdict });
    case 'obtain':
      return await obtain(options, run, { doc, found, how: verdict.place });
  }
}

async function leave(
  { purchasing, clock }: DocumentLaneOptions,
  run: LaneRun,
  { doc, found, by }: { doc: DocumentCase; found: Hash | undefined; by: Written['by'] },
): Promise<LaneResult> {
  const { stage } = purchasing.purchases.get(doc.key) ?? {};
  if (stage?.kind === 'downloaded') await removeBeside(run, doc, stage.hash);
  const state = { kind: 'done', at: isoTime(clock) } as const;
  return { kind: 'delivered', wrote: await current(doc, found, by), changed: [], state };
}

/** The present target, in the form for the ledger. */
async function current(
  { targetPath: path, targetFile }: DocumentCase,
  hash: Hash | undefined,
  by: Written['by'],
): Promise<Written[]> {
  const stat = await statOf(targetFile);
  if (hash === undefined || stat === undefined) return [];
  return [{ path, hash, stat, ...(by === undefined ? {} : { by }) }];
}

interface Taking {
  readonly doc: DocumentCase;
  readonly found: Hash | undefined;
  readonly other: OtherSide;
}

/** Takes a target from the other side of a merge: it was paid before the merge dropped it. */
async function takeOver(
  { purchasing, clock, trash }: DocumentLaneOptions,
  run: LaneRun,
  { doc, found, other }: Taking,
): Promise<LaneResult> {
  if (!(await isCurrent(doc))) return { kind: 'superseded' };
  const kept = await purchasing.spool.acceptResult(doc.key, other.bytes);
  const { wrote, changed } = await publishResult({ run, doc, kept, found, trash }, 'ours');
  await purchasing.spool.drop(doc.key);
  const state = { kind: 'done', at: isoTime(clock) } as const;
  const { by } = other;
  return {
    kind: 'delivered',
    wrote: [by === undefined ? wrote : { ...wrote, by }],
    changed,
    state,
  };
}

type Holding = Extract<DocumentVerdict, { kind: 'hold' }>;

async function hold(
  options: DocumentLaneOptions,
  { doc, found, verdict }: { doc: DocumentCase; found: Hash | undefined; verdict: Holding },
): Promise<LaneResult> {
  const { characters } = await quoteDocument(options.purchasing, doc);
  return verdict.why === 'state-lost'
    ? heldBecause(options.clock, { kind: 'state-lost', characters })
    : {
        ...heldBecause(options.clock, editedTarget({ ...doc, lock: options.lock }, { characters })),
        wrote: await current(doc, found, verdict.by),
      };
}

interface Obtaining {
  readonly doc: DocumentCase;
  readonly found: Hash | undefined;
  readonly how: Extract<DocumentVerdict, { kind: 'obtain' }>['place'];
}

async function obtain(
  options: DocumentLaneOptions,
  run: LaneRun,
  { doc, found, how }: Obtaining,
): Promise<LaneResult> {
  const { purchasing } = options;
  const purchase = purchasing.purchases.get(doc.key);
  // Proves that the claim is still valid: older content must not be bought.
  if (purchase === undefined || !isUnderWay(purchase)) await run.step({ kind: 'intent' });
  const order = { job: run.job, doc, signal: run.signal };
  const progress = await buyDocument(purchasing, order);
  if (progress.kind !== 'kept') return unfinished(options, progress);
  // The result is paid and kept; the newer content is delivered instead.
  if (!(await isCurrent(doc))) return { kind: 'superseded' };
  const doubt = await unresolvedDoubt(options, run, { doc, kept: progress.kept });
  if (doubt !== undefined) {
    const bought = purchasing.purchases.get(doc.key);
    if (bought === undefined || !isAskedAgain(run.job, bought)) return doubt;
    return unfinished(options, await buyAgain(purchasing, order));
  }
  const placement = { run, doc, found, trash: options.trash, kept: progress.kept };
  return how === 'beside'
    ? await putBeside(options.clock, placement)
    : await deliver(options, placement, how);
}

function unfinished({ clock }: DocumentLaneOptions, progress: PurchaseProgress): LaneResult {
  const open = keptOrThrow(progress);
  switch (open.kind) {
    case 'wait':
      return { kind: 'poll', at: open.at };
    case 'hold':
      return heldBecause(clock, open.hold);
    case 'stale':
      return { kind: 'superseded' };
    case 'kept':
      // The result came before the document was sent again: the next turn takes it.
      return { kind: 'poll', at: clock.now() };
  }
}

/** The hold of a doubtful result; undefined: it may be delivered. A doubt that is only a warning is emitted. */
async function unresolvedDoubt(
  { purchasing, clock }: DocumentLaneOptions,
  { job }: LaneRun,
  { doc, kept }: { doc: DocumentCase; kept: SpooledFile },
): Promise<LaneResult | undefined> {
  const purchase = purchasing.purchases.get(doc.key);
  // A document without text was not translated, so there is no doubt.
  if (purchase === undefined || isTakenAsItIs(job, purchase)) return undefined;
  const { stage } = purchase;
  const flaw = stage.kind === 'downloaded' ? stage.flaw : undefined;
  const doubt = await doubtAbout(doc, kept, flaw);
  if (doubt === undefined) return undefined;
  const { message, severity } = doubt;
  if (severity === 'hold') {
    return heldBecause(clock, { kind: 'doubtful', message, characters: purchase.estimate });
  }
  purchasing.events.emit({ kind: 'result-doubted', finding: message, ...ofJob(job) });
  return undefined;
}

async function isCurrent({ sourcePath, source, job }: DocumentCase): Promise<boolean> {
  return source.hash === sourceHashOf(job.fingerprint) && (await holdsStill(sourcePath, source));
}

async function deliver(
  { purchasing, clock, ledger }: DocumentLaneOptions,
  placement: DocumentPublication,
  how: 'replace' | 'replace-and-keep-old',
): Promise<LaneResult> {
  const old = how === 'replace' ? 'ours' : 'kept';
  const { wrote, changed } = await publishResult(placement, old);
  const { run, doc } = placement;
  const purchase = purchasing.purchases.get(doc.key);
  const after = () => afterDelivery(ledger, [{ job: run.job, purchase }]);
  const { sources } = after();
  await run.record(() => after().facts);
  for (const source of sources) run.replan(source);
  const state = { kind: 'done', at: isoTime(clock) } as const;
  return { kind: 'delivered', wrote: [wrote], changed, state };
}

async function putBeside(clock: Clock, placement: DocumentPublication): Promise<LaneResult> {
  const { doc, found } = placement;
  const beside = await publishBeside(placement);
  return {
    ...heldBecause(clock, { kind: 'edited-target', beside }),
    wrote: await current(doc, found, 'person'),
  };
}

function heldBecause(clock: Clock, reason: Hold): Extract<LaneResult, { kind: 'held' }> {
  return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold: reason } };
}
