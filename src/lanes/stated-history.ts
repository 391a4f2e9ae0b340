/** What the lock and the history of the repository say of a file that is translated whole. */
import { hashBytes } from '../files/disk.ts';
import { pointedTo } from '../files/lfs.ts';
import type { Job } from '../job.ts';
import type { Written } from '../ledger.ts';
import { hashesOfBytes } from '../segments/statements.ts';
import { type FormerPlace, type LockFiles, statementsAt } from '../state/lock-file.ts';
import { askHistory, formerFiles, unitsAt } from '../translate/past.ts';
import { isUnexplained, type StandingTarget, statedTarget } from './stated-target.ts';

export interface LockedTarget extends Omit<StandingTarget, 'statements' | 'history'> {
  readonly job: Job;
  /** Absent: the config names none. */
  readonly lock: LockFiles | undefined;
  /** Absolute, of the source and of the target. */
  readonly files: readonly [source: string, target: string];
  /** Absolute, of the project. */
  readonly root: string;
  /** Of a job with several. */
  readonly output?: string;
}

/** @returns what was left there and from which source; undefined where lock and history say nothing and this machine decides */
export async function lockedTarget(locked: LockedTarget): Promise<Written | undefined> {
  const { job, lock, output } = locked;
  const index = await lock?.index(job);
  const formerly = locked.left === undefined ? await lock?.formerPlace(job) : undefined;
  const statements = index && statementsAt(index, { source: job.source, formerly }, output);
  const target: StandingTarget = { ...locked, statements };
  if (lock === undefined || !isUnexplained(target)) return statedTarget(target);
  const history = await historyOf({ ...locked, formerly }, lock);
  return statedTarget(history === undefined ? target : { ...target, history });
}

interface Placed extends LockedTarget {
  readonly formerly: FormerPlace | undefined;
}

async function historyOf(
  { job, root, files, output, source, found, formerly }: Placed,
  lock: LockFiles,
) {
  const past = await askHistory({
    ...{ job, lock, files, isKeyed: true, ...formerFiles(root, formerly) },
    texts: () => ({ source, target: found }),
    ...{ unexplained: [WHOLE], bought: [] },
    units: () => unitsAt(job.source, formerly, output),
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
