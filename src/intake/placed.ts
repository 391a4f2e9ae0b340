/**
 * Whole targets that were put in place by a job that did not come to its end: noted now, so that they move, go and change with
 * their sources. Without that they would count as somebody else's.
 */
import { join } from 'node:path';
import { hashIfPresent, statOf } from '../files/disk.ts';
import type { Fact, JobRecord, Ledger, Written } from '../ledger.ts';

/** Absolute root of a project; undefined when config has none of that name any more. */
type RootOf = (project: string) => string | undefined;

export async function notePlaced(
  ledger: Ledger,
  jobs: Iterable<JobRecord>,
  rootOf: RootOf,
): Promise<void> {
  const facts: Fact[] = [];
  for (const from of jobs) {
    const wrote = await wroteAtLast(from, rootOf(from.project));
    if (wrote !== undefined) facts.push({ table: 'jobs', from, set: { wrote } });
  }
  if (facts.length > 0) await ledger.commit(facts);
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
