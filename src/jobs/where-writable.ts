/** Checks that a target can be written before anything is bought for it. */
import { join } from 'node:path';
import { bytesIn } from '../files/disk.ts';
import { requireWritable } from '../files/replace.ts';
import { type Job, targetList } from '../job.ts';
import type { Allowance } from '../plan/spending.ts';

/** Reserves characters, or seconds of audio, for a job. */
type Allow<Buyer> = (job: Buyer, price: number) => Promise<Allowance>;

/** @returns `allow`, with a check before: it throws as `requirePlace` when the price is not 0 and a target cannot be written */
export function whereWritable<Buyer extends Job>(
  rootOf: (project: string) => string | undefined,
  allow: Allow<Buyer>,
): Allow<Buyer> {
  return async (job, price) => {
    const root = rootOf(job.project);
    if (price > 0 && root !== undefined) await requirePlace(root, job);
    return await allow(job, price);
  };
}

/**
 * @param root of the job's project
 * @throws JobFailure `unwritable` or `disk-full` when a target of the job could not be put in place
 */
export async function requirePlace(root: string, { lane, source, targets }: Job): Promise<void> {
  const isText = lane === 'text' || lane === 'subtitle';
  // Half of the source, because the source may be in UTF-16 and the target in UTF-8. In other lanes the size is unknown.
  const bytes = isText ? Math.ceil((await bytesIn(join(root, source))) / 2) : 0;
  const files = targetList(targets).map((path) => join(root, path));
  await requireWritable(root, files, Math.max(1, bytes));
}
