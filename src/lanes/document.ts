/** The document lane: a file goes to the service whole, is billed once, and comes back once. */
import { type Clock, isoTime } from '../clock.ts';
import { hashIfPresent, statOf } from '../disk.ts';
import { appraise } from '../documents/appraise.ts';
import { buy, keptOrThrow } from '../documents/buy.ts';
import type { DocumentCase } from '../documents/document-case.ts';
import { bringHome } from '../documents/fetch.ts';
import { refuseBrokenFilm } from '../documents/film-gate.ts';
import { type Placement, placeBeside, placeResult, removeBeside } from '../documents/place.ts';
import { quote } from '../documents/quote.ts';
import type { Verdict } from '../documents/rules/decide.ts';
import { isUnderWay, type PurchaseKey } from '../documents/rules/purchase.ts';
import { caseOf, judge, type Surroundings } from '../documents/situation.ts';
import { hourlySweep } from '../documents/sweep.ts';
import type { Hash, Hold } from '../job.ts';
import type { LaneResult, LaneRun, LaneWorker } from '../lane.ts';
import type { Written } from '../ledger.ts';
import { sourceHashOf } from '../recipe.ts';
import type { Trash } from '../trash.ts';

export interface DocumentLaneOptions extends Surroundings {
  readonly trash: Trash;
  readonly clock: Clock;
  /** Milliseconds that results stay in the spool. */
  keepMs(): number;
}

/** Milliseconds until a job asks again for a document that another one is just buying. */
const BUSY_MS = 1000;

export function documentLane(options: DocumentLaneOptions): LaneWorker {
  const busy = new Set<PurchaseKey>();
  const sweep = hourlySweep(options);
  return {
    lane: 'document',
    async run(run) {
      await sweep();
      const doc = caseOf(options, run.job);
      // Copies of a document share its purchase: one of them at a time works on it.
      if (busy.has(doc.key)) return { kind: 'poll', at: options.clock.now() + BUSY_MS };
      busy.add(doc.key);
      try {
        const earlier = await settleEarlier(options, run, { doc, busy });
        const result = await attempt(options, run, doc);
        const isOver = result.kind === 'delivered' || result.kind === 'held';
        return isOver && earlier !== undefined ? { kind: 'poll', at: earlier } : result;
      } finally {
        busy.delete(doc.key);
      }
    },
    estimate: (job, counted) => appraise(options, job, counted),
  };
}

/**
 * What was bought for older content of the same source is brought home too: it is paid, and may be wanted again.
 * @returns when to look again; undefined when nothing is left
 */
async function settleEarlier(
  { shop, clock }: DocumentLaneOptions,
  { job, signal }: LaneRun,
  { doc, busy }: { doc: DocumentCase; busy: ReadonlySet<PurchaseKey> },
): Promise<number | undefined> {
  let next: number | undefined;
  for (const purchase of shop.purchases.earlier(job.id, doc.key)) {
    if (busy.has(purchase.key)) {
      next = clock.now() + BUSY_MS;
      continue;
    }
    if (purchase.stage.kind === 'closing') {
      await shop.purchases.put({ ...purchase, stage: { kind: 'in-doubt' } });
      continue;
    }
    const progress = await bringHome(shop, purchase, signal);
    if (progress.kind === 'wait') next = Math.min(next ?? progress.at, progress.at);
  }
  return next;
}

async function attempt(
  options: DocumentLaneOptions,
  run: LaneRun,
  doc: DocumentCase,
): Promise<LaneResult> {
  const found = await hashIfPresent(doc.targetFile);
  const verdict = judge(options, { job: run.job, doc, found });
  switch (verdict.kind) {
    case 'leave':
      return await leave(options, { doc, found, by: verdict.by });
    case 'hold':
      return await hold(options, { doc, found, why: verdict.why });
    case 'obtain':
      return await obtain(options, run, { doc, found, how: verdict.place });
  }
}

async function leave(
  { shop, clock }: DocumentLaneOptions,
  { doc, found, by }: { doc: DocumentCase; found: Hash | undefined; by: Written['by'] },
): Promise<LaneResult> {
  const { stage } = shop.purchases.get(doc.key) ?? {};
  if (stage?.kind === 'downloaded') await removeBeside(doc, stage.hash);
  const state = { kind: 'done', at: isoTime(clock) } as const;
  return { kind: 'delivered', wrote: await standing(doc, found, by), changed: [], state };
}

/** What stands at the target's place, as it is to be recorded. */
async function standing(
  { targetPath: path, targetFile }: DocumentCase,
  hash: Hash | undefined,
  by: Written['by'],
): Promise<Written[]> {
  const stat = await statOf(targetFile);
  if (hash === undefined || stat === undefined) return [];
  return [{ path, hash, stat, ...(by === undefined ? {} : { by }) }];
}

async function hold(
  options: DocumentLaneOptions,
  {
    doc,
    found,
    why,
  }: { doc: DocumentCase; found: Hash | undefined; why: 'edited-target' | 'state-lost' },
): Promise<LaneResult> {
  const { characters } = await quote(options.shop, doc);
  return why === 'state-lost'
    ? heldBecause(options.clock, { kind: 'state-lost', characters })
    : {
        ...heldBecause(options.clock, { kind: 'edited-target', beside: null, characters }),
        wrote: await standing(doc, found, 'person'),
      };
}

interface Obtaining {
  readonly doc: DocumentCase;
  readonly found: Hash | undefined;
  readonly how: Extract<Verdict, { kind: 'obtain' }>['place'];
}

async function obtain(
  options: DocumentLaneOptions,
  run: LaneRun,
  { doc, found, how }: Obtaining,
): Promise<LaneResult> {
  const { shop, clock, trash } = options;
  const purchase = shop.purchases.get(doc.key);
  // Proves that the claim still stands, before older content is paid for.
  if (purchase === undefined || !isUnderWay(purchase)) await run.step({ kind: 'intent' });
  const progress = keptOrThrow(await buy(shop, { job: run.job, doc, signal: run.signal }));
  switch (progress.kind) {
    case 'wait':
      return { kind: 'poll', at: progress.at };
    case 'hold':
      return heldBecause(clock, progress.hold);
    case 'stale':
      return { kind: 'superseded' };
    case 'kept': {
      // Paid and kept; the newer content wins (decisions.md 16).
      if (!(await isCurrent(doc))) return { kind: 'superseded' };
      const placement = { run, doc, found, trash, kept: progress.kept };
      const refused = refuseUntranslated(placement) ?? (await refuseBrokenFilm(doc, progress.kept));
      if (refused !== undefined) return heldBecause(clock, refused);
      return how === 'beside'
        ? await offerBeside(clock, placement)
        : await deliver(clock, placement, how);
    }
  }
}

async function isCurrent({ sourcePath, source, job }: DocumentCase): Promise<boolean> {
  if (source.hash !== sourceHashOf(job.fingerprint)) return false;
  if ((await statOf(sourcePath)) === source.stat) return true;
  return (await hashIfPresent(sourcePath)) === source.hash;
}

function refuseUntranslated({ doc, kept }: Placement): Hold | undefined {
  const { checks } = doc.route.policies;
  if (checks.untranslated !== 'hold' || kept.hash !== doc.source.hash) return undefined;
  return {
    kind: 'unsuitable',
    message: 'the service returned the document as it was sent',
    advice:
      'check the source language of the project, or allow it with checks: { untranslated: warn }',
  };
}

async function deliver(
  clock: Clock,
  placement: Placement,
  how: 'replace' | 'replace-and-keep-old',
): Promise<LaneResult> {
  const old = how === 'replace' ? 'ours' : 'kept';
  const { wrote, changed } = await placeResult(placement, old);
  const state = { kind: 'done', at: isoTime(clock) } as const;
  return { kind: 'delivered', wrote: [wrote], changed, state };
}

async function offerBeside(clock: Clock, placement: Placement): Promise<LaneResult> {
  const { doc, found } = placement;
  const beside = await placeBeside(placement);
  return {
    ...heldBecause(clock, { kind: 'edited-target', beside }),
    wrote: await standing(doc, found, 'person'),
  };
}

function heldBecause(clock: Clock, reason: Hold): Extract<LaneResult, { kind: 'held' }> {
  return { kind: 'held', state: { kind: 'held', at: isoTime(clock), hold: reason } };
}
