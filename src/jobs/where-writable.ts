/** Nothing is bought for a target that could not be put in place. */
import { join } from 'node:path';
import { requireWritable } from '../files/replace.ts';
import { type Job, targetList } from '../job.ts';
import type { Allowance } from '../plan/spending.ts';

/** Sets characters, or seconds of audio, aside for a job. */
type Allow<Buyer> = (job: Buyer, price: number) => Promise<Allowance>;

/** @returns `allow`, which throws JobFailure `unwritable` for a price where a target of the job cannot be written */
export function whereWritable<Buyer extends Job>(
  rootOf: (project: string) => string | undefined,
  allow: Allow<Buyer>,
): Allow<Buyer> {
  return async (job, price) => {
    const root = rootOf(job.project);
    if (price > 0 && root !== undefined) {
      await requireWritable(
        root,
        targetList(job.targets).map((path) => join(root, path)),
      );
    }
    return await allow(job, price);
  };
}
