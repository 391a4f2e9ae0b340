/** `status`: counts, what needs a person, open conflicts, what was billed. */
import { join } from 'node:path';
import { partsText } from '../format.ts';
import { type JobState, targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { SegmentRecord } from '../segments/record.ts';
import { attentionOf } from './attention.ts';
import { readBooks } from './books.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { ConflictLine, StatusReport } from './report.ts';
import { inScope } from './scope.ts';
import { filmLines } from './subtitles.ts';
import { type TaskOptions, tasksOf } from './tasks.ts';

export async function statusReport(
  options: LocalControlOptions & Pick<TaskOptions, 'books'>,
  scope: Scope,
): Promise<StatusReport> {
  const { ledger, inForce, condition } = options;
  const rootOf = (project: string) => inForce.planner.project(project)?.root;
  const jobs = [...ledger.all('jobs')].filter(
    (job) => inScope(scope, job, rootOf) && !inForce.planner.isIntoItself(job),
  );
  const { collisions, unfinished, deletions } = options.blockers();
  return {
    ...condition(),
    conflicts: await conflictsOf(options, jobs),
    jobs: countStates(jobs),
    projects: countProjects(jobs),
    attention: [...collisions, ...unfinished, ...deletions, ...attentionOf(jobs)],
    tasks: tasksOf(options, jobs.filter(isOpen), Number.POSITIVE_INFINITY).lines,
    subtitles: await filmLines(options, jobs),
    billed_characters: readBooks(ledger, () => true).billed,
  };
}

function isOpen({ state }: JobRecord): boolean {
  return state.kind === 'held' || state.kind === 'failed';
}

function countStates(jobs: readonly JobRecord[]): Record<JobState['kind'], number> {
  const counts = { queued: 0, running: 0, done: 0, held: 0, failed: 0 };
  for (const { state } of jobs) counts[state.kind] += 1;
  return counts;
}

function countProjects(jobs: readonly JobRecord[]): StatusReport['projects'] {
  return [...Map.groupBy(jobs, ({ project }) => project)].map(([name, own]) => ({
    name,
    languages: [...Map.groupBy(own, ({ language }) => language)].map(([language, all]) => ({
      language,
      done: all.filter(({ state }) => state.kind === 'done').length,
      total: all.length,
    })),
  }));
}

/** The open conflicts of jobs, with all four texts. */
export async function conflictsOf(
  options: LocalControlOptions,
  jobs: readonly JobRecord[],
): Promise<ConflictLine[]> {
  const lines = await Promise.all(
    jobs.filter(mayConflict).map((job) => conflictsOfJob(options, job)),
  );
  return lines.flat();
}

/** A job that is held for damaged segments may hold conflicts as well. */
function mayConflict({ state }: JobRecord): boolean {
  if (state.kind !== 'held') return false;
  return state.hold.kind === 'conflict' || state.hold.kind === 'damaged-segments';
}

async function conflictsOfJob(
  { baselines, inForce }: LocalControlOptions,
  job: JobRecord,
): Promise<ConflictLine[]> {
  const [wrote] = job.wrote;
  const root = inForce.planner.project(job.project)?.root ?? '';
  const file = join(root, targetList(job.targets)[0] ?? job.source);
  const key = { project: job.project, language: job.language, path: job.source };
  const records = await baselines.of(key, wrote?.hash).read(wrote?.hash ?? null);
  return [...records.values()]
    .filter(({ state }) => state === 'conflict')
    .map((record) => ({
      project: job.project,
      language: job.language,
      file,
      key: record.id,
      ...textsOf(record),
    }));
}

function textsOf({ previousSource, source, target, machine }: SegmentRecord) {
  return {
    old_source: previousSource ?? '',
    new_source: source,
    human: partsText(target ?? []),
    machine: machine === undefined ? null : partsText(machine),
  };
}
