/** The half of a state that belongs to a folder tree, where daemons share it. */
import type { Baselines } from '../baseline.ts';
import type { JobId } from '../job.ts';
import type { Ledger } from '../ledger.ts';
import type { TreeQueues } from './postgres/boss.ts';

/** `leads`: one daemon at a time, which knows the whole tree. `works`: it knows what it runs. */
export type TreeTask = 'leads' | 'works';

/** The file of a state folder that says of which tree its jobs are now. */
export const PUSHED = 'tree.json';

export interface Tree extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly baselines: Baselines;
  readonly queues: TreeQueues;
  /** Hears which jobs other daemons have changed. */
  hear(listener: (jobs: readonly JobId[]) => void): void;
}
