/** Puts a finished target in place: noted before it is written, never over something that we have not read. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import type { Hash, Stat, Step } from '../job.ts';
import type { LaneRun } from '../lane.ts';
import type { Written } from '../ledger.ts';
import { hashIfPresent, statOf } from './disk.ts';
import { type FileContent, placeStaged, type Staged, stageFile } from './replace.ts';
import type { Right } from './right.ts';

export interface Publication {
  /** Absolute root of the project. */
  readonly root: string;
  /** Relative to the root. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Of these bytes. */
  readonly hash: Hash;
  /** Hash of what was read there; null when nothing was. */
  readonly expectedOld: Hash | null;
  /** Notes what the target will hold, by segments; absent for lanes without segments. */
  prepare?(): Promise<void>;
}

/**
 * @returns what stands there now; a target that holds these bytes already is not touched
 * @throws JobFailure `changed-meanwhile` when somebody wrote there since it was read; StaleClaim when the job is somebody else's now
 */
export async function publish(run: LaneRun, publication: Publication): Promise<Written> {
  const { root, path, bytes, hash, expectedOld } = publication;
  await publication.prepare?.();
  if (hash === expectedOld) return { path, hash, stat: await standing(join(root, path), hash) };
  const staged = await stageFile({ path: join(root, path), root, content: bytes });
  return await place(run, staged, { path, hash, expectedOld });
}

export interface FilePublication extends Omit<Publication, 'bytes' | 'hash' | 'prepare'> {
  /** May be a stream: large files never stand in memory. */
  readonly content: FileContent;
}

/** As `publish`, for content that is known whole only when it is written. */
export async function publishFile(
  run: LaneRun,
  { root, path, content, expectedOld }: FilePublication,
): Promise<Written> {
  const staged = await stageFile({ path: join(root, path), root, content });
  const { hash } = staged;
  if (hash !== expectedOld) return await place(run, staged, { path, hash, expectedOld });
  await rm(staged.temp, { force: true });
  await run.step({ kind: 'publishing', path, hash, expectedOld });
  return { path, hash, stat: await standing(join(root, path), hash) };
}

/** The right of a claim to change files while it puts a target in place. @param step by which it is asked for anew */
export function rightToPlace(
  run: Pick<LaneRun, 'mayPlace' | 'step'>,
  step: Extract<Step, { kind: 'publishing' }>,
): Right {
  return { stands: () => run.mayPlace(), renew: () => run.step(step) };
}

/**
 * The step is also the proof that the claim still stands: newer content of the source has a newer claim. The file is written
 * before it, so that little happens between the proof and the rename.
 */
async function place(
  run: LaneRun,
  staged: Staged,
  step: Omit<Extract<Step, { kind: 'publishing' }>, 'kind'>,
): Promise<Written> {
  const { path, hash, expectedOld } = step;
  const right = rightToPlace(run, { kind: 'publishing', ...step });
  try {
    await right.renew();
    const { stat } = await placeStaged(staged, expectedOld, right);
    return { path, hash, stat };
  } catch (error) {
    await rm(staged.temp, { force: true });
    throw error;
  }
}

/**
 * Of the file that was read, and of no later one: with the fingerprint of what a person wrote since, their text would count as
 * ours. Taken before the content is looked at, so that a later writing differs from it.
 */
async function standing(path: string, hash: Hash): Promise<Stat> {
  const stat = await statOf(path);
  if (stat === undefined || (await hashIfPresent(path)) !== hash) {
    throw new JobFailure({ kind: 'changed-meanwhile', file: path });
  }
  return stat;
}
