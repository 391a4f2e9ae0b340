/** A daemon's answers to commands, the page and metrics, from the current state of its parts. */
import { untilAborted } from '../clock.ts';
import { describeFailure, JobFailure } from '../failure.ts';
import type { SourceMonitor } from '../intake/source-monitor.ts';
import type { Job, JobId } from '../job.ts';
import type { LockKeeper } from '../jobs/lock-keeper.ts';
import type { LockSync } from '../jobs/lock-sync.ts';
import type { JobRunner } from '../jobs/runner.ts';
import { leads, type Workspace, type WorkspaceOptions } from '../jobs/workspace.ts';
import type { JobRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Plan } from '../plan/plan.ts';
import type { Spending } from '../plan/spending.ts';
import { describeDamage } from '../state/recovery.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import { type Blocker, blockersIn } from './blockers.ts';
import type { Control, Entrance, Scope } from './control.ts';
import { Delays } from './delays.ts';
import { findBlockers, type LockPresence } from './find-blockers.ts';
import type { LimitWatch } from './limit-watch.ts';
import { createLocalControl } from './local-control.ts';
import type { DiskLook } from './options.ts';
import type { LockReport } from './report.ts';
import { inScope } from './scope.ts';
import { leaderControl, workerControl } from './tree-control.ts';

export interface DaemonParts {
  readonly workspace: Workspace;
  readonly world: WorkspaceOptions['world'];
  readonly inForce: InForce;
  readonly terminology: TerminologyInForce;
  readonly monitor: SourceMonitor;
  readonly spending: Spending;
  readonly limits: LimitWatch;
  readonly runner: JobRunner;
  /** Undefined: the config names no lock. */
  readonly lockKeeper: LockKeeper | undefined;
  /** Undefined together with `lockKeeper`. */
  readonly lockSync: LockSync | undefined;
  readonly lockPresence: LockPresence;
  /** Rejects with the error that ended the daemon. */
  readonly ended: Promise<never>;
  /** Aborted when the process must end: no question waits for the disk any longer. */
  readonly ending: AbortSignal;
}

export class DaemonAnswers {
  readonly control: Control;
  readonly #parts: DaemonParts;
  #lockPresence: LockPresence;
  readonly #delays: Delays;
  #page: Entrance | undefined;

  constructor(parts: DaemonParts) {
    this.#parts = parts;
    this.#delays = new Delays({ ...parts.world, inForce: parts.inForce });
    this.#lockPresence = parts.lockPresence;
    this.control = this.#controlFor(parts.workspace);
  }

  /** Forgets what was missing at the start: only the person who started the daemon gets a message about it. */
  forgetLockPresence(): void {
    this.#lockPresence = { lost: [], isStateNew: false };
  }

  /** What delays the work, in sentences. */
  get delays(): readonly string[] {
    return this.#delays.sentences;
  }

  /** Sets the address of the page, for `status`. */
  showPage(page: Entrance): void {
    this.#page = page;
  }

  jobs(scope: Scope): JobRecord[] {
    const { workspace, inForce } = this.#parts;
    return [...workspace.ledger.all('jobs')].filter(
      (job) => this.isWanted(job, scope) && inForce.planner.isReported(job),
    );
  }

  /** The blockers: reasons beside the jobs why something is missing. */
  blockers(scope: Scope): Blocker[] {
    return blockersIn(scope, this.#blockers(), (project) => this.#rootOf(project));
  }

  /** The plan from disk, config and ledger, and from the lock for jobs that are done. */
  async plan(): Promise<Plan> {
    const plan = this.#parts.inForce.planner.plan('passing');
    return (await this.#parts.lockSync?.completed(plan)) ?? plan;
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
    const { lockKeeper } = this.#parts;
    return createLocalControl({
      ...workspace,
      spending,
      terminology,
      clock: world.clock,
      inForce,
      condition: () => this.#condition(),
      delays: () => this.delays,
      visit: () => this.#page?.visit() ?? null,
      estimate: (...asked) => runner.estimate(...asked),
      look: () => this.#look(),
      plan: () => {
        // The last plan may have asked the service about languages.
        workspace.languageSupport.reread();
        return this.plan();
      },
      lock: (orphans) => this.#bringLock(orphans),
      lockVersion: async (...asked) => await workspace.lock?.version(...asked),
      lockIndex: async (name) => await workspace.lock?.index(name),
      hasLock: async (name) => (await workspace.lock?.has(name)) === true,
      amendLock: async (...spoken) => void (await lockKeeper?.amend(...spoken)),
      offer: (jobs: readonly JobId[]) => runner.offer(jobs),
      isBusy: ({ state }) =>
        runner.isAtWork && (state.kind === 'queued' || state.kind === 'running'),
      saves: (file) => monitor.intake.saves(file),
      tookBack: (file) => monitor.intake.tookBack(file),
      followUps: (scope) =>
        monitor.intake.followUps().filter(({ job }) => this.isWanted(job, scope)),
      blockers: () => this.#blockers(),
      learnAccount: (account) => limits.learn(account),
      confirmDeletions: () => monitor.intake.confirmDeletions(),
      pause: async () => this.#pause(),
      resume: () => runner.resume(),
    });
  }

  async #look(): Promise<DiskLook> {
    const { lockSync, monitor, ending } = this.#parts;
    await lockSync?.refuseNewer();
    try {
      await untilAborted(monitor.look(), ending);
    } catch (error) {
      throw ending.aborted ? new JobFailure({ kind: 'stopped' }, { cause: error }) : error;
    }
    return { skipped: monitor.intake.skipped() };
  }

  async #bringLock(orphans: 'keep' | 'drop'): Promise<LockReport> {
    const { inForce, lockSync, ended } = this.#parts;
    const { lock = null } = inForce.config;
    if (lockSync === undefined) return { lock: null, changed: [], open: 0 };
    const change = await Promise.race([lockSync.bring(orphans), ended]);
    return { lock, ...change };
  }

  #pause(): void {
    const { runner } = this.#parts;
    if (!runner.isAtWork || runner.isWatching) {
      runner.pause();
      return;
    }
    throw new JobFailure({
      kind: 'unsupported',
      what: 'a single run ("dragoman once") is at work, and it cannot be paused',
      advice: 'Ctrl-C there lets it finish what it has begun; the next run goes on.',
    });
  }

  #condition() {
    const { stop, paused, isAtWork, standstill = null } = this.#parts.runner;
    const working = isAtWork ? ('running' as const) : ('not running' as const);
    return {
      state: stop !== undefined ? ('stopped' as const) : paused ? ('paused' as const) : working,
      stopped_by: stop === undefined ? null : describeFailure(stop),
      standstill,
      page: this.#page?.address ?? null,
    };
  }

  #blockers(): Blocker[] {
    const { inForce, monitor, terminology, limits, runner, workspace, world } = this.#parts;
    const { ledger } = workspace;
    const { state } = inForce.config;
    return findBlockers({
      ...{ inForce, monitor, terminology, ledger },
      limits: limits.near,
      isAtWork: runner.isAtWork,
      git: { operation: runner.unfinished, isWaitedFor: runner.isWatching },
      lock: this.#lockPresence,
      damage: describeDamage(state, ledger.condition, world.clock.now()),
    });
  }

  #rootOf(project: string): string | undefined {
    return this.#parts.inForce.planner.project(project)?.root;
  }
}
