/** A single run: plans and works until nothing is left to do, also of what changes meanwhile. */
import { aborted } from '../clock.ts';
import { parseStat } from '../files/disk.ts';
import { type Job, type JobId, sourceId } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { Subject } from '../parsing/thread-call.ts';
import type { Plan, PlannedJob } from '../plan/plan.ts';
import { type PartsWithLock, planAll } from './lock-sync.ts';
import { applyRetention, forgetLoss } from './retention.ts';
import { runToIdle } from './run-to-idle.ts';

/** What a run works on. Jobs outside of it stay as they are. */
export interface RunExtent {
  isWanted(job: Job): boolean;
  /** Everything is wanted: what belongs to no single job is done too. */
  readonly isEverything: boolean;
  /** The projects whose glossaries and style lists are brought into step; empty: all. */
  readonly projects: readonly string[];
  /** Called once, before the first job begins; when it throws, the run ends and no job has begun. */
  beforeWork?(): Promise<void>;
}

/** The jobs that begin at once: a large source among later ones starts its thread by itself. */
const FIRST_JOBS = 1000;

export class SingleRun {
  readonly #parts: PartsWithLock;

  constructor(parts: PartsWithLock) {
    this.#parts = parts;
  }

  /**
   * @param drain aborted: no more work begins
   * @returns jobs that are left queued because their sources changed during every try
   */
  async work(extent: RunExtent, drain: AbortSignal): Promise<readonly JobRecord[]> {
    const { workspace, runner, runState, fatal } = this.#parts;
    runner.begin('once');
    return await runToIdle({
      ...{ runner, runState, drain },
      jobOf: (id) => workspace.ledger.get('jobs', id),
      plan: async (tried) => {
        const { work } = (await this.#planTried(tried)) ?? (await this.#planAll());
        return work.filter(({ job }) => extent.isWanted(job));
      },
      beforeWork: async (jobs) => {
        if (!(await runner.mayBuy(jobs))) return;
        workspace.drafts.startThread(this.#sourcesOf(jobs.slice(0, FIRST_JOBS)));
        await extent.beforeWork?.();
        workspace.languageSupport.reread();
      },
      conclude: () => this.#conclude(extent),
      ended: () => Promise.race([fatal.thrown, aborted(drain)]),
    });
  }

  /** Sources of text jobs. */
  *#sourcesOf(jobs: readonly PlannedJob[]): Iterable<Subject> {
    const { ledger } = this.#parts.workspace;
    for (const { job } of jobs) {
      const source = ledger.get('sources', sourceId(job.project, job.source));
      if (job.lane === 'text' && source !== undefined) {
        yield { file: source.path, bytes: Number(parseStat(source.stat).size) };
      }
    }
  }

  /** Looks at the disk, and plans. */
  async #planAll(): Promise<Plan> {
    const { monitor, lockSync } = this.#parts;
    await monitor.scan();
    await lockSync?.refuseUnreadable();
    await lockSync?.bringTargets();
    return await planAll(this.#parts);
  }

  /**
   * The plan after a short round of work: for the sources of the tried jobs and those that changed meanwhile. To list and plan
   * all of 100,000 files again took 1.0 s of processor time.
   * @param tried the jobs that this run has tried
   * @returns undefined: the round took long, a job found other content, or the lock may say more
   */
  async #planTried(tried: ReadonlySet<JobId>): Promise<Plan | undefined> {
    const { workspace, monitor, lockSync, inForce } = this.#parts;
    const { ledger } = workspace;
    if (tried.size === 0 || lockSync !== undefined) return undefined;
    const jobs = [...tried].map((id) => ledger.get('jobs', id));
    const isOver = jobs.every(
      (job) => job !== undefined && job.state.kind !== 'queued' && job.state.kind !== 'running',
    );
    const changed = isOver ? await monitor.lookAgain() : undefined;
    if (changed === undefined) return undefined;
    const ids = new Set(changed.map(({ id }) => id));
    for (const job of jobs) if (job) ids.add(sourceId(job.project, job.source));
    const sources = [...ids].flatMap((id) => ledger.get('sources', id) ?? []);
    return await inForce.planner.planInTurns('passing', sources);
  }

  /** Nothing is left to do: does what follows a run over everything. */
  async #conclude({ isEverything, projects }: RunExtent): Promise<void> {
    const { workspace, world, inForce, terminology } = this.#parts;
    await terminology.syncChanged(projects);
    if (!isEverything) return;
    await forgetLoss(workspace);
    await applyRetention(workspace, inForce.config.keep, world);
  }
}
