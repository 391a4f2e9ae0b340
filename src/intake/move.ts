/** A source that moved: its targets, bases and jobs move along, and nothing is bought. */
import { mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { statOf, writeFailure } from '../disk.ts';
import { jobId, targetList } from '../job.ts';
import type { Fact, JobRecord, SourceRecord, Written } from '../ledger.ts';
import { jobsOf, type Place } from './place.ts';

/** The ledger forgets the old place and learns the new one together. */
export async function applyMove(
  place: Place,
  before: SourceRecord,
  after: SourceRecord,
): Promise<void> {
  const { project, ledger, inventory, events } = place;
  const jobs = jobsOf(place, before);
  const moved: JobRecord[] = [];
  for (const job of jobs) moved.push(await moveJob(place, job, after));
  await ledger.commit([
    { table: 'sources', remove: before.id },
    { table: 'sources', put: after },
    ...jobs.map(({ id }): Fact => ({ table: 'jobs', remove: id })),
    ...moved.map((put): Fact => ({ table: 'jobs', put })),
  ]);
  for (const { id } of jobs) inventory.removeJob(id);
  inventory.removeSource(before.path);
  for (const job of moved) inventory.putJob(job);
  events.emit({ kind: 'source-moved', project: project.name, from: before.path, to: after.path });
}

async function moveJob(place: Place, job: JobRecord, after: SourceRecord): Promise<JobRecord> {
  const { project, router, bases } = place;
  const claim = router.claim(project.name, after.path);
  const targets = claim.kind === 'source' ? claim.targets(job.language) : job.targets;
  const from = { project: project.name, language: job.language, path: job.source };
  const wrote = await moveTargets(place, job, targetList(targets));
  await bases.move(from, { ...from, path: after.path });
  return {
    ...job,
    id: jobId(project.name, job.language, after.path),
    source: after.path,
    targets,
    wrote,
    // A worker of the old place must not settle the new one.
    fence: job.fence + 1,
  };
}

async function moveTargets(
  { project }: Place,
  job: JobRecord,
  targets: readonly string[],
): Promise<Written[]> {
  const old = targetList(job.targets);
  const moved = await Promise.all(
    job.wrote.map(async (written): Promise<Written[]> => {
      const to = targets[old.indexOf(written.path)];
      if (to === undefined || to === written.path) return [written];
      const stat = await moveFile(join(project.root, written.path), join(project.root, to));
      return stat === undefined ? [] : [{ ...written, path: to, stat }];
    }),
  );
  return moved.flat();
}

/** @returns the stat of the moved file; undefined when there was none, or when something stands at its new place */
async function moveFile(from: string, to: string) {
  if ((await statOf(from)) === undefined || (await statOf(to)) !== undefined) return undefined;
  try {
    await mkdir(dirname(to), { recursive: true });
    await rename(from, to);
    return await statOf(to);
  } catch (error) {
    throw writeFailure(to, error);
  }
}
