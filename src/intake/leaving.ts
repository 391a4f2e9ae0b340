/** How a run would treat the targets of a source that moved or is gone. For commands that change nothing, such as `plan`. */
import type { Job } from '../job.ts';
import { jobId } from '../job.ts';
import type { JobRecord, SourceRecord } from '../ledger.ts';
import { jobsOf, type ProjectContext } from './project-context.ts';

/** A source on record that moved or is gone. `after`: its record at the new path; undefined when it is gone. */
export interface LeavingSource {
  readonly before: SourceRecord;
  readonly after: SourceRecord | undefined;
}

/** A job of a moved source, while its baseline and target are still at the old path. */
export interface MovingJob extends Job {
  readonly moving: { readonly from: JobRecord; readonly source: SourceRecord };
}

/** How a run would treat one target. It bills nothing, except for the texts of a source that was moved and edited. */
export type FollowUp =
  | {
      readonly job: Job;
      readonly reason: 'source moved' | 'source gone: trash' | 'source gone: delete';
    }
  | { readonly job: MovingJob; readonly reason: 'source moved and edited' };

/** @returns one for each target that would be moved or removed; none where the policy keeps it */
export function followUps(context: ProjectContext, { before, after }: LeavingSource): FollowUp[] {
  const jobs = jobsOf(context, before);
  if (after !== undefined && after.hash !== before.hash) {
    return jobs.map((from) => ({
      job: { ...movedJob(context, from, after), moving: { from, source: after } },
      reason: 'source moved and edited',
    }));
  }
  const written = jobs.filter(({ wrote }) => wrote.length > 0);
  if (after !== undefined) {
    return written.map((job) => ({ job: movedJob(context, job, after), reason: 'source moved' }));
  }
  const policy = deletionPolicy(context, before);
  if (policy === 'keep') return [];
  return written.map((job) => ({ job, reason: `source gone: ${policy}` }));
}

/** The setting `deleted_source` for a source. */
export function deletionPolicy({ project, router }: ProjectContext, source: SourceRecord) {
  const match = router.match(project.name, source.path);
  return (match.kind === 'source' ? match.route : project).policies.deletedSource;
}

function movedJob(
  { project, router }: ProjectContext,
  job: JobRecord,
  { path }: SourceRecord,
): Job {
  const match = router.match(project.name, path);
  const targets = match.kind === 'source' ? match.targets(job.language) : job.targets;
  return { ...job, id: jobId(project.name, job.language, path), source: path, targets };
}
