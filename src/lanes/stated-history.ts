/** Reads the statements of the lock and of the history of the repository about a file that is translated whole. */
import { JobFailure } from '../failure.ts';
import { pointedTo } from '../files/lfs.ts';
import { type CheckedOut, checkedOut, checkedOutAs } from '../files/line-ends.ts';
import { partsText } from '../format.ts';
import type { Hash, Job } from '../job.ts';
import type { Written } from '../ledger.ts';
import { hashesOfBytes } from '../segments/statements.ts';
import { type FormerPath, type LockFiles, statementsAt } from '../state/lock-file.ts';
import { askHistory, formerFiles, type HistoryQuestion, unitsAt } from '../translate/past.ts';
import {
  authorOf,
  type CurrentTarget,
  isUnexplained,
  mayBeStated,
  statedTarget,
} from './stated-target.ts';

export interface LockedTarget extends Omit<CurrentTarget, 'statements' | 'history'> {
  readonly job: Job;
  /** Undefined: the config names no lock. */
  readonly lock: LockFiles | undefined;
  /** Absolute paths of the source and of the target. */
  readonly files: readonly [source: string, target: string];
  /** Absolute root of the project. */
  readonly root: string;
  /** Which output, for a job with several. */
  readonly output?: string;
}

/**
 * @returns who wrote the target and for which source; undefined when lock and history do not say it: then the ledger of this
 * machine decides
 */
export async function lockedTarget(locked: LockedTarget): Promise<Written | undefined> {
  const { job, lock, output } = locked;
  const index = await lock?.index(job);
  const formerly = locked.left === undefined ? await lock?.formerPath(job) : undefined;
  const statements = index && statementsAt(index, { source: job.source, formerly }, output);
  const asStated: CurrentTarget = { ...locked, statements };
  if (lock === undefined || !mayBeStated(asStated)) return statedTarget(asStated);
  const here = await filesHere(locked);
  const target = { ...asStated, alike: { source: here.source.all, found: here.found.all } };
  if (!isUnexplained(target)) return statedTarget(target);
  const history = await historyOf({ ...locked, formerly, here }, lock);
  return statedTarget(history === undefined ? target : { ...target, history });
}

interface FormerTarget extends LockedTarget {
  readonly formerly: FormerPath | undefined;
  readonly here: FilesHere;
}

type FilesHere = Readonly<Record<'source' | 'found', CheckedOut>>;

async function filesHere({ files, source, found }: LockedTarget): Promise<FilesHere> {
  const [ofSource, ofTarget] = files;
  const none = { text: NO_HASH, all: [NO_HASH] } as const;
  return {
    source: await checkedOutStill(ofSource, source),
    found: found === undefined ? none : await checkedOutStill(ofTarget, found),
  };
}

const NO_HASH = '' as Hash;

/** @param hash of the bytes that were read: the file may have other content by now */
async function checkedOutStill(path: string, hash: Hash): Promise<CheckedOut> {
  const asItWas = { text: hash, all: [hash] } as const;
  try {
    const now = await checkedOut(path);
    return now.all[0] === hash ? now : asItWas;
  } catch (error) {
    // The reader of the content reports the failure.
    if (error instanceof JobFailure) return asItWas;
    throw error;
  }
}

async function historyOf(placed: FormerTarget, lock: LockFiles) {
  const past = await askHistory({
    ...questionOf(placed, lock),
    ...{ unexplained: [WHOLE], bought: [] },
    read: async (file, bytes) => [{ id: WHOLE, parts: [textHash(placed, file, bytes)] }],
  });
  return past?.history.get(WHOLE);
}

/** The hash of a file in a commit: git may store a text with other line ends than in a checkout. */
function textHash({ files }: LockedTarget, file: 'source' | 'target', bytes: Buffer): Hash {
  return checkedOutAs(bytes, files[file === 'source' ? 0 : 1]).text;
}

function questionOf(
  { job, root, files, output, found, formerly, here }: FormerTarget,
  lock: LockFiles,
): Omit<HistoryQuestion, 'unexplained' | 'bought' | 'read'> {
  return {
    ...{ job, lock, files, isKeyed: true, ...formerFiles(root, formerly) },
    texts: () => ({
      source: here.source.text,
      target: found === undefined ? undefined : here.found.text,
    }),
    // A whole file is never missing in itself.
    ...{ missing: [], present: () => [] },
    units: () => unitsAt(job.source, formerly, output),
    hashes: {
      source: (hash) => hashesOfBytes(hash).source,
      target: (hash) => hashesOfBytes(hash).target,
    },
  };
}

/** A target that the other side of a merge has for this source. */
export interface OtherSide {
  readonly bytes: Buffer;
  /** Who wrote it; absent: the machine. */
  readonly by?: Written['by'];
}

/** @returns undefined when there is none, or git has only a pointer of git-LFS */
export async function onOtherSide(locked: LockedTarget): Promise<OtherSide | undefined> {
  const { job, lock } = locked;
  if (lock === undefined) return undefined;
  const formerly = await lock.formerPath(job);
  const contents = new Map<string, Buffer>();
  const here = await filesHere(locked);
  const past = await askHistory({
    ...questionOf({ ...locked, formerly, here }, lock),
    ...{ unexplained: [], bought: [WHOLE] },
    read: async (file, bytes) => {
      const hash = textHash(locked, file, bytes);
      if (pointedTo(bytes) === undefined) contents.set(hash, bytes);
      return [{ id: WHOLE, parts: [hash] }];
    },
  });
  const text = past?.elsewhere.get(WHOLE);
  const bytes = text && contents.get(partsText(text.parts));
  return bytes && text && { bytes, ...authorOf(text.origin) };
}

/** The segment id of a file that is one text. */
const WHOLE = '';
