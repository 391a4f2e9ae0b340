/**
 * The one root: opens the parts of a daemon, connects them, and runs them: once until nothing is left to do, or until a signal.
 *
 * In the order in which they are built:
 *
 *   Workspace           all that is open for one config: ledger, memories, baselines, trash, undo log, client of the service
 *   TerminologyInForce  glossaries and style lists, in the repository and on the service
 *   SourceMonitor       watches the sources and writes what changed to the ledger
 *   Planner             which jobs follow from disk, config and ledger; a reload of the config makes another one
 *   Spending            the budgets: allows or refuses what a job wants to buy
 *   LockKeeper          only with a lock: writes the lock of the team
 *   JobRunner           queue, lanes and settlement: planned jobs become targets
 *   LimitWatch          asks the service how much of the quota is used
 *   LockSync            only with a lock: turns a pulled lock into jobs
 *   DaemonAnswers       answers commands, the page and metrics from all of these
 *   keepPresence        only with a tree: tells the other daemons what this one does
 *   watchOutages        offers jobs again that failed by an outage, when it is over
 *
 * The way of a change: SourceMonitor, then Planner, then JobRunner.
 */
import { aborted, SetClock } from './clock.ts';
import { sharedSettings } from './config/shared-settings.ts';
import type { Config, ServiceConfig } from './config.ts';
import type { Scope } from './control/control.ts';
import { DaemonAnswers } from './control/daemon-answers.ts';
import { type LockPresence, lockPresenceOf } from './control/find-blockers.ts';
import { LimitWatch } from './control/limit-watch.ts';
import { isEverything } from './control/scope.ts';
import { failureOf } from './failure.ts';
import { parseStat } from './files/disk.ts';
import type { TargetsOfLeaving } from './intake/intake.ts';
import { settleTargets } from './intake/settle-targets.ts';
import { SourceMonitor } from './intake/source-monitor.ts';
import { type JobId, sourceId } from './job.ts';
import { serviceKeyOf } from './jobs/connect-service.ts';
import { takeJobsOfOthers } from './jobs/jobs-of-others.ts';
import type { LockKeeper } from './jobs/lock-keeper.ts';
import { LockSync, openKeeper } from './jobs/lock-sync.ts';
import { recallTerminology } from './jobs/lock-terminology.ts';
import { watchOutages } from './jobs/outages.ts';
import { keepPresence } from './jobs/presence.ts';
import { applyRetention } from './jobs/retention.ts';
import { runToIdle } from './jobs/run-to-idle.ts';
import { JobRunner } from './jobs/runner.ts';
import {
  leads,
  openWorkspace,
  rootsOf,
  type Workspace,
  type WorkspaceOptions,
} from './jobs/workspace.ts';
import type { JobRecord, LedgerView, SourceRecord } from './ledger.ts';
import { type Reviewers, reviewersOf } from './page/reviewers.ts';
import { readOnThreads } from './parsing/parse.ts';
import type { Subject } from './parsing/parser.ts';
import type { InForce } from './plan/in-force.ts';
import type { Plan, PlanInput, PlannedJob } from './plan/plan.ts';
import { Planner, type Setup } from './plan/planner.ts';
import { serviceMark } from './plan/service-mark.ts';
import { Spending } from './plan/spending.ts';
import type { Books } from './state/books.ts';
import { asStateFailure } from './state/state-disk.ts';
import type { Team } from './state/team.ts';
import type { Tree } from './state/tree.ts';
import { TerminologyInForce } from './sync/terminology-in-force.ts';
import { loadTerminology } from './terminology/load-project-terms.ts';

/** Milliseconds between two applications of `keep`. */
const RETENTION_MS = 10 * 60_000;
/** Milliseconds between two tries to resume stopped work. */
const RESUME_MS = 10 * 60_000;
/** Milliseconds that the end of the process waits for answers of the service when the state can no longer be written. */
const LOST_STATE_MS = 5000;

export interface DaemonOptions extends Omit<WorkspaceOptions, 'config'> {
  readonly setup: Setup;
  /** `stay` for a dry run: the targets of moved and removed sources are not touched. */
  readonly targets: TargetsOfLeaving;
  /** Characters that this run may bill, where that is less than the config allows. */
  readonly maxCharacters?: number;
}

export interface StopSignals {
  /** Finish the running jobs, start no other. */
  readonly drain: AbortSignal;
  /** Stop at once. */
  readonly abort: AbortSignal;
}

export class Daemon implements AsyncDisposable {
  /** For commands, the page and metrics. */
  readonly answers: DaemonAnswers;
  readonly monitor: SourceMonitor;
  readonly runner: JobRunner;
  readonly terminology: TerminologyInForce;
  readonly #options: DaemonOptions;
  readonly #workspace: Workspace;
  /** All parts share this object; `reload` replaces its content. */
  readonly #inForce: { -readonly [K in keyof InForce]: InForce[K] };
  readonly #spending: Spending;
  readonly #limits: LimitWatch;
  /** Undefined: the config names no lock, or this daemon is a worker. */
  readonly #lockKeeper: LockKeeper | undefined;
  /** Undefined where `#lockKeeper` is. */
  readonly #lockSync: LockSync | undefined;
  /** Rejects when a part fails: the daemon cannot go on. */
  readonly #fatal = Promise.withResolvers<never>();
  /** The state can no longer be written. */
  #isStateLost = false;
  #isStarted = false;
  #configFaults: readonly string[] = [];

  /** @throws StateLocked; JobFailure `damaged-state` */
  static async open(asked: DaemonOptions): Promise<Daemon> {
    const options = inTimeOfTree(asked);
    const { setup, world } = options;
    const { config } = setup;
    const workspace = await openWorkspace({ ...options, config }).catch((error: unknown) => {
      throw asStateFailure(error, config);
    });
    try {
      await workspace.till.recover();
      if (leads(workspace)) await settleTargets(workspace, config, options.targets);
      const { clock, events } = world;
      const mark = await markOf(config.service, serviceKeyOf(config, world));
      const inForce = { ...setup, serviceMark: mark };
      const terminology = await TerminologyInForce.open({ ...workspace, inForce, clock, events });
      await recallTerminology(workspace.lock, terminology);
      return new Daemon(options, {
        workspace,
        terminology,
        inForce,
        lockPresence: await lockPresenceOf(config, workspace.ledger, world),
      });
    } catch (error) {
      await workspace[Symbol.asyncDispose]();
      throw asStateFailure(error, config);
    }
  }

  private constructor(options: DaemonOptions, opened: OpenParts) {
    const { workspace, terminology, lockPresence } = opened;
    const { world } = options;
    this.#options = options;
    this.#workspace = workspace;
    this.terminology = terminology;
    this.#fatal.promise.catch(() => {});

    this.monitor = this.#openMonitor(opened.inForce);
    const { setup } = options;
    const planner = this.#plannerFor(setup, opened.inForce.serviceMark);
    const inForce = Object.assign(opened.inForce, { planner });
    this.#inForce = inForce;
    this.#spending = this.#openSpending();
    const { lock } = workspace;
    const isWorker = options.role === 'worker';
    const keeper = isWorker ? undefined : openKeeper(workspace, inForce, terminology);
    this.#lockKeeper = keeper;
    this.runner = this.#openRunner();
    const [spending, runner] = [this.#spending, this.runner];
    this.#limits = new LimitWatch({ ...workspace, ...world, spending, runner });
    const parts = { workspace, world, inForce, monitor: this.monitor, runner: this.runner };
    this.#lockSync = lock && keeper && new LockSync({ ...parts, files: lock, keeper });
    this.answers = new DaemonAnswers({
      ...{ ...parts, terminology, lockPresence },
      spending: this.#spending,
      limits: this.#limits,
      lockKeeper: keeper,
      lockSync: this.#lockSync,
      ended: this.#fatal.promise,
      ending: options.ending ?? new AbortController().signal,
    });

    this.#endOnFailure(this.monitor.broken);
    this.#endOnFailure(this.runner.broken);
  }

  #plannerFor(setup: Setup, mark: string): Planner {
    return new Planner({
      setup,
      ledger: this.#workspace.ledger,
      languageSupport: this.#workspace.languageSupport,
      terminology: this.terminology,
      monitor: this.monitor,
      serviceMark: mark,
    });
  }

  #openMonitor(inForce: Setup): SourceMonitor {
    const { world, targets } = this.#options;
    return new SourceMonitor({
      ...{ inForce, workspace: this.#workspace, world, targets },
      onChanged: async (sources) => {
        if (!this.runner.isWatching) return;
        await this.#enqueue('none', sources);
        this.#lockKeeper?.sourcesChanged();
      },
    });
  }

  /** The budgets. With the database of a team, the budgets there count too. */
  #openSpending(): Spending {
    const { ledger, team } = this.#workspace;
    const spending = new Spending({
      ...{ ...this.#options, ...this.#options.world, ledger, inForce: this.#inForce },
      ...(team && { funds: team.funds }),
    });
    team?.follow(spending);
    return spending;
  }

  #openRunner(): JobRunner {
    const { world, role = 'both' } = this.#options;
    const lock = this.#lockKeeper;
    return new JobRunner({
      ...{ workspace: this.#workspace, world, role, inForce: this.#inForce },
      ...{ terminology: this.terminology, spending: this.#spending },
      delivered: (job) => this.monitor.intake.delivered(job),
      ...(lock === undefined ? {} : { lock }),
    });
  }

  /**
   * A single run: plans and works until nothing is left to do, also of what changes meanwhile. Jobs outside of the scope stay as they are.
   * @param beforeWork called once, before the first job begins; when it throws, the run ends and no job has begun
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
    this.runner.begin('once');
    const left = await runToIdle({
      runner: this.runner,
      jobOf: (id) => this.ledger.get('jobs', id),
      plan: (tried) => this.#planAgain(scope, tried),
      beforeWork: async (jobs) => {
        if (!(await this.runner.mayBuy(jobs))) return;
        this.#workspace.drafts.startThread(this.#sourcesOf(jobs));
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

  /** Sources of text jobs. */
  *#sourcesOf(jobs: readonly PlannedJob[]): Iterable<Subject> {
    for (const { job } of jobs) {
      const source = this.ledger.get('sources', sourceId(job.project, job.source));
      if (job.lane === 'text' && source !== undefined) {
        yield { file: source.path, bytes: Number(parseStat(source.stat).size) };
      }
    }
  }

  /** Looks at the disk, and plans. @param tried the jobs that this run has tried */
  async #planAgain(scope: Scope, tried: ReadonlySet<JobId>): Promise<readonly PlannedJob[]> {
    const { work } = (await this.#planTried(tried)) ?? (await this.#planAll());
    return work.filter(({ job }) => this.answers.isWanted(job, scope));
  }

  async #planAll(): Promise<Plan> {
    await this.monitor.look();
    await this.#lockSync?.bringTargets();
    return await this.answers.plan();
  }

  /**
   * The plan after a short round of work: for the sources of the tried jobs and those that changed meanwhile. To list and plan
   * all of 100,000 files again took 1.0 s of processor time.
   * @returns undefined: the round took long, a job found other content, or the lock may say more
   */
  async #planTried(tried: ReadonlySet<JobId>): Promise<Plan | undefined> {
    if (tried.size === 0 || this.#lockSync !== undefined) return undefined;
    const jobs = [...tried].map((id) => this.ledger.get('jobs', id));
    const isOver = jobs.every(
      (job) => job !== undefined && job.state.kind !== 'queued' && job.state.kind !== 'running',
    );
    const changed = isOver ? await this.monitor.lookAgain() : undefined;
    if (changed === undefined) return undefined;
    const ids = new Set(changed.map(({ id }) => id));
    for (const job of jobs) if (job) ids.add(sourceId(job.project, job.source));
    const sources = [...ids].flatMap((id) => this.ledger.get('sources', id) ?? []);
    return this.#inForce.planner.plan('passing', sources);
  }

  /** Nothing is left to do: does what follows a run over everything. */
  async #conclude(scope: Scope): Promise<void> {
    await this.terminology.syncChanged(scope.projects);
    if (!isEverything(scope)) return;
    await this.#forgetLoss();
    await this.#applyRetention();
  }

  /** Watches and works until the signal. Resolves when running jobs have reached a safe step. */
  async run(signals: StopSignals): Promise<void> {
    // The loops beside the work end with the work, also when it fails: otherwise they would keep the process alive.
    const over = new AbortController();
    try {
      await this.#run(signals, AbortSignal.any([signals.drain, over.signal]));
    } catch (error) {
      throw this.#asFailure(error);
    } finally {
      over.abort();
    }
  }

  async #run({ drain, abort }: StopSignals, end: AbortSignal): Promise<void> {
    const isWorker = this.#options.role === 'worker';
    using _ = readOnThreads();
    this.runner.begin('watching');
    const { tree } = this.#workspace;
    if (tree !== undefined) {
      const { clock } = this.#options.world;
      this.#endOnFailure(keepPresence({ tree, clock, runner: this.runner }, end));
    }
    this.#endOnFailure(this.runner.watchGit(end));
    this.#endOnFailure(this.#keepResuming(end));
    this.#endOnFailure(this.#limits.keepAsking(end));
    if (isWorker) this.#emitStarted();
    const isLeader = !isWorker && (await this.#waitToLead(end));
    if (isLeader) await this.#lead(end);
    // A worker of a tree: another daemon watches, plans and writes the lock.
    else await Promise.race([this.#fatal.promise, aborted(end)]);
    this.#options.world.events.emit({ kind: 'stopping', signal: signalName(drain) });
    await this.#drain(abort);
    if (isLeader) await this.#lockKeeper?.write('keep');
  }

  /** Works while another daemon leads the tree. @returns true when this one leads, false at the end */
  async #waitToLead(end: AbortSignal): Promise<boolean> {
    const { tree } = this.#workspace;
    if (tree?.task !== 'works') return true;
    this.#emitStarted();
    const led = tree.lead(end).then(
      () => true,
      (error: unknown) => {
        if (end.aborted) return false;
        throw error;
      },
    );
    if (!(await Promise.race([this.#fatal.promise, led]))) return false;
    await settleTargets(this.#workspace, this.setup.config, 'follow');
    // Until now this daemon knew its own jobs only.
    await this.monitor[Symbol.asyncDispose]();
    this.monitor.renew();
    this.runner.lead();
    return true;
  }

  /** Watches, plans and works until the signal. */
  async #lead(end: AbortSignal): Promise<void> {
    const { monitor, runner } = this;
    const { ledger, tree } = this.#workspace;
    tree?.onJobs((ids) => {
      const changed = { ledger, runner, monitor, lock: this.#lockKeeper };
      const sources = takeJobsOfOthers(changed, ids);
      if (sources.length > 0) this.#endOnFailure(this.#enqueue('none', sources));
    });
    await this.monitor.open('events');
    await this.#lockSync?.begin();
    await this.#enqueue('passing');
    await this.#lockSync?.enqueueDecided(() => true);
    this.answers.forgetLockPresence();
    this.#emitStarted();
    this.#endOnFailure(this.runner.idle().then(() => this.#forgetLoss()));
    this.#endOnFailure(this.runner.watchOffers(end));
    const { clock } = this.#options.world;
    const parts = { workspace: this.#workspace, runner, clock };
    this.#endOnFailure(watchOutages(parts, end));
    if (this.#lockSync !== undefined) {
      this.#endOnFailure(this.#lockSync.keep(end));
      this.#endOnFailure(this.#lockSync.watch(end));
    }
    this.#endOnFailure(this.terminology.watch(() => this.#enqueue('passing'), end));
    await Promise.race([this.#fatal.promise, this.#keepTidy(end)]);
  }

  /** Applies `keep`. Resolves with the signal. */
  async #keepTidy(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#applyRetention();
      await this.terminology.syncChanged([]);
      await this.#options.world.clock.sleep(RETENTION_MS, signal).catch(() => {});
    }
  }

  /**
   * Resumes stopped work, in every daemon: a quota or a key may be good again, and the question bills nothing. Resolves with the
   * signal.
   */
  async #keepResuming(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#options.world.clock.sleep(RESUME_MS, signal).catch(() => {});
      if (signal.aborted || this.runner.stop === undefined) continue;
      await this.runner.resumePaid().catch(() => {});
    }
  }

  /** Goes on with the config in force, because the config on disk has faults. */
  refuseConfig(faults: readonly string[]): void {
    this.#configFaults = faults;
    this.#options.world.events.emit({ kind: 'config-refused', faults });
  }

  /**
   * Replaces the config. Running jobs end with the config that they began with. A daemon that works for the leader of a tree waits for
   * their end, because the leader may have another config.
   */
  async reload(setup: Setup): Promise<void> {
    if (leads(this.#workspace)) await this.#reload(setup);
    else await this.runner.betweenJobs(() => this.#reload(setup));
  }

  async #reload(setup: Setup): Promise<void> {
    await this.#workspace.tree?.configure({
      settings: sharedSettings(this.#inForceFrom(setup.config)),
      roots: rootsOf(setup.config),
    });
    const terminology = await loadTerminology(setup.config);
    const key = serviceKeyOf(setup.config, this.#options.world);
    // The other settings of the connection count from the next start.
    const mark = await markOf(this.#options.setup.config.service, key);
    const planner = this.#plannerFor(setup, mark);
    await this.monitor[Symbol.asyncDispose]();
    Object.assign(this.#inForce, { ...setup, planner, serviceMark: mark } satisfies InForce);
    this.monitor.renew();
    this.terminology.replace(terminology);
    this.#spending.reconfigure();
    this.runner.resize();
    this.#workspace.service.setKey(key);
    await recallTerminology(this.#workspace.lock, this.terminology);
    if (leads(this.#workspace)) {
      await this.monitor.open('events');
      await this.#enqueue('passing');
    }
    await this.runner.resumePaid();
    this.#configFaults = [];
  }

  /** The config that counts after a reload: `config`, but with the connection of the first one, which stays open. */
  #inForceFrom(config: Config): Config {
    const { service } = this.#options.setup.config;
    return { ...config, service: { ...service, voice: config.service.voice } };
  }

  get setup(): Setup {
    return this.#inForce;
  }

  /** Whether it watches, or works for the leader of a tree. */
  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The faults of the config on disk, while an earlier config is in force. */
  get configFaults(): readonly string[] {
    return this.#configFaults;
  }

  get ledger(): LedgerView {
    return this.#workspace.ledger;
  }

  /** Who may review by a link, by the links and the config of this moment. */
  get reviewers(): Reviewers {
    return reviewersOf(this.#workspace.links, this.#inForce);
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
    await this.monitor[Symbol.asyncDispose]();
    await this.#disposeRunner();
    await this.#workspace[Symbol.asyncDispose]();
  }

  /**
   * Plans, and offers the jobs to the queue.
   * @param retries `passing`: also jobs that failed for a reason that may have passed
   * @param sources those that changed; absent: all
   */
  async #enqueue(retries: PlanInput['retries'], sources?: readonly SourceRecord[]): Promise<void> {
    await this.runner.enqueue(this.#inForce.planner.plan(retries, sources).work);
  }

  /** Ends the daemon with this error. */
  fail(error: unknown): void {
    this.#fatal.reject(error);
  }

  /** When this part rejects, the daemon ends with its error. */
  #endOnFailure(part: Promise<unknown>): void {
    part.catch((error: unknown) => this.fail(error));
  }

  #emitStarted(): void {
    this.#isStarted = true;
    const { projects } = this.setup.config;
    this.#options.world.events.emit({ kind: 'started', projects: projects.length });
  }

  /**
   * After a loss of paid facts, jobs that may have been paid before are held. All of them have been looked at now: later jobs
   * are new.
   */
  async #forgetLoss(): Promise<void> {
    const { ledger } = this.#workspace;
    if (ledger.condition === 'facts-lost') await ledger.forgetLoss();
  }

  async #applyRetention(): Promise<void> {
    await applyRetention(this.#workspace, this.setup.config.keep, this.#options.world);
  }

  #asFailure(error: unknown): unknown {
    const failure = asStateFailure(error, this.setup.config);
    this.#isStateLost ||= failureOf(failure).kind === 'state-unwritable';
    return failure;
  }

  /** Takes up no more jobs, and ends the running ones: at a safe step, or at once when `abort` fires. */
  async #drain(abort: AbortSignal): Promise<void> {
    await this.monitor[Symbol.asyncDispose]();
    this.#workspace.team?.hurry();
    await Promise.race([this.runner.drain(), aborted(abort)]);
    // A request that was sent is paid: its answer is waited for also when the process must stop at once.
    if (abort.aborted) await this.runner[Symbol.asyncDispose]();
  }

  /**
   * Waits for the answers to sent requests, because they are paid. An answer that cannot be written down is not waited for
   * long: its request is on record as possibly billed.
   */
  async #disposeRunner(): Promise<void> {
    const ended = this.runner[Symbol.asyncDispose]();
    if (!this.#isStateLost) return await ended;
    const over = new AbortController();
    const patience = this.#options.world.clock.sleep(LOST_STATE_MS, over.signal).catch(() => {});
    await Promise.race([ended, patience]);
    over.abort();
  }
}

/**
 * The daemons of a tree use the clock of its database, because they compare times that other daemons wrote. Examples: the hour in
 * which a paid recording can be fetched, a person's release, the order of runs that can be undone.
 */
function inTimeOfTree(options: DaemonOptions): DaemonOptions {
  const { world, setup } = options;
  if (setup.config.team?.tree === undefined) return options;
  return { ...options, world: { ...world, clock: new SetClock(world.clock) } };
}

/** The parts that are open before the others are built. */
interface OpenParts {
  readonly workspace: Workspace;
  readonly terminology: TerminologyInForce;
  /** Gets its planner when that is built. */
  readonly inForce: { -readonly [K in keyof Omit<InForce, 'planner'>]: InForce[K] };
  readonly lockPresence: LockPresence;
}

/** A missing key is not a failure here: the first request fails with it. */
async function markOf(service: ServiceConfig, key: () => Promise<string>): Promise<string> {
  return serviceMark(service, await key().catch(() => undefined));
}

function signalName({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}
