/** Composition root: wires edges, rules and lanes for one config, and says the sentence once or for ever. */
import type { AttentionLine, Control, Entrance, Scope, StatusReport } from './control.ts';
import { inScope } from './desk/scope.ts';
import { createDesk } from './desk.ts';
import type { Stop } from './dispatch.ts';
import { describeFailure, type Failure } from './failure.ts';
import { keepHouse } from './housekeeping.ts';
import type { FollowUp } from './intake/leaving.ts';
import type { TargetsOfLeaving } from './intake.ts';
import type { JobRecord, LedgerView, SourceRecord } from './ledger.ts';
import { Lookout } from './lookout.ts';
import { type ObstacleSources, obstaclePaths, obstaclesOf } from './obstacles.ts';
import type { PlanInput, PlannedJob } from './plan.ts';
import { Planner, type Setup } from './planner.ts';
import { recoverRequests } from './recover.ts';
import { Rulebook } from './rulebook.ts';
import { Spending } from './spending.ts';
import { Workshop } from './workshop.ts';
import { keyOf, openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

/** Milliseconds between looks at what only time changes: stopped work, old trash. */
const HOUSEKEEPING_MS = 10 * 60_000;

export interface DaemonOptions extends Omit<WorkspaceOptions, 'config'> {
  readonly setup: Setup;
  /** `stay` for a dry run: targets of sources that moved or went are left where they are. */
  readonly targets: TargetsOfLeaving;
  /** Characters that this run may bill, below what config says. */
  readonly maxCharacters?: number;
}

export interface StopSignals {
  /** Finish what runs, start nothing new. */
  readonly drain: AbortSignal;
  /** Stop at once. */
  readonly abort: AbortSignal;
}

export class Daemon implements AsyncDisposable {
  readonly control: Control;
  readonly #options: DaemonOptions;
  readonly #workspace: Workspace;
  readonly #rulebook: Rulebook;
  readonly #workshop: Workshop;
  readonly #spending: Spending;
  readonly #fatal = Promise.withResolvers<never>();
  #setup: Setup;
  #planner: Planner;
  #lookout: Lookout;
  #mode: 'single run' | 'watching' = 'single run';
  #page: Entrance | undefined;
  /** Until what may have been paid before is held, in the ledger. */
  #factsLost: boolean;

  /** @throws StateLocked; JobFailure `damaged-state` */
  static async open(options: DaemonOptions): Promise<Daemon> {
    const workspace = await openWorkspace({ ...options, config: options.setup.config });
    try {
      await recoverRequests(workspace);
      const { clock, events } = options.world;
      const { config } = options.setup;
      const rulebook = await Rulebook.open({ ...workspace, config, clock, events });
      return new Daemon(options, workspace, rulebook);
    } catch (error) {
      await workspace[Symbol.asyncDispose]();
      throw error;
    }
  }

  private constructor(options: DaemonOptions, workspace: Workspace, rulebook: Rulebook) {
    const { world, setup } = options;
    const { events } = world;
    const { ledger } = workspace;
    this.#options = options;
    this.#workspace = workspace;
    this.#rulebook = rulebook;
    this.#setup = setup;
    this.#fatal.promise.catch(() => {});
    this.#factsLost = ledger.condition === 'facts-lost';
    this.#planner = this.#plannerFor(setup);
    this.#lookout = this.#lookoutFor(setup);
    const approveOver = (job: Pick<JobRecord, 'project' | 'source'>) =>
      this.#planner.routeOf(job.project, job.source)?.approveOver;
    this.#spending = new Spending({
      ...options,
      ...world,
      ledger,
      config: setup.config,
      approveOver,
    });
    this.#workshop = new Workshop({
      workspace,
      world,
      rulebook,
      spending: this.#spending,
      setup: () => this.#setup,
      planner: () => this.#planner,
      comesAgain: () => this.#mode === 'watching',
      factsLost: () => this.#factsLost,
    });
    this.#workshop.broken.catch((error: unknown) => this.#fatal.reject(error));
    events.subscribe((event) => {
      if (event.kind === 'job-delivered') this.#lookout.intake.delivered(event.job);
    });
    this.control = this.#desk();
  }

  /** Plans and works until nothing is left to do, also of what changed meanwhile. Jobs outside of the scope are left as they are. */
  async workToIdle(scope: Scope, signals: StopSignals): Promise<void> {
    this.#workshop.begin();
    const tried = new Set<string>();
    while (!signals.drain.aborted && this.#workshop.stop === undefined) {
      // A job that this run has tried for the same content is not tried again: what it became is its answer.
      const fresh = (await this.pending(scope)).filter(({ job }) => {
        const attempt = `${job.id} ${job.fingerprint}`;
        return !tried.has(attempt) && tried.add(attempt);
      });
      if (fresh.length === 0) {
        if (isWhole(scope)) {
          await this.#dealWithLoss();
          await this.#keepOrder();
        }
        break;
      }
      await this.#workshop.enqueue(fresh);
      await Promise.race([this.#workshop.idle(), this.#fatal.promise, aborted(signals.drain)]);
    }
    await this.#drain(signals.abort);
  }

  /** What is to be done now. */
  async pending(scope: Scope): Promise<readonly PlannedJob[]> {
    await this.#lookout.look();
    return this.#planner.plan('passing').work.filter(({ job }) => this.#isWanted(job, scope));
  }

  /** What would become of targets whose source moved or went; for a dry run that has looked. */
  followUps(scope: Scope): FollowUp[] {
    return this.#lookout.intake.followUps().filter(({ job }) => this.#isWanted(job, scope));
  }

  /** Watches and works until the signal; resolves when running jobs have reached a safe step. */
  async run(signals: StopSignals): Promise<void> {
    this.#mode = 'watching';
    this.#workshop.begin();
    await this.#lookout.open('events');
    await this.#plan('passing');
    const projects = this.#setup.config.projects.length;
    this.#options.world.events.emit({ kind: 'started', projects });
    if (this.#factsLost)
      this.#workshop.idle().then(
        () => this.#dealWithLoss(),
        () => {},
      );
    const words = this.#rulebook.watch(() => this.#plan('passing'), signals.drain);
    words.catch((error: unknown) => this.#fatal.reject(error));
    await Promise.race([this.#fatal.promise, this.#keepHouse(signals.drain)]);
    this.#options.world.events.emit({ kind: 'stopping', signal: signalName(signals.drain) });
    await this.#drain(signals.abort);
  }

  /** Swaps the config; jobs that run go on as they began. */
  async reload(setup: Setup): Promise<void> {
    await this.#lookout[Symbol.asyncDispose]();
    await this.#rulebook.configure(setup.config);
    this.#setup = setup;
    this.#planner = this.#plannerFor(setup);
    this.#lookout = this.#lookoutFor(setup);
    this.#spending.configure(setup.config);
    this.#workshop.resize();
    this.#workspace.service.setKey(keyOf(setup.config, this.#options.world));
    await this.#lookout.open('events');
    await this.#plan('passing');
    await this.#workshop.resume();
  }

  get setup(): Setup {
    return this.#setup;
  }

  /** Why paid work stands still. */
  get stop(): Stop | undefined {
    return this.#workshop.stop;
  }

  get queue(): Workshop['queue'] {
    return this.#workshop.queue;
  }

  get ledger(): LedgerView {
    return this.#workspace.ledger;
  }

  /** Where the page is served, for `status`. */
  showPage(page: Entrance): void {
    this.#page = page;
  }

  jobs(scope: Scope): JobRecord[] {
    return [...this.#workspace.ledger.all('jobs')].filter((job) => this.#isWanted(job, scope));
  }

  /** What the jobs of this state ended with. */
  failures(): Failure[] {
    const failures: Failure[] = [];
    for (const { state } of this.#workspace.ledger.all('jobs')) {
      if (state.kind === 'failed') failures.push(state.failure);
    }
    return failures;
  }

  /** What needs a person beside the jobs. */
  obstacles(): AttentionLine[] {
    const { collisions, deletions } = obstaclesOf(this.#obstacles);
    return [...collisions, ...deletions];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lookout[Symbol.asyncDispose]();
    await this.#workshop[Symbol.asyncDispose]();
    await this.#workspace[Symbol.asyncDispose]();
  }

  get #obstacles(): ObstacleSources {
    const deletions = this.#lookout.intake.massDeletions();
    return { setup: this.#setup, planner: this.#planner, deletions };
  }

  #plannerFor(setup: Setup): Planner {
    return new Planner({
      setup,
      ledger: this.#workspace.ledger,
      reach: this.#workspace.reach,
      wording: () => this.#rulebook.wording,
      deviation: (project, path) => this.#lookout.intake.deviation(project, path),
      isLeaving: (source) => this.#lookout.intake.isLeaving(source),
    });
  }

  #lookoutFor(setup: Setup): Lookout {
    const lookout = new Lookout({
      setup,
      workspace: this.#workspace,
      world: this.#options.world,
      targets: this.#options.targets,
      // One run plans the whole when it has looked.
      onChanged: async (sources) => {
        if (this.#mode === 'watching') await this.#plan('none', sources);
      },
    });
    lookout.broken.catch((error: unknown) => this.#fatal.reject(error));
    return lookout;
  }

  async #plan(retries: PlanInput['retries'], sources?: readonly SourceRecord[]): Promise<void> {
    await this.#workshop.enqueue(this.#planner.plan(retries, sources).work);
  }

  /** Everything that may have been paid before has had its turn and is held: what comes now is new. */
  async #dealWithLoss(): Promise<void> {
    if (!this.#factsLost) return;
    this.#factsLost = false;
    await this.#workspace.ledger.forgetLoss();
  }

  async #drain(abort: AbortSignal): Promise<void> {
    await this.#lookout[Symbol.asyncDispose]();
    await Promise.race([this.#workshop.drain(), aborted(abort)]);
    // What was sent is paid: whoever is in a hurry hears what became of it, too.
    if (abort.aborted) await this.#workshop[Symbol.asyncDispose]();
  }

  /** A quota that was used up or a key that was refused may be good again, and asking is free. Resolves with the signal. */
  async #keepHouse(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.world;
    while (!signal.aborted) {
      await this.#keepOrder();
      await clock.sleep(HOUSEKEEPING_MS, signal).catch(() => {});
      if (signal.aborted || this.#workshop.stop === undefined) continue;
      await this.#workshop.resume().catch(() => {});
    }
  }

  async #keepOrder(): Promise<void> {
    await keepHouse(this.#workspace, this.#setup.config.keep, this.#options.world);
  }

  #isWanted(job: Parameters<typeof inScope>[1], scope: Scope): boolean {
    return inScope(scope, job, (project) => this.#planner.project(project)?.root);
  }

  #desk(): Control {
    return createDesk({
      ...this.#workspace,
      spending: this.#spending,
      rulebook: this.#rulebook,
      clock: this.#options.world.clock,
      setup: () => this.#setup,
      planner: () => this.#planner,
      condition: () => this.#condition(),
      visit: () => this.#page?.visit() ?? null,
      estimate: (job, counted) => this.#workshop.estimate(job, counted),
      look: async () => {
        await this.#lookout.look();
        return { skipped: [...this.#lookout.intake.skipped(), ...obstaclePaths(this.#obstacles)] };
      },
      offer: (jobs) => {
        if (this.#mode === 'watching') this.#workshop.offer(jobs);
      },
      isBusy: ({ state }) =>
        this.#mode === 'watching' && (state.kind === 'queued' || state.kind === 'running'),
      tookBack: (file) => this.#lookout.intake.tookBack(file),
      followUps: (scope) => this.followUps(scope),
      obstacles: () => obstaclesOf(this.#obstacles),
      confirmDeletions: () => this.#lookout.intake.confirmDeletions(),
      pause: async () => this.#workshop.pause(),
      resume: () => this.#workshop.resume(),
    });
  }

  #condition(): Pick<StatusReport, 'state' | 'stopped_by' | 'page'> {
    const { stop } = this.#workshop;
    const stopped_by = stop === undefined ? null : describeFailure(stop);
    return { state: this.#stateWord(), stopped_by, page: this.#page?.address ?? null };
  }

  #stateWord(): StatusReport['state'] {
    if (this.#workshop.stop !== undefined) return 'stopped';
    if (this.#workshop.paused) return 'paused';
    return this.#mode === 'watching' ? 'running' : 'not running';
  }
}

function signalName({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}

function isWhole({ projects, languages, paths }: Scope): boolean {
  return projects.length + languages.length + paths.length === 0;
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
