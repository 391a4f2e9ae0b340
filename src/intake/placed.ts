/**
 * Adds to the ledger the targets that a job put in place before it was interrupted. Without this, they would count as files of
 * another author, and would not move or go with their sources.
 */
import { join } from 'node:path';
import { hashIfPresent, NO_STAT, statOf } from '../files/disk.ts';
import type { JobId, Stat } from '../job.ts';
import {
  commitDecision,
  type Fact,
  type JobRecord,
  type Ledger,
  type PlacedTarget,
  type Written,
} from '../ledger.ts';
import { placedTargetOf } from '../state/job-changes.ts';

/** The absolute root of a project; undefined when the config no longer has it. */
type RootOf = (project: string) => string | undefined;

/**
 * @param edited `ours`: where nothing was in the place of a target before, a file with other content there is this target, which a person
 * edited meanwhile. It moves and goes with its source
 */
export async function recordPlaced(
  ledger: Ledger,
  jobs: Iterable<JobRecord>,
  { rootOf, edited }: { readonly rootOf: RootOf; readonly edited: 'ours' | 'left' },
): Promise<void> {
  const current: { readonly id: JobId; readonly files: readonly Written[] }[] = [];
  for (const job of jobs) {
    const unrecorded = unrecordedOf(job);
    const root = unrecorded.length === 0 ? undefined : rootOf(job.project);
    const files = root === undefined ? [] : await currentIn(root, unrecorded, edited);
    if (files.length > 0) current.push({ id: job.id, files });
  }
  await commitDecision(ledger, () =>
    current.flatMap(({ id, files }) => {
      const job = ledger.get('jobs', id);
      return job === undefined ? [] : recorded(job, files);
    }),
  );
}

/** The files that still have the content that the job put in place, or were edited since. */
async function currentIn(
  root: string,
  unrecorded: readonly PlacedTarget[],
  edited: 'ours' | 'left',
): Promise<readonly Written[]> {
  const files: Written[] = [];
  for (const [path, possible] of Map.groupBy(unrecorded, ({ path }) => path)) {
    const stat = await statOf(join(root, path));
    if (stat === undefined) continue;
    const found = await hashIfPresent(join(root, path));
    const asPlaced = possible.find(({ hash }) => hash === found);
    const newest = possible.at(-1);
    const isOurs = edited === 'ours' && possible.some(({ isFirst }) => isFirst);
    if (asPlaced !== undefined) files.push(writtenFrom(asPlaced, stat));
    else if (newest !== undefined && isOurs) files.push(writtenFrom(newest, NO_STAT));
  }
  return files;
}

function writtenFrom({ path, hash, from }: PlacedTarget, stat: Stat): Written {
  return { path, hash, stat, from };
}

/** The facts to write, from the present record: the job may have changed since the files were read. */
function recorded(from: JobRecord, files: readonly Written[]): Fact[] {
  const unrecorded = unrecordedOf(from);
  const news = files.filter((file) => unrecorded.some((placed) => isSameTarget(placed, file)));
  if (news.length === 0) return [];
  const others = from.wrote.filter(({ path }) => !news.some((file) => file.path === path));
  return [{ table: 'jobs', from, set: { wrote: [...others, ...news] } }];
}

function unrecordedOf(job: JobRecord): readonly PlacedTarget[] {
  const { placed = [], wrote } = job;
  return [...placed, ...placedNow(job)].filter(
    (each) => !wrote.some((written) => isSameTarget(each, written)),
  );
}

/** The target that a running job puts in place or has already put in place: its file shows which. None where the job changes nothing. */
function placedNow({
  state,
  fingerprint,
}: Pick<JobRecord, 'state' | 'fingerprint'>): PlacedTarget[] {
  if (state.kind !== 'running' || state.step.kind !== 'publishing') return [];
  const { step } = state;
  return step.expectedOld === step.hash ? [] : [placedTargetOf(step, fingerprint)];
}

type File = Pick<Written, 'path' | 'hash'>;

function isSameTarget(one: File, other: File): boolean {
  return one.path === other.path && one.hash === other.hash;
}
