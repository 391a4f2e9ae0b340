/** What the lock and the history of the repository say of a file that is translated whole. */
import { hashBytes } from '../files/disk.ts';
import { pointedTo } from '../files/lfs.ts';
import type { Job } from '../job.ts';
import type { Written } from '../ledger.ts';
import { hashesOfBytes, unitId } from '../segments/statements.ts';
import type { LockFiles } from '../state/lock-file.ts';
import { askHistory } from '../translate/past.ts';
import { isUnexplained, type StandingTarget, statedTarget } from './stated-target.ts';

export interface LockedTarget extends Omit<StandingTarget, 'statements' | 'history'> {
  readonly job: Job;
  /** Absent: the config names none. */
  readonly lock: LockFiles | undefined;
  /** Absolute, of the source and of the target. */
  readonly files: readonly [source: string, target: string];
  /** Of a job with several. */
  readonly output?: string;
}

/** @returns what was left there and from which source; undefined where lock and history say nothing and this machine decides */
export async function lockedTarget(locked: LockedTarget): Promise<Written | undefined> {
  const { job, lock, output } = locked;
  const index = await lock?.index(job);
  const statements = index && (index.get(unitId(job.source, output)) ?? []);
  const target: StandingTarget = { ...locked, statements };
  if (lock === undefined || !isUnexplained(target)) return statedTarget(target);
  const history = await historyOf(locked, lock);
  return statedTarget(history === undefined ? target : { ...target, history });
}

async function historyOf({ job, files, output, source, found }: LockedTarget, lock: LockFiles) {
  const past = await askHistory({
    ...{ job, lock, files, isKeyed: true },
    texts: () => ({ source, target: found }),
    ...{ unexplained: [WHOLE], bought: [] },
    unit: () => unitId(job.source, output),
    hashes: {
      source: (hash) => hashesOfBytes(hash).source,
      target: (hash) => hashesOfBytes(hash).target,
    },
    read: async (_, bytes) => [{ id: WHOLE, parts: [pointedTo(bytes) ?? hashBytes(bytes)] }],
  });
  return past?.history.get(WHOLE);
}

/** A file that is one text. */
const WHOLE = '';
