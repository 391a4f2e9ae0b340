/** The parts of one config at work together: planner, source monitor, job runner and what they share, wired to each other. */
import { join } from 'node:path';
import { statOf } from '../files/disk.ts';
import type { TargetsOfLeaving } from '../intake/intake.ts';
import type { FollowUp } from '../intake/leaving.ts';
import { SourceMonitor } from '../intake/source-monitor.ts';
import { type Job, targetList } from '../job.ts';
import { recoverRequests } from '../jobs/recover.ts';
import { JobRunner } from '../jobs/runner.ts';
import { keyOf, openWorkspace, type Workspace, type WorkspaceOptions } from '../jobs/workspace.ts';
import type { JobRecord, SourceRecord } from '../ledger.ts';
import type { PlanInput, PlannedJob } from '../plan/plan.ts';
import { Planner, type Setup } from '../plan/planner.ts';
import { Spending } from '../plan/spending.ts';
import { TerminologyInForce } from '../sync/terminology-in-force.ts';
import type { BlockerSources } from './blockers.ts';
import type { Scope } from './control.ts';
import { inScope } from './scope.ts';

export interface AssemblyOptions extends Omit<WorkspaceOptions, 'config'> {
  readonly setup: Setup;
  /** `stay` for a dry run: targets of sources that moved or went are left where they are. */
  readonly targets: TargetsOfLeaving;
  /** Characters that this run may bill, below what config says. */
  readonly maxCharacters?: number;
}

export class Assembly implements AsyncDisposable {
  readonly options: AssemblyOptions;
  readonly workspace: Workspace;
  readonly inForce: TerminologyInForce;
  readonly runner: JobRunner;
  readonly spending: Spending;
  /** One run plans the whole when it has looked; a daemon plans what changed. */
  mode: 'single run' | 'watching' = 'single run';
  readonly #fatal = Promise.withResolvers<never>();
  #setup: Setup;
  #planner: Planner;
  #monitor: SourceMonitor;
  /** Until what may have been paid before is held, in the ledger. */
  #factsLost: boolean;

  /** @throws StateLocked; JobFailure `damaged-state` */
  static async open(options: AssemblyOptions): Promise<Assembly> {
    const workspace = await openWorkspace({ ...options, config: options.setup.config });
    try {
      await recoverRequests(workspace);
      const { clock, events } = options.world;
      const { config } = options.setup;
      const inForce = await TerminologyInForce.open({ ...workspace, config, clock, events });
      return new Assembly(options, workspace, inForce);
    } catch (error) {
      await workspace[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(options: AssemblyOptions, workspace: Workspace, inForce: TerminologyInForce) {
    const { world, setup } = options;
    const { ledger } = workspace;
    this.options = options;
    this.workspace = workspace;
    this.inForce = inForce;
    this.#setup = setup;
    this.#fatal.promise.catch(() => {});
    this.#factsLost = ledger.condition === 'facts-lost';
    this.#planner = this.#plannerFor(setup);
    this.#monitor = this.#lookoutFor(setup);
    const approveOver = (job: Pick<JobRecord, 'project' | 'source'>) =>
      this.#planner.routeOf(job.project, job.source)?.approveOver;
    const { config } = setup;
    this.spending = new Spending({ ...options, ...world, ledger, config, approveOver });
    this.runner = new JobRunner({
      workspace,
      world,
      inForce,
      spending: this.spending,
      setup: () => this.#setup,
      planner: () => this.#planner,
      comesAgain: () => this.mode === 'watching',
      factsLost: () => this.#factsLost,
    });
    this.endWith(this.runner.broken);
    world.events.subscribe((event) => {
      if (event.kind === 'job-delivered') this.#monitor.intake.delivered(event.job);
    });
  }

  /** The config in force. */
  get setup(): Setup {
    return this.#setup;
  }

  /** The planner of the config in force. */
  get planner(): Planner {
    return this.#planner;
  }

  /** What watches the folders of the config in force. */
  get monitor(): SourceMonitor {
    return this.#monitor;
  }

  /** Rejects with what nothing can go on after; never resolves. */
  get fatal(): Promise<never> {
    return this.#fatal.promise;
  }

  /** What this rejects with ends everything. */
  endWith(part: Promise<unknown>): void {
    part.catch((error: unknown) => this.#fatal.reject(error));
  }

  /** Swaps the config; jobs that run go on as they began. */
  async configure(setup: Setup): Promise<void> {
    await this.#monitor[Symbol.asyncDispose]();
    await this.inForce.configure(setup.config);
    this.#setup = setup;
    this.#planner = this.#plannerFor(setup);
    this.#monitor = this.#lookoutFor(setup);
    this.spending.configure(setup.config);
    this.runner.resize();
    this.workspace.service.setKey(keyOf(setup.config, this.options.world));
  }

  /** Plans and offers what is to be done. @param sources those that changed; all of them when absent */
  async enqueue(retries: PlanInput['retries'], sources?: readonly SourceRecord[]): Promise<void> {
    await this.runner.enqueue(this.#planner.plan(retries, sources).work);
  }

  /** What is to be done now. */
  async pending(scope: Scope): Promise<readonly PlannedJob[]> {
    await this.#monitor.look();
    return this.#planner.plan('passing').work.filter(({ job }) => this.isWanted(job, scope));
  }

  /** Whether a run would leave what stands at a job's targets as it is. */
  async stands(job: Job): Promise<boolean> {
    const root = this.#planner.project(job.project)?.root;
    if (root === undefined) return false;
    for (const path of targetList(job.targets)) {
      if ((await statOf(join(root, path))) === undefined) return false;
    }
    const estimate = await this.runner.estimate(job, new Set()).catch(() => undefined);
    return estimate?.stands === true && estimate.hold === undefined;
  }

  /** What would become of targets whose source moved or went; for a dry run that has looked. */
  followUps(scope: Scope): FollowUp[] {
    return this.#monitor.intake.followUps().filter(({ job }) => this.isWanted(job, scope));
  }

  get blockers(): BlockerSources {
    return {
      setup: this.#setup,
      planner: this.#planner,
      deletions: this.#monitor.intake.massDeletions(),
      unfinished: this.#monitor.unfinished(),
    };
  }

  isWanted(job: Pick<Job, 'project' | 'language' | 'source' | 'targets'>, scope: Scope): boolean {
    return inScope(scope, job, (project) => this.#planner.project(project)?.root);
  }

  /** Everything that may have been paid before has had its turn and is held: what comes now is new. */
  async dealWithLoss(): Promise<void> {
    if (!this.#factsLost) return;
    this.#factsLost = false;
    await this.workspace.ledger.forgetLoss();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#monitor[Symbol.asyncDispose]();
    await this.runner[Symbol.asyncDispose]();
    await this.workspace[Symbol.asyncDispose]();
  }

  #plannerFor(setup: Setup): Planner {
    return new Planner({
      setup,
      ledger: this.workspace.ledger,
      languageSupport: this.workspace.languageSupport,
      terminology: () => this.inForce.terminology,
      deviation: (project, path) => this.#monitor.intake.deviation(project, path),
      isLeaving: (source) => this.#monitor.intake.isLeaving(source),
    });
  }

  #lookoutFor(setup: Setup): SourceMonitor {
    const { workspace } = this;
    const { world, targets } = this.options;
    const onChanged = async (sources: readonly SourceRecord[]) => {
      if (this.mode === 'watching') await this.enqueue('none', sources);
    };
    const monitor = new SourceMonitor({ setup, workspace, world, targets, onChanged });
    this.endWith(monitor.broken);
    return monitor;
  }
}
