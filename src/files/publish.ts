/** Puts a finished target in place: records it in the ledger first, and never replaces content that was not read. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Failure, JobFailure } from '../failure.ts';
import type { Hash, Stat, Step } from '../job.ts';
import type { LaneRun } from '../lane.ts';
import type { Written } from '../ledger.ts';
import { hashIfPresent, statOf } from './disk.ts';
import { type FileContent, publishStaged, type Staged, stageFile } from './replace.ts';
import type { Reservation } from './reservations.ts';
import { bothRights, type Right } from './right.ts';

export interface Publication {
  /** Absolute root of the project. */
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Hash of `bytes`. */
  readonly hash: Hash;
  /** Hash of the content that was read there; null: there was no file. */
  readonly expectedOld: Hash | null;
  /** Stat of that content: where the file still has it, an unchanged target is not read again. */
  readonly statOfOld?: Stat | undefined;
  /** Reserves the target; absent: no other job and no person writes it. */
  reserve?(): Promise<Reservation>;
  /** Stores the baseline of the new target; absent for lanes without segments. */
  prepare?(): Promise<void>;
  /** Takes that back: the target has other content, so it was not replaced. */
  withdraw?(): Promise<void>;
}

/**
 * @returns the target as it is now. A target that already has these bytes is not written
 * @throws JobFailure `changed-meanwhile` when the target was changed since it was read; `stopped` when others shall put it in place.
 * StaleClaim when another worker has claimed the job
 */
export async function publish(run: LaneRun, publication: Publication): Promise<Written> {
  refuseLeft(run);
  await publication.prepare?.();
  try {
    return await replaceOrKeep(run, publication);
  } catch (error) {
    // Else the texts that were to be written would look like texts that a person removed.
    if (error instanceof JobFailure && UNPLACED.has(error.failure.kind))
      await publication.withdraw?.();
    throw error;
  }
}

/** After these failures, the target is as it was. */
const UNPLACED: ReadonlySet<Failure['kind']> = new Set(['changed-meanwhile', 'stopped']);

/** @throws JobFailure `stopped` when other daemons shall put the target in place */
function refuseLeft({ leaves }: Pick<LaneRun, 'leaves'>): void {
  if (leaves?.aborted) throw new JobFailure({ kind: 'stopped' }, { cause: leaves.reason });
}

async function replaceOrKeep(
  run: LaneRun,
  { root, path, bytes, hash, expectedOld, statOfOld, reserve }: Publication,
): Promise<Written> {
  if (hash === expectedOld)
    return { path, hash, stat: await currentStat(join(root, path), hash, statOfOld) };
  const staged = await stageFile({ path: join(root, path), root, content: bytes });
  return await replaceTarget(run, staged, { path, hash, expectedOld, reserve });
}

export interface FilePublication
  extends Omit<Publication, 'bytes' | 'hash' | 'statOfOld' | 'reserve' | 'prepare' | 'withdraw'> {
  /** May be a stream, so that a large file is never in memory. */
  readonly content: FileContent;
}

/** Like `publish`, for content whose hash is known only after it is written. */
export async function publishFile(
  run: LaneRun,
  { root, path, content, expectedOld }: FilePublication,
): Promise<Written> {
  const staged = await stageFile({ path: join(root, path), root, content });
  const { hash } = staged;
  if (hash !== expectedOld) return await replaceTarget(run, staged, { path, hash, expectedOld });
  await rm(staged.temp, { force: true });
  await run.step({ kind: 'publishing', path, hash, expectedOld });
  return { path, hash, stat: await currentStat(join(root, path), hash) };
}

/**
 * The right of a claim to change files while it puts a target in place. On a slow disk, jobs wait for each other here: a process that leaves
 * them to others renews no right. @param step the step that renews the right
 */
export function rightToPublish(
  run: Pick<LaneRun, 'mayPublish' | 'step' | 'leaves'>,
  step: Extract<Step, { kind: 'publishing' }>,
): Right {
  return {
    isValid: () => run.mayPublish(),
    renew: async () => {
      refuseLeft(run);
      await run.step(step);
    },
  };
}

type TargetChange = Pick<Publication, 'path' | 'hash' | 'expectedOld'> & {
  readonly reserve?: Publication['reserve'];
};

/**
 * The step also proves that the claim is still valid, because newer content of the source has a newer claim. The temporary file is
 * written before the step, so that little happens between the proof and the rename.
 */
async function replaceTarget(
  run: LaneRun,
  staged: Staged,
  { path, hash, expectedOld, reserve }: TargetChange,
): Promise<Written> {
  const claim = rightToPublish(run, { kind: 'publishing', path, hash, expectedOld });
  try {
    // Before the check of the content: the previous holder may have replaced the target.
    using reserved = await reserve?.();
    if (reserved?.isValid() === false) await reserved.renew();
    await claim.renew();
    const right = reserved === undefined ? claim : bothRights(reserved, claim);
    const { stat } = await publishStaged(staged, expectedOld, right);
    return { path, hash, stat };
  } catch (error) {
    await rm(staged.temp, { force: true });
    throw error;
  }
}

/**
 * The stat of exactly the file that was read. With the stat of a later edit, the text of a person would count as dragoman's. So the
 * stat is taken before the content is read: a later edit then has another stat.
 */
async function currentStat(path: string, hash: Hash, known?: Stat): Promise<Stat> {
  const stat = await statOf(path);
  if (stat !== undefined && stat === known) return stat;
  if (stat === undefined || (await hashIfPresent(path)) !== hash) {
    throw new JobFailure({ kind: 'changed-meanwhile', file: path });
  }
  return stat;
}
