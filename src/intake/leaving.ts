/** A source that moved or went while only looking is allowed: what its targets are to follow with. */
import type { Job } from '../job.ts';
import { jobId } from '../job.ts';
import type { JobRecord, SourceRecord } from '../ledger.ts';
import { jobsOf, type Place } from './place.ts';

/** `after`: where the source is now; undefined when it is gone. */
export interface Leaving {
  readonly before: SourceRecord;
  readonly after: string | undefined;
}

/** What a target follows with; it costs nothing. */
export interface FollowUp {
  readonly job: Job;
  readonly reason: 'source moved' | 'source gone: trash' | 'source gone: delete';
}

/** @returns one for each target that would be moved or removed; none where the policy lets it stand */
export function followUps(place: Place, { before, after }: Leaving): FollowUp[] {
  const written = jobsOf(place, before).filter(({ wrote }) => wrote.length > 0);
  if (after !== undefined) {
    return written.map((job) => ({ job: movedJob(place, job, after), reason: 'source moved' }));
  }
  const policy = deletionPolicy(place, before);
  if (policy === 'keep') return [];
  return written.map((job) => ({ job, reason: `source gone: ${policy}` }));
}

/** What config says of the targets of a source that is gone. */
export function deletionPolicy({ project, router }: Place, source: SourceRecord) {
  const claim = router.claim(project.name, source.path);
  return (claim.kind === 'source' ? claim.route : project).policies.deletedSource;
}

function movedJob({ project, router }: Place, job: JobRecord, after: string): Job {
  const claim = router.claim(project.name, after);
  const targets = claim.kind === 'source' ? claim.targets(job.language) : job.targets;
  return { ...job, id: jobId(project.name, job.language, after), source: after, targets };
}
