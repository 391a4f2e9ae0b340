/** What the lock and the history of the repository say of a file that is translated whole. */
import { hashBytes } from '../files/disk.ts';
import { pointedTo } from '../files/lfs.ts';
import { partsText } from '../format.ts';
import type { Job } from '../job.ts';
import type { Written } from '../ledger.ts';
import { hashesOfBytes } from '../segments/statements.ts';
import { type FormerPlace, type LockFiles, statementsAt } from '../state/lock-file.ts';
import { askHistory, formerFiles, type HistoryQuestion, unitsAt } from '../translate/past.ts';
import { authorOf, isUnexplained, type StandingTarget, statedTarget } from './stated-target.ts';

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

async function historyOf(placed: Placed, lock: LockFiles) {
  const past = await askHistory({
    ...questionOf(placed, lock),
    ...{ unexplained: [WHOLE], bought: [] },
    read: async (_, bytes) => [{ id: WHOLE, parts: [pointedTo(bytes) ?? hashBytes(bytes)] }],
  });
  return past?.history.get(WHOLE);
}

function questionOf(
  { job, root, files, output, source, found, formerly }: Placed,
  lock: LockFiles,
): Omit<HistoryQuestion, 'unexplained' | 'bought' | 'read'> {
  return {
    ...{ job, lock, files, isKeyed: true, ...formerFiles(root, formerly) },
    texts: () => ({ source, target: found }),
    units: () => unitsAt(job.source, formerly, output),
    hashes: {
      source: (hash) => hashesOfBytes(hash).source,
      target: (hash) => hashesOfBytes(hash).target,
    },
  };
}

/** A file that another side of a merge has for this very source. */
export interface OtherSide {
  readonly bytes: Buffer;
  /** Absent: the machine. */
  readonly by?: Written['by'];
}

/** Undefined where there is none, or where git holds only a pointer to it. */
export async function onOtherSide(locked: LockedTarget): Promise<OtherSide | undefined> {
  const { job, lock } = locked;
  if (lock === undefined) return undefined;
  const formerly = await lock.formerPlace(job);
  const contents = new Map<string, Buffer>();
  const past = await askHistory({
    ...questionOf({ ...locked, formerly }, lock),
    ...{ unexplained: [], bought: [WHOLE] },
    read: async (_, bytes) => {
      const hash = pointedTo(bytes) ?? hashBytes(bytes);
      if (pointedTo(bytes) === undefined) contents.set(hash, bytes);
      return [{ id: WHOLE, parts: [hash] }];
    },
  });
  const text = past?.elsewhere.get(WHOLE);
  const bytes = text && contents.get(partsText(text.parts));
  return bytes && text && { bytes, ...authorOf(text.origin) };
}

/** A file that is one text. */
const WHOLE = '';
