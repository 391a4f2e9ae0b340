/** A daemon's answers to commands, the page and metrics, from the current state of its parts. */
import { untilAborted } from '../clock.ts';
import { type Failure, JobFailure } from '../failure.ts';
import type { Job, JobId } from '../job.ts';
import type { ForeseenRun } from '../jobs/lock-foresight.ts';
import { type PartsWithLock, planAll } from '../jobs/lock-sync.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { leads, type Workspace } from '../jobs/workspace.ts';
import type { Estimate } from '../lane.ts';
import type { JobRecord } from '../ledger.ts';
import type { Plan } from '../plan/plan.ts';
import { describeDamage } from '../state/damage.ts';
import { type Blocker, blockersIn } from './blockers.ts';
import type { Control, Scope } from './control.ts';
import type { DaemonCondition } from './daemon-condition.ts';
import { findBlockers } from './find-blockers.ts';
import type { LimitWatch } from './limit-watch.ts';
import { createLocalControl } from './local-control.ts';
import type { DiskScan } from './options.ts';
import type { LockReport } from './report.ts';
import { inScope } from './scope.ts';
import { leaderControl, workerControl } from './tree-control.ts';

interface AnswerParts extends PartsWithLock {
  readonly limits: LimitWatch;
  readonly condition: DaemonCondition;
  /** Aborted when the process must end: no question waits for the disk any longer. */
  readonly ending: AbortSignal;
}

export class DaemonAnswers {
  readonly control: Control;
  readonly #parts: AnswerParts;

  constructor(parts: AnswerParts) {
    this.#parts = parts;
    this.control = this.#controlFor(parts.workspace);
  }

  jobs(scope: Scope): JobRecord[] {
    return [...this.#parts.workspace.ledger.all('jobs')].filter(
      (job) => this.isWanted(job, scope) && this.isReported(job),
    );
  }

  /** Whether a job is shown to people, and counted. */
  isReported(job: JobRecord): boolean {
    return this.#parts.inForce.planner.isReported(job);
  }

  /** The blockers: reasons beside the jobs why something is missing. */
  blockers(scope: Scope): Blocker[] {
    return blockersIn(scope, this.#blockers(), (project) => this.#rootOf(project));
  }

  isWanted(job: Pick<Job, 'project' | 'language' | 'source' | 'targets'>, scope: Scope): boolean {
    return inScope(scope, job, (project) => this.#rootOf(project));
  }

  #controlFor(workspace: Workspace): Control {
    const { tree, team } = workspace;
    const own = this.#openControl();
    if (tree === undefined || team === undefined || tree.task === 'looks') return own;
    const parts = { tree, team, clock: this.#parts.world.clock };
    const [leader, worker] = [leaderControl(own, parts), workerControl(own, parts)];
    // From the moment when it leads, it answers for the whole tree.
    return new Proxy(own, {
      get: (_, name: keyof Control) => (leads(workspace) ? leader : worker)[name],
    });
  }

  #openControl(): Control {
    const { workspace, world, inForce, terminology, monitor, spending, limits, runner } =
      this.#parts;
    const { lockKeeper, lockSync, runState, condition } = this.#parts;
    return createLocalControl({
      ...workspace,
      spending,
      terminology,
      clock: world.clock,
      inForce,
      condition,
      runState,
      estimate: (...asked) => this.#estimate(...asked),
      scan: () => this.#scan(),
      plan: async (): Promise<Plan> => {
        // The last plan may have asked the service about languages.
        workspace.languageSupport.reread();
        return await planAll({ inForce, lockSync });
      },
      bringLock: (orphans) => this.#bringLock(orphans),
      prepareLock: async (name) =>
        await this.#orFatal(lockSync?.prepareFor(name) ?? Promise.resolve()),
      amendLock: async (...spoken) => void (await lockKeeper?.amend(...spoken)),
      offer: (jobs: readonly JobId[]) => runner.offer(jobs),
      saves: (file) => monitor.intake.saves(file),
      tookBack: (file) => monitor.intake.tookBack(file),
      followUps: (scope) =>
        monitor.intake.followUps().filter(({ job }) => this.isWanted(job, scope)),
      whyLockStays: (run) => this.#whyLockStays(run),
      jobsPutBack: async (isPlanned) =>
        runState.isAtWork || workspace.tree !== undefined
          ? []
          : ((await lockKeeper?.jobsPutBack(isPlanned)) ?? []),
      isUnsaid: async (estimate) => (await lockKeeper?.isUnsaid(estimate)) === true,
      blockers: () => this.#blockers(),
      learnAccount: (account) => limits.learn(account),
      confirmDeletions: () => monitor.intake.confirmDeletions(),
      pause: async () => this.#pause(),
      resume: () => runner.resume(),
    });
  }

  /** @throws JobFailure `stopped` when the process must end: a plan of 10,000 jobs does not go on to its last one */
  async #estimate(...asked: Parameters<JobRunner['estimate']>): Promise<Estimate> {
    const { ending, runner } = this.#parts;
    if (ending.aborted) throw new JobFailure({ kind: 'stopped' }, { cause: ending.reason });
    return await runner.estimate(...asked);
  }

  async #whyLockStays(run: ForeseenRun): Promise<Failure | undefined> {
    const { lockKeeper } = this.#parts;
    return await lockKeeper?.whyLockStays(run, (...asked) => this.#estimate(...asked));
  }

  async #scan(): Promise<DiskScan> {
    const { lockSync, monitor, ending } = this.#parts;
    await lockSync?.refuseUnreadable();
    try {
      await untilAborted(monitor.scan(), ending);
    } catch (error) {
      throw ending.aborted ? new JobFailure({ kind: 'stopped' }, { cause: error }) : error;
    }
    return { skipped: monitor.intake.skipped() };
  }

  async #bringLock(orphans: 'keep' | 'drop'): Promise<LockReport> {
    const { inForce, lockSync } = this.#parts;
    const { lock = null } = inForce.config;
    if (lockSync === undefined) return { lock: null, changed: [], open: 0 };
    return { lock, ...(await this.#orFatal(lockSync.bring(orphans))) };
  }

  async #orFatal<T>(work: Promise<T>): Promise<T> {
    return await Promise.race([work, this.#parts.fatal.thrown]);
  }

  #pause(): void {
    const { runState } = this.#parts;
    if (!runState.isAtWork || runState.isWatching) {
      runState.pause();
      return;
    }
    throw new JobFailure({
      kind: 'unsupported',
      what: 'a single run ("dragoman once") is at work, and it cannot be paused',
      advice: 'Ctrl-C there lets it finish what it has begun; the next run goes on.',
    });
  }

  #blockers(): Blocker[] {
    const { inForce, monitor, terminology, limits, runState, condition } = this.#parts;
    const { workspace, world, lockKeeper, lockSync } = this.#parts;
    const { ledger } = workspace;
    const { state } = inForce.config;
    return findBlockers({
      ...{ inForce, monitor, terminology, ledger },
      limits: limits.near,
      isAtWork: runState.isAtWork,
      git: { operation: runState.unfinished, isWaitedFor: runState.isWatching },
      lock: condition.lockPresence,
      lockArrears: lockKeeper?.arrears,
      lockDamage: lockSync?.damage,
      isConfigOutdated: condition.isConfigOutdated,
      isConfigRefused: condition.configFaults.length > 0,
      damage: describeDamage(state, ledger.condition, world.clock.now()),
    });
  }

  #rootOf(project: string): string | undefined {
    return this.#parts.inForce.planner.project(project)?.root;
  }
}
