/** A single run: plans and works until nothing is left to do, also of what changed meanwhile. */
import type { Job, JobId } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { JobRunner } from './runner.ts';

/** How often a run tries a job whose source is other content at each try, and then the planned content again. */
const MAX_TRIES = 5;

export interface RunToIdleOptions {
  readonly runner: Pick<JobRunner, 'stop' | 'enqueue' | 'idle'>;
  /** What became of the job, as it is on record now. */
  jobOf(id: JobId): JobRecord | undefined;
  /** Looks at the disk, and plans. */
  plan(): Promise<readonly PlannedJob[]>;
  /** Called once, before the first job begins. What it throws ends the run with nothing begun. */
  beforeWork(jobs: readonly PlannedJob[]): Promise<void>;
  /** Called when nothing is left to do. */
  conclude(): Promise<void>;
  /** Resolves when no more work is to begin, and rejects when none can. */
  ended(): Promise<unknown>;
  /** Aborted: no more work is to begin. */
  readonly drain: AbortSignal;
}

/** @returns jobs that are left queued because their sources changed during every try */
export async function runToIdle(options: RunToIdleOptions): Promise<readonly JobRecord[]> {
  const { runner, drain } = options;
  const queued = ({ id }: Job) => {
    const job = options.jobOf(id);
    return job?.state.kind === 'queued' ? job : undefined;
  };
  const tries = new Map<string, number>();
  while (!drain.aborted && runner.stop === undefined) {
    const isFirst = tries.size === 0;
    const planned = await options.plan();
    const fresh = planned.filter(({ job }) => isDue(tries, job, queued(job) !== undefined));
    if (fresh.length === 0) {
      const left = planned.flatMap(({ job }) => queued(job) ?? []);
      await options.conclude();
      return left;
    }
    if (isFirst) await options.beforeWork(fresh);
    await runner.enqueue(fresh);
    await Promise.race([runner.idle(), options.ended()]);
  }
  return [];
}

/** What a job became is its answer, and is not tried again. One that is queued again met other content at its source's path. */
function isDue(tries: Map<string, number>, { id, fingerprint }: Job, isQueued: boolean): boolean {
  const attempt = `${id} ${fingerprint}`;
  const count = tries.get(attempt) ?? 0;
  if (count > 0 && (count >= MAX_TRIES || !isQueued)) return false;
  tries.set(attempt, count + 1);
  return true;
}
