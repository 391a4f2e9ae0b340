/**
 * Applies that sources moved: their targets, baselines and jobs move too, and nothing is bought. Sources that took each other's names
 * move together.
 */

import type { BaselineKey } from '../baseline.ts';
import { isPassing } from '../failure.ts';
import type { MovedStat as FileMoved } from '../files/move.ts';
import { reportPath } from '../formats/captions/report.ts';
import { type JobState, jobId, type TargetPaths, targetList } from '../job.ts';
import {
  commitDecision,
  type Fact,
  type JobRecord,
  type MovingFile,
  type SourceRecord,
  type Written,
} from '../ledger.ts';
import { beginMoves, takeBackMoves } from './begun-moves.ts';
import { withoutRecord } from './gone.ts';
import { jobsOf, type ProjectContext, takeFromWorkers } from './project-context.ts';
import { type Relocation, relocate, requireRelocatable } from './relocate.ts';

export interface MovedSource {
  readonly before: SourceRecord;
  readonly after: SourceRecord;
}

/** In one commit, the ledger drops the records of the old paths and adds records of the new paths. */
export async function applyMoves(
  context: ProjectContext,
  moves: readonly MovedSource[],
): Promise<void> {
  const { project, ledger, inventory, baselines, events } = context;
  const leaving = () => moves.flatMap(({ before }) => jobsOf(context, before));
  await takeFromWorkers(context, leaving());
  await takeBackMoves(context, leaving());
  const moving = moves.flatMap((move) => movingJobsOf(context, move));
  const relocated = await relocate(
    context,
    moving.flatMap(({ relocations }) => relocations),
    async (files) =>
      await beginMoves(
        ledger,
        moving.map((each) => begunBy(each, files)),
      ),
  );
  await baselines.move(moving.map(({ job, after }) => baselineMove(job, after)));
  const left = new Set(moves.map(({ before }) => before.id));
  let moved: readonly JobRecord[] = [];
  await commitDecision(ledger, () => {
    const arriving = moving.flatMap((each) => {
      const job = ledger.get('jobs', each.job.id);
      return job === undefined ? [] : [{ ...each, job }];
    });
    moved = arriving.map((each) => movedJob(context, each, relocated));
    return [
      ...moves.flatMap(({ before }) => withoutRecord(ledger, before)),
      ...replacedBy(context, arriving, moved).map((drop): Fact => ({ table: 'jobs', drop })),
      ...moves.map(({ after }): Fact => {
        const from = left.has(after.id) ? undefined : ledger.get('sources', after.id);
        return { table: 'sources', put: after, from };
      }),
      ...moved.map((add): Fact => ({ table: 'jobs', add })),
    ];
  });
  for (const { job } of moving) inventory.removeJob(job.id);
  for (const { before } of moves) inventory.removeSource(before.path);
  for (const { after } of moves) inventory.putSource(after);
  for (const job of moved) {
    inventory.putJob(job);
    for (const { path, stat } of job.wrote) {
      if (!inventory.source(path)) context.targetPlaced(path, stat);
    }
  }
  for (const { before, after } of moves) {
    events.emit({ kind: 'source-moved', project: project.name, from: before.path, to: after.path });
  }
}

/** For a dry run. @throws JobFailure as `applyMoves` would, when a target cannot follow its source */
export async function requireMovable(
  context: ProjectContext,
  moves: readonly MovedSource[],
): Promise<void> {
  const moving = moves.flatMap((move) => movingJobsOf(context, move));
  await requireRelocatable(
    context.project,
    moving.flatMap(({ relocations }) => relocations),
  );
}

/** A job that moves to another source path. */
interface JobMove {
  readonly job: JobRecord;
  readonly after: SourceRecord;
  readonly targets: TargetPaths;
  readonly relocations: readonly Relocation[];
}

function movingJobsOf(context: ProjectContext, { before, after }: MovedSource): JobMove[] {
  const match = context.router.match(context.project.name, after.path);
  return jobsOf(context, before).map((job) => {
    const targets = match.kind === 'source' ? match.targets(job.language) : job.targets;
    const relocations = job.wrote.flatMap(({ path }): Relocation[] => {
      const to = newPath(job, targets, path);
      // A file with all languages is source and target: it has moved already.
      if (to === undefined || to === path || path === before.path) return [];
      // The report beside subtitles moves too, where there is one.
      const reports =
        job.lane === 'subtitle' ? [{ from: reportPath(path), to: reportPath(to) }] : [];
      return [{ from: path, to }, ...reports];
    });
    return { job, after, targets, relocations };
  });
}

function begunBy({ job, after, relocations }: JobMove, files: readonly MovingFile[]) {
  const own = new Set(relocations.map(({ from }) => from));
  const moveBegun = { source: after.path, files: files.filter(({ from }) => own.has(from)) };
  return { job, moveBegun };
}

/** The records to drop: records of the old paths, and records that exist for the new paths. */
function replacedBy(
  { ledger }: ProjectContext,
  moving: readonly JobMove[],
  moved: readonly JobRecord[],
): readonly JobRecord[] {
  const current = moved.flatMap(({ id }) => ledger.get('jobs', id) ?? []);
  return [...new Set([...moving.map(({ job }) => job), ...current])];
}

function newPath(job: JobRecord, targets: TargetPaths, path: string): string | undefined {
  return targetList(targets)[targetList(job.targets).indexOf(path)];
}

function baselineMove({ project, language, source }: JobRecord, after: SourceRecord) {
  const from: BaselineKey = { project, language, path: source };
  return { from, to: { ...from, path: after.path } };
}

const QUEUED: JobState = { kind: 'queued' };

/**
 * Whether the job must run again. A job that was done must, if a target could not be moved because somebody else moved or removed it. A job
 * that failed for a passing reason must, too: its next try is offered under the old id. Such a reason is a source that was being moved.
 */
function mustRunAgain({ state, wrote }: JobRecord, arrived: readonly Written[]): boolean {
  if (state.kind === 'failed') return isPassing(state.failure);
  return state.kind === 'done' && arrived.length < wrote.length;
}

function movedJob(
  { project, ledger }: ProjectContext,
  { job: { moveBegun: _, ...job }, after, targets }: JobMove,
  relocated: ReadonlyMap<string, FileMoved>,
): JobRecord {
  const id = jobId(project.name, job.language, after.path);
  const wrote = job.wrote.flatMap((written): Written[] => {
    const to = newPath(job, targets, written.path);
    if (to === undefined || to === written.path) return [written];
    if (written.path === job.source) return [{ ...written, path: to, stat: after.stat }];
    const moved = relocated.get(written.path);
    if (moved === undefined) return [];
    // When a person has changed the target, its stat must still differ from the record: that shows the edit.
    const stat = moved.before === written.stat ? moved.after : written.stat;
    return [{ ...written, path: to, stat }];
  });
  return {
    ...job,
    ...(job.lane === 'document' &&
      job.state.kind !== 'done' && { formerIds: [...(job.formerIds ?? []), job.id] }),
    id,
    source: after.path,
    targets,
    wrote,
    state: mustRunAgain(job, wrote) ? QUEUED : job.state,
    // Neither a worker of the old path nor one of an earlier job at the new path may settle this job.
    fence: Math.max(job.fence, ledger.get('jobs', id)?.fence ?? 0) + 1,
  };
}
