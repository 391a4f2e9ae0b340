/** The rounds of a single run: plans and works until a plan has nothing new. */
import type { Fingerprint, Job, JobId } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { RunState } from './run-state.ts';
import type { JobRunner } from './runner.ts';

/**
 * How often a run tries a job whose source has other content at each try. A program may write a source for ever, more slowly than
 * `settle_ms`, and each content would be bought.
 */
const MAX_TRIES = 5;

export interface RunToIdleOptions {
  readonly runner: Pick<JobRunner, 'enqueue' | 'idle'>;
  readonly runState: Pick<RunState, 'stop'>;
  /** The present record of the job. */
  jobOf(id: JobId): JobRecord | undefined;
  /** Looks at the disk, and plans. @param tried the jobs that this run has tried: none at the first look */
  plan(tried: ReadonlySet<JobId>): Promise<readonly PlannedJob[]>;
  /** Called once, before the first job begins. When it throws, the run ends and no job has begun. */
  beforeWork(jobs: readonly PlannedJob[]): Promise<void>;
  /** Called when nothing is left to do. */
  conclude(): Promise<void>;
  /** Resolves when the run must begin no more work, and rejects when the daemon cannot go on. */
  ended(): Promise<unknown>;
  /** Aborted: the run begins no more work. */
  readonly drain: AbortSignal;
}

/** @returns jobs that are left queued because their sources changed during every try */
export async function runToIdle(options: RunToIdleOptions): Promise<readonly JobRecord[]> {
  const { runner, runState, drain } = options;
  const queued = ({ id }: Job) => {
    const job = options.jobOf(id);
    return job?.state.kind === 'queued' ? job : undefined;
  };
  const tries: Tries = new Map();
  const tried = new Set<JobId>();
  while (!drain.aborted && runState.stop === undefined) {
    const isFirst = tried.size === 0;
    // A look at the disk may take a minute: a signal does not wait for it.
    const planned = await Promise.race([
      options.plan(tried),
      options.ended().then(() => undefined),
    ]);
    if (planned === undefined) break;
    const fresh = planned.filter(({ job }) => isDue(tries, job, queued(job) !== undefined));
    if (fresh.length === 0) {
      const left = planned.flatMap(({ job }) =>
        hasManyContents(tries, job) ? (options.jobOf(job.id) ?? []) : (queued(job) ?? []),
      );
      await options.conclude();
      return left;
    }
    if (isFirst) await options.beforeWork(fresh);
    for (const { job } of fresh) tried.add(job.id);
    await runner.enqueue(fresh);
    await Promise.race([runner.idle(), options.ended()]);
  }
  return [];
}

/** The tries of each job, by its content. */
type Tries = Map<JobId, Map<Fingerprint, number>>;

/** A run tries each job once. A job that is queued again found other content at the path of its source: it gets more tries. */
function isDue(tries: Tries, { id, fingerprint }: Job, isQueued: boolean): boolean {
  const contents = tries.get(id) ?? new Map<Fingerprint, number>();
  tries.set(id, contents);
  const count = contents.get(fingerprint) ?? 0;
  const isOver = count === 0 ? contents.size >= MAX_TRIES : count >= MAX_TRIES || !isQueued;
  if (isOver) return false;
  contents.set(fingerprint, count + 1);
  return true;
}

/** Whether a job waits for the next run, since its content is still another one after all tries. */
function hasManyContents(tries: Tries, { id, fingerprint }: Job): boolean {
  const contents = tries.get(id);
  return contents !== undefined && contents.size >= MAX_TRIES && !contents.has(fingerprint);
}
