/** Puts the parts of a config together, and runs them: once to idle, or until a signal. */
import type { Config, ServiceConfig } from './config.ts';
import type { Scope } from './control/control.ts';
import { DaemonAnswers } from './control/daemon-answers.ts';
import type { LockStanding } from './control/find-blockers.ts';
import { LimitWatch } from './control/limit-watch.ts';
import { isEverything } from './control/scope.ts';
import { failureOf } from './failure.ts';
import type { TargetsOfLeaving } from './intake/intake.ts';
import { notePlaced } from './intake/placed.ts';
import { SourceMonitor } from './intake/source-monitor.ts';
import { type JobId, sourceId } from './job.ts';
import type { Stop } from './jobs/execution.ts';
import type { LockKeeper } from './jobs/lock-keeper.ts';
import { recallRules } from './jobs/lock-rules.ts';
import { LockSync, openKeeper } from './jobs/lock-sync.ts';
import { lostLockFiles } from './jobs/lock-tidying.ts';
import { Presence } from './jobs/presence.ts';
import { applyRetention } from './jobs/retention.ts';
import { runToIdle } from './jobs/run-to-idle.ts';
import { JobRunner } from './jobs/runner.ts';
import {
  keyOf,
  leads,
  openWorkspace,
  type Workspace,
  type WorkspaceOptions,
} from './jobs/workspace.ts';
import type { JobRecord, LedgerView, SourceRecord } from './ledger.ts';
import { type Reviewers, reviewersOf } from './page/reviewers.ts';
import { readOnThreads } from './parsing/parse.ts';
import type { InForce } from './plan/in-force.ts';
import type { PlanInput, PlannedJob } from './plan/plan.ts';
import { Planner, type Setup } from './plan/planner.ts';
import { serviceMark } from './plan/service-mark.ts';
import { Spending } from './plan/spending.ts';
import type { Books } from './state/books.ts';
import { asStateFailure } from './state/state-disk.ts';
import type { Team } from './state/team.ts';
import type { Tree } from './state/tree.ts';
import { TerminologyInForce } from './sync/terminology-in-force.ts';

/** Milliseconds between looks at what only time changes: stopped work, old trash. */
const RETENTION_MS = 10 * 60_000;
/** How long answers are waited for that nobody can write down: most come within it, and the process ends soon. */
const LOST_STATE_MS = 5000;

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
  /** What commands, the page and metrics ask. */
  readonly answers: DaemonAnswers;
  readonly #options: DaemonOptions;
  readonly #workspace: Workspace;
  readonly #terminology: TerminologyInForce;
  /** Shared by all parts; `reload` replaces its content. */
  readonly #inForce: { -readonly [K in keyof InForce]: InForce[K] };
  readonly #monitor: SourceMonitor;
  readonly #spending: Spending;
  readonly #limits: LimitWatch;
  readonly #runner: JobRunner;
  /** Undefined: the config names no tree. */
  readonly #presence: Presence | undefined;
  /** Undefined: the config names no lock. */
  readonly #lockKeeper: LockKeeper | undefined;
  /** As `#lockKeeper`. */
  readonly #lockSync: LockSync | undefined;
  /** Of the connection that is open, and of its key. */
  #serviceMark: string;
  readonly #fatal = Promise.withResolvers<never>();
  /** Nothing can be written down any more. */
  #isStateLost = false;

  /** @throws StateLocked; JobFailure `damaged-state` */
  static async open(options: DaemonOptions): Promise<Daemon> {
    const { config } = options.setup;
    const workspace = await openWorkspace({ ...options, config }).catch((error: unknown) => {
      throw asStateFailure(error, config.state);
    });
    try {
      await workspace.till.recover();
      if (leads(workspace)) await notePlacedIn(workspace, config);
      const { clock, events } = options.world;
      const terminology = await TerminologyInForce.open({ ...workspace, config, clock, events });
      await recallRules(workspace.lock, terminology);
      const mark = await markOf(config.service, keyOf(config, options.world));
      const lost = await lostLockFiles(config);
      const isStateNew = options.world.isRunner !== true && !hasDelivered(workspace.ledger);
      const lockStanding = { lost, isStateNew };
      return new Daemon(options, { workspace, terminology, mark, lockStanding });
    } catch (error) {
      await workspace[Symbol.asyncDispose]();
      throw asStateFailure(error, config.state);
    }
  }

  private constructor(options: DaemonOptions, opened: Opened) {
    const { workspace, terminology, mark, lockStanding } = opened;
    const { world, setup } = options;
    this.#options = options;
    this.#workspace = workspace;
    this.#serviceMark = mark;
    this.#terminology = terminology;
    this.#fatal.promise.catch(() => {});
    const inForce = { ...setup, planner: this.#plannerFor(setup) };
    this.#inForce = inForce;
    this.#monitor = this.#openMonitor();
    this.#spending = this.#openSpending();
    this.#limits = new LimitWatch({ ...workspace, ...world });
    world.events.subscribe(this.#limits.listener);
    const keeper =
      options.role === 'worker' ? undefined : openKeeper(workspace, inForce, terminology);
    this.#lockKeeper = keeper;
    this.#runner = this.#openRunner();
    this.#presence =
      workspace.tree &&
      new Presence({ ...world, ...workspace.tree, places: () => this.#runner.places });
    if (this.#presence !== undefined) world.events.subscribe(this.#presence.listener);
    const { lock } = workspace;
    const tree = { workspace, world, monitor: this.#monitor, runner: this.#runner };
    this.#lockSync = lock && keeper && new LockSync({ ...tree, files: lock, keeper, inForce });
    this.#endWith(this.#monitor.broken);
    this.#endWith(this.#runner.broken);
    this.answers = new DaemonAnswers({
      ...{ workspace, world, inForce, terminology, lockStanding },
      monitor: this.#monitor,
      spending: this.#spending,
      limits: this.#limits,
      runner: this.#runner,
      lockKeeper: keeper,
      lockSync: this.#lockSync,
      ended: this.#fatal.promise,
    });
  }

  #openMonitor(): SourceMonitor {
    const { setup, world, targets } = this.#options;
    return new SourceMonitor({
      ...{ setup, workspace: this.#workspace, world, targets },
      onChanged: async (sources) => {
        if (this.#runner.isWatching) await this.#enqueue('none', sources);
      },
    });
  }

  #openRunner(): JobRunner {
    const { world, role = 'both' } = this.#options;
    const keeper = this.#lockKeeper;
    return new JobRunner({
      ...{ workspace: this.#workspace, world, role, inForce: this.#inForce },
      ...{ terminology: this.#terminology, spending: this.#spending },
      leads: () => leads(this.#workspace),
      serviceMark: () => this.#serviceMark,
      // The leader hears of it, too.
      delivered: (job) => {
        if (leads(this.#workspace)) this.#monitor.intake.delivered(job);
      },
      ...(keeper === undefined ? {} : { lock: this.#whereLeading(keeper) }),
      buys: (work) => this.#buys(work),
    });
  }

  /**
   * Plans and works until nothing is left to do, also of what changed meanwhile. Jobs outside of the scope are left as they are.
   * @param beforeWork asked once, before the first job begins; what it throws ends the run with nothing begun
   * @returns jobs that are left queued because their sources changed during every try
   */
  async workToIdle(
    scope: Scope,
    signals: StopSignals,
    beforeWork?: () => Promise<void>,
  ): Promise<readonly JobRecord[]> {
    try {
      return await this.#workToIdle(scope, signals, beforeWork);
    } catch (error) {
      throw this.#asFailure(error);
    }
  }

  async #workToIdle(
    scope: Scope,
    signals: StopSignals,
    beforeWork?: () => Promise<void>,
  ): Promise<readonly JobRecord[]> {
    this.#runner.begin('once');
    const left = await runToIdle({
      runner: this.#runner,
      jobOf: (id) => this.ledger.get('jobs', id),
      plan: () => this.#pending(scope),
      beforeWork: async (jobs) => {
        if (!(await this.#buys(jobs))) return;
        await beforeWork?.();
        this.#workspace.languageSupport.reread();
      },
      conclude: () => this.#conclude(scope),
      ended: () => Promise.race([this.#fatal.promise, aborted(signals.drain)]),
      drain: signals.drain,
    });
    await this.#drain(signals.abort);
    if (!signals.abort.aborted) await this.#limits.ask();
    await this.#lockKeeper?.write(isEverything(scope) && left.length === 0 ? 'drop' : 'keep');
    return left;
  }

  /** Watches and works until the signal; resolves when running jobs have reached a safe step. */
  async run(signals: StopSignals): Promise<void> {
    // What looks after the rest ends with the work, also where that breaks off: else the process would stay.
    const over = new AbortController();
    try {
      await this.#run(signals, AbortSignal.any([signals.drain, over.signal]));
    } catch (error) {
      throw this.#asFailure(error);
    } finally {
      over.abort();
    }
  }

  async #run(signals: StopSignals, end: AbortSignal): Promise<void> {
    const { events } = this.#options.world;
    readOnThreads();
    this.#runner.begin('watching');
    if (this.#presence !== undefined) this.#endWith(this.#presence.keep(end));
    if (this.#options.role === 'worker') return await this.#workUntil(end, signals);
    this.#endWith(this.#runner.watchGit(end));
    if (!(await this.#standBy(end))) return await this.#finish(signals);
    this.#workspace.tree?.hear((jobs) => this.#learn(jobs));
    await this.#monitor.open('events');
    await this.#lockSync?.begin();
    await this.#enqueue('passing');
    await this.#lockSync?.enqueueDecided(() => true);
    this.answers.atWork();
    events.emit({ kind: 'started', projects: this.setup.config.projects.length });
    this.#runner.idle().then(
      () => this.#dealWithLoss(),
      () => {},
    );
    this.#endWith(this.#runner.watchOffers(end));
    if (this.#lockSync !== undefined) {
      this.#endWith(this.#lockSync.keep(end));
      this.#endWith(this.#lockSync.watch(end));
    }
    this.#endWith(this.#limits.keepAsking(end));
    this.#endWith(this.#terminology.watch(() => this.#enqueue('passing'), end));
    await Promise.race([this.#fatal.promise, this.#keepOrderUntil(end)]);
    await this.#finish(signals);
    await this.#lockKeeper?.write('keep');
  }

  async #finish({ drain, abort }: StopSignals): Promise<void> {
    this.#options.world.events.emit({ kind: 'stopping', signal: signalName(drain) });
    await this.#drain(abort);
  }

  /** Works for the daemon that leads the tree, until this one does. @returns false at the end */
  async #standBy(end: AbortSignal): Promise<boolean> {
    const { tree } = this.#workspace;
    if (tree?.task !== 'works') return true;
    const { config } = this.setup;
    this.#options.world.events.emit({ kind: 'started', projects: config.projects.length });
    const led = tree.lead(end).then(
      () => true,
      (error: unknown) => {
        if (end.aborted) return false;
        throw error;
      },
    );
    if (!(await Promise.race([this.#fatal.promise, led]))) return false;
    await notePlacedIn(this.#workspace, config);
    // What it knew until now was of its own jobs.
    await this.#monitor.configure(this.#inForce);
    this.#runner.lead();
    return true;
  }

  /** What workers did, the leader writes to the lock. */
  #whereLeading(keeper: LockKeeper): Pick<LockKeeper, 'publishing' | 'settled'> {
    return {
      publishing: async (job) => {
        if (leads(this.#workspace)) await keeper.publishing(job);
      },
      settled: (job) => {
        if (leads(this.#workspace)) keeper.settled(job);
      },
    };
  }

  /** Of a tree that another daemon leads: nothing is watched, planned or brought into step here. */
  async #workUntil(end: AbortSignal, signals: StopSignals): Promise<void> {
    const { events } = this.#options.world;
    events.emit({ kind: 'started', projects: this.setup.config.projects.length });
    this.#endWith(this.#runner.watchGit(end));
    await Promise.race([this.#fatal.promise, aborted(end)]);
    await this.#finish(signals);
  }

  /** Other daemons have changed jobs: their targets stand as the ledger says now, and what they could not end is planned anew. */
  #learn(ids: readonly JobId[]): void {
    const open = new Map<string, SourceRecord>();
    for (const id of ids) {
      const job = this.ledger.get('jobs', id);
      if (job === undefined) continue;
      this.#runner.moved();
      if (job.state.kind === 'queued') {
        const source = this.ledger.get('sources', sourceId(job.project, job.source));
        if (source !== undefined) open.set(source.id, source);
      } else if (job.state.kind !== 'running') {
        this.#lockKeeper?.settled(job);
        this.#monitor.intake.delivered(id);
      }
    }
    if (open.size > 0) this.#endWith(this.#enqueue('none', [...open.values()]));
  }

  /** Swaps the config; jobs that run go on as they began. */
  async reload(setup: Setup): Promise<void> {
    await this.#monitor.configure(setup);
    await this.#terminology.configure(setup.config);
    await recallRules(this.#workspace.lock, this.#terminology);
    Object.assign(this.#inForce, setup, { planner: this.#plannerFor(setup) });
    this.#spending.configure(setup.config);
    this.#runner.resize();
    const key = keyOf(setup.config, this.#options.world);
    this.#workspace.service.setKey(key);
    // The other settings of the connection count from the next start.
    this.#serviceMark = await markOf(this.#options.setup.config.service, key);
    if (leads(this.#workspace)) {
      await this.#monitor.open('events');
      await this.#enqueue('passing');
    }
    await this.#runner.resume();
  }

  get setup(): Setup {
    return this.#inForce;
  }

  /** Why paid work stands still. */
  get stop(): Stop | undefined {
    return this.#runner.stop;
  }

  /** Work that is queued and does not move. */
  get standstill(): JobRunner['standstill'] {
    return this.#runner.standstill;
  }

  get queue(): JobRunner['queue'] {
    return this.#runner.queue;
  }

  get ledger(): LedgerView {
    return this.#workspace.ledger;
  }

  /** Who may review by a link, as links and config are now. */
  get reviewers(): Reviewers {
    return reviewersOf(this.#workspace.links, () => this.setup.config);
  }

  get books(): Books {
    return this.#workspace.books;
  }

  /** Undefined: the config names no tree that daemons share. */
  get tree(): Tree | undefined {
    return this.#workspace.tree;
  }

  /** Undefined: the config names no database. */
  get team(): Team | undefined {
    return this.#workspace.team;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#monitor[Symbol.asyncDispose]();
    await this.#endRunner();
    await this.#workspace[Symbol.asyncDispose]();
  }

  /** The budgets; a team keeps them, too. */
  #openSpending(): Spending {
    const { ledger, team } = this.#workspace;
    const { setup, world } = this.#options;
    const spending = new Spending({
      ...{ ...this.#options, ...world, ledger, config: setup.config },
      approveOver: ({ project, source }) =>
        this.#inForce.planner.routeOf(project, source)?.approveOver,
      ...(team && { funds: team.funds }),
    });
    team?.follow({
      limits: (project) => spending.sharedLimits(project),
      isApproved: (job) => spending.isApproved(job),
    });
    return spending;
  }

  #plannerFor(setup: Setup): Planner {
    return new Planner({
      setup,
      ledger: this.#workspace.ledger,
      languageSupport: this.#workspace.languageSupport,
      terminology: () => this.#terminology.files,
      serviceMark: () => this.#serviceMark,
      deviation: (project, path) => this.#monitor.intake.deviation(project, path),
      isLeaving: (source) => this.#monitor.intake.isLeaving(source),
    });
  }

  /** Plans and offers what is to be done. @param sources those that changed; all of them when absent */
  async #enqueue(retries: PlanInput['retries'], sources?: readonly SourceRecord[]): Promise<void> {
    await this.#runner.enqueue(this.#inForce.planner.plan(retries, sources).work);
  }

  /** Whether any of these jobs may have something to buy. Without a lock nobody knows before they are opened. */
  async #buys(planned: readonly PlannedJob[]): Promise<boolean> {
    if (this.#lockKeeper === undefined) return true;
    for (const { job } of planned) {
      const estimate = await this.#runner.estimate(job, new Set()).catch(() => undefined);
      if (estimate === undefined) return true;
      if (estimate.characters > 0 || estimate.atLeast || estimate.seconds) return true;
    }
    return false;
  }

  async #pending(scope: Scope): Promise<readonly PlannedJob[]> {
    await this.#monitor.look();
    await this.#lockSync?.bringTargets();
    const { work } = await this.answers.plan();
    return work.filter(({ job }) => this.answers.isWanted(job, scope));
  }

  /** What this rejects with ends everything. */
  #endWith(part: Promise<unknown>): void {
    part.catch((error: unknown) => this.#fatal.reject(error));
  }

  /** Nothing is left to do: what a run over everything settles. */
  async #conclude(scope: Scope): Promise<void> {
    await this.#terminology.bringChanged(scope.projects);
    if (!isEverything(scope)) return;
    await this.#dealWithLoss();
    await this.#keepOrder();
  }

  /** Everything that may have been paid before has had its turn and is held: what comes now is new. */
  async #dealWithLoss(): Promise<void> {
    const { ledger } = this.#workspace;
    if (ledger.condition === 'facts-lost') await ledger.forgetLoss();
  }

  #asFailure(error: unknown): unknown {
    const failure = asStateFailure(error, this.setup.config.state);
    this.#isStateLost ||= failureOf(failure).kind === 'state-unwritable';
    return failure;
  }

  /** What was sent is paid, and waited for. Where nothing can be written down, that helps little: it is on record as possibly billed. */
  async #endRunner(): Promise<void> {
    const ended = this.#runner[Symbol.asyncDispose]();
    if (!this.#isStateLost) return await ended;
    const over = new AbortController();
    const patience = this.#options.world.clock.sleep(LOST_STATE_MS, over.signal).catch(() => {});
    await Promise.race([ended, patience]);
    over.abort();
  }

  async #drain(abort: AbortSignal): Promise<void> {
    await this.#monitor[Symbol.asyncDispose]();
    this.#workspace.team?.hurry();
    await Promise.race([this.#runner.drain(), aborted(abort)]);
    // What was sent is paid: whoever is in a hurry hears what became of it, too.
    if (abort.aborted) await this.#runner[Symbol.asyncDispose]();
  }

  /** A quota that was used up or a key that was refused may be good again, and asking is free. Resolves with the signal. */
  async #keepOrderUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#keepOrder();
      await this.#terminology.bringChanged([]);
      await this.#options.world.clock.sleep(RETENTION_MS, signal).catch(() => {});
      if (signal.aborted || this.#runner.stop === undefined) continue;
      await this.#runner.resume().catch(() => {});
    }
  }

  async #keepOrder(): Promise<void> {
    await applyRetention(this.#workspace, this.setup.config.keep, this.#options.world);
  }
}

/** What a daemon opens before it is made. */
interface Opened {
  readonly workspace: Workspace;
  readonly terminology: TerminologyInForce;
  readonly mark: string;
  readonly lockStanding: LockStanding;
}

/** What killed processes put in place, as they had noted. */
async function notePlacedIn({ ledger }: Workspace, { projects }: Config): Promise<void> {
  const roots = new Map(projects.map(({ name, root }) => [name, root]));
  await notePlaced(ledger, ledger.all('jobs'), (project) => roots.get(project));
}

function hasDelivered(ledger: LedgerView): boolean {
  for (const { wrote } of ledger.all('jobs')) if (wrote.length > 0) return true;
  return false;
}

/** A key that is not there is told when it is needed. */
async function markOf(service: ServiceConfig, key: () => Promise<string>): Promise<string> {
  return serviceMark(service, await key().catch(() => undefined));
}

function signalName({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}
