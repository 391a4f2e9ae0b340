/** Sources that moved: their targets, bases and jobs move along, together where they took each other's names, and nothing is bought. */

import { reportPath } from '../formats/captions/report.ts';
import { type JobState, jobId, type TargetPaths, targetList } from '../job.ts';
import type { Fact, JobRecord, SourceRecord, Written } from '../ledger.ts';
import type { BaselineKey } from '../state/baseline.ts';
import { jobsOf, type ProjectContext } from './project-context.ts';
import { type Relocated, type Relocation, relocate } from './relocate.ts';

export interface Moved {
  readonly before: SourceRecord;
  readonly after: SourceRecord;
}

/** The ledger forgets the old places and learns the new ones together. */
export async function applyMoves(context: ProjectContext, moves: readonly Moved[]): Promise<void> {
  const { project, ledger, inventory, baselines, events } = context;
  const legs = moves.flatMap((move) => legsOf(context, move));
  const relocated = await relocate(
    context,
    legs.flatMap(({ relocations }) => relocations),
  );
  await baselines.move(legs.map(({ job, after }) => baselineMove(job, after)));
  const moved = legs.map((leg) => movedJob(context, leg, relocated));
  await ledger.commit([
    ...moves.map(({ before }): Fact => ({ table: 'sources', remove: before.id })),
    ...legs.map(({ job }): Fact => ({ table: 'jobs', remove: job.id })),
    ...moves.map(({ after }): Fact => ({ table: 'sources', put: after })),
    ...moved.map((put): Fact => ({ table: 'jobs', put })),
  ]);
  for (const { job } of legs) inventory.removeJob(job.id);
  for (const { before } of moves) inventory.removeSource(before.path);
  for (const { after } of moves) inventory.putSource(after);
  for (const job of moved) inventory.putJob(job);
  for (const { before, after } of moves) {
    events.emit({ kind: 'source-moved', project: project.name, from: before.path, to: after.path });
  }
}

/** A job on its way to another source path. */
interface Leg {
  readonly job: JobRecord;
  readonly after: SourceRecord;
  readonly targets: TargetPaths;
  readonly relocations: readonly Relocation[];
}

function legsOf(context: ProjectContext, { before, after }: Moved): Leg[] {
  const claim = context.router.claim(context.project.name, after.path);
  return jobsOf(context, before).map((job) => {
    const targets = claim.kind === 'source' ? claim.targets(job.language) : job.targets;
    const relocations = job.wrote.flatMap(({ path }): Relocation[] => {
      const to = newPlace(job, targets, path);
      // A file that holds all languages is its own source: whoever moved that has moved this.
      if (to === undefined || to === path || path === before.path) return [];
      // The report on a film goes with it, where there is one.
      const reports =
        job.lane === 'subtitle' ? [{ from: reportPath(path), to: reportPath(to) }] : [];
      return [{ from: path, to }, ...reports];
    });
    return { job, after, targets, relocations };
  });
}

function newPlace(job: JobRecord, targets: TargetPaths, path: string): string | undefined {
  return targetList(targets)[targetList(job.targets).indexOf(path)];
}

function baselineMove({ project, language, source }: JobRecord, after: SourceRecord) {
  const from: BaselineKey = { project, language, path: source };
  return { from, to: { ...from, path: after.path } };
}

const QUEUED: JobState = { kind: 'queued' };

function movedJob(
  { project, ledger }: ProjectContext,
  { job, after, targets }: Leg,
  relocated: ReadonlyMap<string, Relocated>,
): JobRecord {
  const id = jobId(project.name, job.language, after.path);
  const wrote = job.wrote.flatMap((written): Written[] => {
    const to = newPlace(job, targets, written.path);
    if (to === undefined || to === written.path) return [written];
    if (written.path === job.source) return [{ ...written, path: to, stat: after.stat }];
    const moved = relocated.get(written.path);
    if (moved === undefined) return [];
    // Where a person wrote since, the stat must go on to differ from ours: that is how it is seen.
    const stat = moved.before === written.stat ? moved.after : written.stat;
    return [{ ...written, path: to, stat }];
  });
  return {
    ...job,
    id,
    source: after.path,
    targets,
    wrote,
    // Somebody else moved the target, or took it away: the job looks again what stands there.
    state: wrote.length < job.wrote.length && job.state.kind === 'done' ? QUEUED : job.state,
    // A worker of the old place must not settle the new one, nor one of whoever stood there before.
    fence: Math.max(job.fence, ledger.get('jobs', id)?.fence ?? 0) + 1,
  };
}
