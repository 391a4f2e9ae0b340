/** Checks that a target can be written before anything is bought for it. */
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { atOnce } from '../files/at-once.ts';
import { bytesIn } from '../files/disk.ts';
import { requireWritable, whyImpossible } from '../files/writable.ts';
import { type Job, targetList } from '../job.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Allowance } from '../plan/spending.ts';
import { lockFilesIn } from '../state/thread-locks.ts';

/** Reserves characters, or seconds of audio, for a job. */
type Allow<Buyer> = (job: Buyer, price: number) => Promise<Allowance>;

/** @returns `allow`, with a check before: it throws as `requireWritableTargets` when the price is not 0 and a target cannot be written */
export function whereWritable<Buyer extends Job>(
  inForce: TargetsInForce,
  allow: Allow<Buyer>,
): Allow<Buyer> {
  return async (job, price) => {
    if (price > 0) await requireWritableTargets(inForce, job);
    return await allow(job, price);
  };
}

type TargetsInForce = Pick<InForce, 'planner' | 'config'>;

/** @throws JobFailure `unwritable` or `disk-full` when a target of the job could not be put in place, or its lines in the lock; `damaged-state` */
export async function requireWritableTargets(inForce: TargetsInForce, job: Job): Promise<void> {
  await requireWritableFiles(inForce, job);
  const { lock } = inForce.config;
  const isProject = inForce.planner.project(job.project) !== undefined;
  if (isProject && lock !== undefined) {
    await atOnce(() => lockFilesIn(lock).requireWritable(job));
  }
}

/** The same without the lock. */
export async function requireWritableFiles(
  { planner }: Pick<TargetsInForce, 'planner'>,
  { lane, source, targets, project }: Job,
): Promise<void> {
  const root = planner.project(project)?.root;
  if (root === undefined) return;
  const isText = lane === 'text' || lane === 'subtitle';
  // Half of the source, because the source may be in UTF-16 and the target in UTF-8. In other lanes the size is unknown.
  const bytes = isText ? Math.ceil((await bytesIn(join(root, source))) / 2) : 0;
  const files = targetList(targets).map((path) => join(root, path));
  await requireWritable(root, files, Math.max(1, bytes));
}

/** @throws JobFailure `unwritable` for a target that can never be written: by its name, or by what is in its place */
export function requirePossibleTargets(
  { planner }: Pick<InForce, 'planner'>,
  { project, targets }: Job,
): void {
  const root = planner.project(project)?.root;
  if (root === undefined) return;
  for (const path of targetList(targets)) {
    const file = join(root, path);
    const code = whyImpossible(file, root);
    if (code !== undefined) throw new JobFailure({ kind: 'unwritable', file, code });
  }
}
