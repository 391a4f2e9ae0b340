/** Checks that a target can be written before anything is bought for it. */
import { join } from 'node:path';
import { JobFailure } from '../failure.ts';
import { bytesIn } from '../files/disk.ts';
import { requireWritable, whyImpossible } from '../files/writable.ts';
import { type Job, targetList } from '../job.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Allowance } from '../plan/spending.ts';

/** Reserves characters, or seconds of audio, for a job. */
type Allow<Buyer> = (job: Buyer, price: number) => Promise<Allowance>;

/** @returns `allow`, with a check before: it throws as `requireWritableTargets` when the price is not 0 and a target cannot be written */
export function whereWritable<Buyer extends Job>(
  rootOf: (project: string) => string | undefined,
  allow: Allow<Buyer>,
): Allow<Buyer> {
  return async (job, price) => {
    const root = rootOf(job.project);
    if (price > 0 && root !== undefined) await requireWritableTargets(root, job);
    return await allow(job, price);
  };
}

/**
 * @param root of the job's project
 * @throws JobFailure `unwritable` or `disk-full` when a target of the job could not be put in place
 */
export async function requireWritableTargets(
  root: string,
  { lane, source, targets }: Job,
): Promise<void> {
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
