/** Regular upkeep of the state: removes what is older than `keep`, folds old charges, and makes the daily copy of the ledger. */
import type { Keep } from '../config.ts';
import { describeFailure, failureOf } from '../failure.ts';
import type { Ledger } from '../ledger.ts';
import { CHARGES_STAND_MS, foldsOf } from '../state/folding.ts';
import type { Workspace, World } from './workspace.ts';

export type Retained = Pick<Workspace, 'ledger' | 'trash' | 'undo' | 'backups' | 'edits'>;

/** A chore that fails emits an event, and is tried again the next time. */
export async function applyRetention(
  state: Retained,
  keep: Keep,
  { clock, events }: Pick<World, 'clock' | 'events'>,
): Promise<void> {
  const { ledger, trash, undo, backups, edits } = state;
  const chores = [
    ['emptying the trash', () => trash.expire(keep.trash)],
    ['forgetting old runs', () => undo.expire(keep.undo)],
    ['forgetting who changed texts', () => edits.expire(keep.edits)],
    ['folding old charges', () => foldCharges(ledger, clock.now() - CHARGES_STAND_MS)],
    ['copying the ledger', () => backups?.keep(() => ledger.checkpoint(), keep.backup)],
  ] as const;
  for (const [what, work] of chores) {
    try {
      await work();
    } catch (error) {
      const message = describeFailure(failureOf(error));
      events.emit({ kind: 'housekeeping-failed', what, message });
    }
  }
}

/**
 * After a loss of paid facts, jobs that may have been paid before are held. Called when all of them have been looked at: later jobs
 * are new.
 */
export async function forgetLoss({ ledger }: Pick<Workspace, 'ledger'>): Promise<void> {
  if (ledger.condition === 'facts-lost') await ledger.forgetLoss();
}

async function foldCharges(ledger: Ledger, before: number): Promise<void> {
  for (const facts of foldsOf(ledger, before)) await ledger.commit(facts);
}
