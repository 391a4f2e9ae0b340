/** What is done now and then: old things go by `keep`, and the day's copy of the ledger is made. */
import type { Keep } from './config.ts';
import type { Events } from './event.ts';
import { describeFailure, failureOf } from './failure.ts';
import type { Workspace } from './workspace.ts';

export type House = Pick<Workspace, 'ledger' | 'trash' | 'undo' | 'backups'>;

/** Nothing waits for it: what fails is told and tried again the next time. */
export async function keepHouse(house: House, keep: Keep, events: Events): Promise<void> {
  const { ledger, trash, undo, backups } = house;
  const chores = [
    ['emptying the trash', () => trash.expire(keep.trash)],
    ['forgetting old runs', () => undo.expire(keep.undo)],
    ['copying the ledger', () => backups.keep(() => ledger.checkpoint(), keep.backup)],
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
