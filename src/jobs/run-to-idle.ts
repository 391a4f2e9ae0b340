/** The rounds of a single run: plans and works until a plan has nothing new. */
import type { Job, JobId } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { RunState } from './run-state.ts';
import type { JobRunner } from './runner.ts';

/** How often a run tries a job whose source has other content at each try, and then the planned content again. */
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
  const tries = new Map<string, number>();
  const tried = new Set<JobId>();
  while (!drain.aborted && runState.stop === undefined) {
    const isFirst = tries.size === 0;
    // A look at the disk may take a minute: a signal does not wait for it.
    const planned = await Promise.race([
      options.plan(tried),
      options.ended().then(() => undefined),
    ]);
    if (planned === undefined) break;
    const fresh = planned.filter(({ job }) => isDue(tries, job, queued(job) !== undefined));
    if (fresh.length === 0) {
      const left = planned.flatMap(({ job }) => queued(job) ?? []);
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

/** A run tries each job once. A job that is queued again found other content at the path of its source: it gets more tries. */
function isDue(tries: Map<string, number>, { id, fingerprint }: Job, isQueued: boolean): boolean {
  const attempt = `${id} ${fingerprint}`;
  const count = tries.get(attempt) ?? 0;
  if (count > 0 && (count >= MAX_TRIES || !isQueued)) return false;
  tries.set(attempt, count + 1);
  return true;
}
