/** Holds a bulk change that bills, with the price of the whole: after a switch of the branch, or when a backup was restored. */
import { isoTime } from '../clock.ts';
import type { Config } from '../config.ts';
import { ofJob } from '../event.ts';
import type { Hold, Job } from '../job.ts';
import type { CountedPurchases, Estimate } from '../lane.ts';
import { inBatches } from '../parsing/within.ts';
import { bulkChangeOf, guardHold } from '../plan/bulk-change.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { writeDown } from './entries.ts';
import type { Workspace, World } from './workspace.ts';

export interface BulkChangeOptions {
  readonly workspace: Pick<Workspace, 'ledger' | 'publications'>;
  readonly world: Pick<World, 'clock' | 'events'>;
  readonly guard: Config['guard'];
  /** See `LaneWorker.estimate`. */
  estimate(job: Job, counted: CountedPurchases): Promise<Estimate>;
}

/** @returns the jobs that are not held */
export async function holdBulkChange(
  work: readonly PlannedJob[],
  options: BulkChangeOptions,
): Promise<readonly PlannedJob[]> {
  const { guard } = options;
  const bulkChange = guard === undefined ? [] : bulkChangeOf(work);
  if (guard === undefined || bulkChange.length === 0) return work;
  const priced = await priceAll(bulkChange, options);
  const files = new Set(priced.map(({ planned: { job } }) => `${job.project}/${job.source}`));
  const characters = priced.reduce((sum, job) => sum + job.characters, 0);
  const hold = guardHold(guard, { files: files.size, characters });
  if (hold === undefined) return work;
  await holdAll(priced, hold, options);
  const held = new Set(priced.map(({ planned }) => planned));
  return work.filter((planned) => !held.has(planned));
}

interface PricedJob {
  readonly planned: PlannedJob;
  readonly characters: number;
}

/** A file that cannot be read has no price: its job reports the failure. */
async function priceAll(
  bulkChange: readonly PlannedJob[],
  { estimate }: BulkChangeOptions,
): Promise<readonly PricedJob[]> {
  const counted = new Set<string>();
  const priceOf = async (planned: PlannedJob, before: Promise<void>) => {
    const inTurn = before.then(() => counted);
    const characters = await estimate(planned.job, inTurn).then(
      (found) => found.characters,
      () => 0,
    );
    return characters > 0 ? [{ planned, characters }] : [];
  };
  return (await Array.fromAsync(inBatches(bulkChange, priceOf))).flat(2);
}

async function holdAll(
  priced: readonly PricedJob[],
  hold: Hold,
  { workspace, world }: BulkChangeOptions,
): Promise<void> {
  const at = isoTime(world.clock);
  const state = { kind: 'held', at, hold } as const;
  const entries = priced.map(({ planned, characters: estimate }) => ({
    planned,
    entry: { state, estimate },
  }));
  await writeDown(entries, workspace);
  const first = priced[0]?.planned.job;
  if (first === undefined) return;
  world.events.emit({ kind: 'job-held', hold, ...ofJob(first) });
}
