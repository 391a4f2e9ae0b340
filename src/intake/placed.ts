/**
 * Whole targets that were put in place by a job that did not come to its end: noted now, so that they move, go and change with
 * their sources. Without that they would count as somebody else's.
 */
import { join } from 'node:path';
import { hashIfPresent, statOf } from '../files/disk.ts';
import { commitDecision, type JobRecord, type Ledger, type Written } from '../ledger.ts';

/** Absolute root of a project; undefined when config has none of that name any more. */
type RootOf = (project: string) => string | undefined;

export async function notePlaced(
  ledger: Ledger,
  jobs: Iterable<JobRecord>,
  rootOf: RootOf,
): Promise<void> {
  const found: { readonly job: JobRecord; readonly wrote: readonly Written[] }[] = [];
  for (const job of jobs) {
    const wrote = await wroteAtLast(job, rootOf(job.project));
    if (wrote !== undefined) found.push({ job, wrote });
  }
  // Whoever changed a job since has said what it wrote.
  await commitDecision(ledger, () =>
    found
      .filter(({ job }) => ledger.get('jobs', job.id) === job)
      .map(({ job, wrote }) => ({ table: 'jobs', from: job, set: { wrote } })),
  );
}

/** @returns undefined where nothing has to be noted */
async function wroteAtLast(
  { placed = [], wrote }: JobRecord,
  root: string | undefined,
): Promise<readonly Written[] | undefined> {
  if (root === undefined) return undefined;
  const news = new Map<string, Written>();
  for (const { path, hash, from } of placed) {
    if (wrote.some((each) => each.path === path && each.hash === hash)) continue;
    const stat = await statOf(join(root, path));
    const stands = stat !== undefined && (await hashIfPresent(join(root, path))) === hash;
    if (stands) news.set(path, { path, hash, stat, from });
  }
  return news.size === 0
    ? undefined
    : [...wrote.filter(({ path }) => !news.has(path)), ...news.values()];
}
