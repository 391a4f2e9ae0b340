/**
 * The one root: opens the parts of a daemon, connects them, and runs them: once until nothing is left to do, or until a signal.
 *
 * In the order in which they are built:
 *
 *   Workspace           all that is open for one config: ledger, memories, baselines, trash, undo log, client of the service
 *   TerminologyInForce  glossaries and style lists, in the repository and on the service
 *   RunState            what the daemon does now, and why it takes up no work
 *   SourceMonitor       watches the sources and writes what changed to the ledger
 *   Planner             which jobs follow from disk, config and ledger; a reload of the config makes another one
 *   Spending            the budgets: allows or refuses what a job wants to buy
 *   LockKeeper          only with a lock: writes the lock of the team
 *   JobRunner           queue, lanes and settlement: planned jobs become targets
 *   LimitWatch          asks the service how much of the quota is used
 *   LockSync            only with a lock: turns a pulled lock into jobs
 *   SingleRun           plans and works until nothing is left to do
 *   Leader              watches, plans and works until the signal; of the daemons of a tree, one leads
 *   ConfigOnDisk        whether the config file is still the one in force
 *   DaemonCondition     what readiness, page, status and systemd ask about the daemon
 *   DaemonAnswers       answers commands, the page and metrics from all of these
 *
 * The way of a change: SourceMonitor, then Planner, then JobRunner.
 */
import { aborted, SetClock } from './clock.ts';
import { ConfigOnDisk } from './config/load-changes.ts';
import type { Scope } from './control/control.ts';
import { DaemonAnswers } from './control/daemon-answers.ts';
import { DaemonCondition } from './control/daemon-condition.ts';
import { type LockPresence, lockPresenceOf } from './control/find-blockers.ts';
import { LimitWatch } from './control/limit-watch.ts';
import { isEverything } from './control/scope.ts';
import { failureOf, isOfLock } from './failure.ts';
import { carryRecords } from './intake/carry-records.ts';
import { recordSeen } from './intake/config-seen.ts';
import type { TargetsOfLeaving } from './intake/intake.ts';
import { repairTargets } from './intake/repair-targets.ts';
import { SourceMonitor } from './intake/source-monitor.ts';
import { serviceKeyOf } from './jobs/connect-service.ts';
import { FatalError } from './jobs/fatal-error.ts';
import { Leader } from './jobs/leader.ts';
import { findLinesOfOthers } from './jobs/lines-of-others.ts';
import type { LockKeeper } from './jobs/lock-keeper.ts';
import { LockSync, openKeeper } from './jobs/lock-sync.ts';
import { recallTerminology } from './jobs/lock-terminology.ts';
import { keepPresence } from './jobs/presence.ts';
import { digestOfService, followTerminology, plannerFor, reload } from './jobs/reload.ts';
import { refuseRenamedLock } from './jobs/renamed-lock.ts';
import { RunState } from './jobs/run-state.ts';
import { JobRunner } from './jobs/runner.ts';
import { SingleRun } from './jobs/single-run.ts';
import { leads, openWorkspace, type Workspace, type WorkspaceOptions } from './jobs/workspace.ts';
import type { JobRecord, LedgerView } from './ledger.ts';
import { type Reviewers, reviewersOf } from './page/reviewers.ts';
import { readOnThreads } from './parsing/parse.ts';
import type { InForce } from './plan/in-force.ts';
import type { Setup } from './plan/planner.ts';
import { Spending } from './plan/spending.ts';
import type { Books } from './state/books.ts';
import type { LockFiles } from './state/lock-file.ts';
import { asStateFailure, watchStateFolder } from './state/state-disk.ts';
import type { Team } from './state/team.ts';
import type { Tree } from './state/tree.ts';
import { TerminologyInForce } from './sync/terminology-in-force.ts';
import { loadTerminology } from './terminology/load-project-terms.ts';

/** Milliseconds between two tries to resume stopped work. */
const RESUME_MS = 10 * 60_000;
/** Milliseconds that the end of the process waits for answers of the service when the state can no longer be written. */
const LOST_STATE_MS = 5000;

export interface DaemonOptions extends Omit<WorkspaceOptions, 'config' | 'router'> {
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
  readonly #options: DaemonOptions;
  readonly #parts: ConnectedParts;
  /** The state can no longer be written. */
  #isStateLost = false;

  /** @throws StateLocked; JobFailure `damaged-state` */
  static async open(asked: DaemonOptions): Promise<Daemon> {
    const options = inTimeOfTree(asked);
    const parts = connectParts(options, await openParts(options));
    await parts.lockKeeper?.begin();
    return new Daemon(options, parts);
  }

  private constructor(options: DaemonOptions, parts: ConnectedParts) {
    this.#options = options;
    this.#parts = parts;
    parts.fatal.watch(parts.monitor.broken);
    parts.fatal.watch(parts.runner.broken);
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
    const { answers, singleRun, limits, lockKeeper } = this.#parts;
    const over = new AbortController();
    this.#watchState(over.signal);
    const extent = {
      isWanted: (job: Parameters<DaemonAnswers['isWanted']>[0]) => answers.isWanted(job, scope),
      isEverything: isEverything(scope),
      projects: scope.projects,
      ...(beforeWork && { beforeWork }),
    };
    try {
      const left = await singleRun.work(extent, signals.drain);
      await this.#drain(signals.abort);
      if (!signals.abort.aborted) await limits.ask();
      const orphans = extent.isEverything && left.length === 0 ? 'drop' : 'keep';
      await lockKeeper?.write(orphans).catch(toldByArrears);
      return left;
    } catch (error) {
      throw this.#asFailure(error);
    } finally {
      over.abort();
    }
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
    const { workspace, world, runner, fatal, limits, leader, condition, lockKeeper } = this.#parts;
    const { configOnDisk } = this.#parts;
    using _ = readOnThreads();
    runner.begin('watching');
    this.#watchState(end);
    const { tree } = workspace;
    if (tree !== undefined) {
      fatal.watch(keepPresence({ ...this.#parts, tree, clock: world.clock }, end));
    }
    fatal.watch(configOnDisk.watch(end));
    fatal.watch(runner.watchGit(end));
    fatal.watch(this.#keepResuming(end));
    fatal.watch(limits.keepAsking(end));
    const isWorker = this.#options.role === 'worker';
    // While another daemon leads the tree, this one works for it.
    const followed = isWorker || !leads(workspace) ? this.#follow(end) : undefined;
    const isLeader = !isWorker && (leads(workspace) || (await leader.succeed(end)));
    if (isLeader) {
      await followed?.end();
      await leader.begin();
      condition.forgetLockPresence();
      this.#start();
      await leader.lead(end);
    }
    // A worker of a tree: another daemon watches, plans and writes the lock.
    else await Promise.race([fatal.thrown, aborted(end)]);
    world.events.emit({ kind: 'stopping', signal: signalName(drain) });
    await this.#drain(abort);
    if (isLeader) await lockKeeper?.write('keep');
  }

  /** Works for the daemon that leads. It watches the glossary and style files on the shared volume itself, like the leader. */
  #follow(end: AbortSignal): { end(): Promise<void> } {
    const { terminology, fatal } = this.#parts;
    const over = new AbortController();
    this.#start();
    const watch = followTerminology(this.#parts);
    const watched = terminology.watch(watch, AbortSignal.any([end, over.signal]));
    fatal.watch(watched);
    return {
      end: async () => {
        over.abort();
        await watched;
      },
    };
  }

  #watchState(end: AbortSignal): void {
    const { workspace, world, fatal } = this.#parts;
    const { stateLock } = workspace;
    if (stateLock) fatal.watch(watchStateFolder(stateLock, world.clock, end));
  }

  /**
   * Resumes stopped work, in every daemon: a quota or a key may be good again, and the question bills nothing. Resolves with the
   * signal.
   */
  async #keepResuming(signal: AbortSignal): Promise<void> {
    const { runner, runState, world } = this.#parts;
    while (!signal.aborted) {
      await world.clock.sleep(RESUME_MS, signal).catch(() => {});
      if (signal.aborted || runState.stop === undefined) continue;
      await runner.resumePaid().catch(() => {});
    }
  }

  /** Goes on with the config in force, because the config on disk has faults. */
  refuseConfig(faults: readonly string[]): void {
    this.#parts.condition.refuseConfig(faults);
    this.#parts.world.events.emit({ kind: 'config-refused', faults });
  }

  /** Replaces the config. */
  async reload(setup: Setup): Promise<void> {
    await reload(this.#parts, setup);
    // The lines of renamed projects move to their new files.
    this.#parts.lockKeeper?.sourcesChanged();
    this.#parts.condition.refuseConfig([]);
  }

  /** Takes the answer about languages for which the service was asked meanwhile. */
  learnLanguages(): void {
    this.#parts.workspace.languageSupport.reread();
  }

  /** For commands, the page and metrics. */
  get answers(): DaemonAnswers {
    return this.#parts.answers;
  }

  get condition(): DaemonCondition {
    return this.#parts.condition;
  }

  get runner(): JobRunner {
    return this.#parts.runner;
  }

  get runState(): RunState {
    return this.#parts.runState;
  }

  get terminology(): TerminologyInForce {
    return this.#parts.terminology;
  }

  get setup(): Setup {
    return this.#parts.inForce;
  }

  get ledger(): LedgerView {
    return this.#parts.workspace.ledger;
  }

  /** Who may review by a link, by the links and the config of this moment. */
  get reviewers(): Reviewers {
    return reviewersOf(this.#parts.workspace.links, this.#parts.inForce);
  }

  get books(): Books {
    return this.#parts.workspace.books;
  }

  /** Undefined: the config names no tree that daemons share. */
  get tree(): Tree | undefined {
    return this.#parts.workspace.tree;
  }

  /** Undefined: the config names no lock. */
  get lock(): LockFiles | undefined {
    return this.#parts.workspace.lock;
  }

  /** Undefined: the config names no database. */
  get team(): Team | undefined {
    return this.#parts.workspace.team;
  }

  /** Ends the daemon with this error. */
  fail(error: unknown): void {
    this.#parts.fatal.throw(error);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.monitor[Symbol.asyncDispose]();
    await this.#disposeRunner();
    await this.#parts.workspace[Symbol.asyncDispose]();
  }

  #start(): void {
    const { condition, inForce, world, workspace } = this.#parts;
    condition.start();
    const { tree } = workspace;
    const follows =
      tree === undefined || leads(workspace) ? {} : { follows: tree.name, waits: tree.waits };
    world.events.emit({ kind: 'started', projects: inForce.config.projects.length, ...follows });
  }

  #asFailure(error: unknown): unknown {
    const failure = asStateFailure(error, this.setup.config);
    this.#isStateLost ||= failureOf(failure).kind === 'state-unwritable';
    return failure;
  }

  /** Takes up no more jobs, and ends the running ones: at a safe step, or at once when `abort` fires. */
  async #drain(abort: AbortSignal): Promise<void> {
    const { monitor, runner, workspace } = this.#parts;
    await monitor[Symbol.asyncDispose]();
    workspace.team?.stopWaiting();
    await Promise.race([runner.drain(), aborted(abort)]);
    // A request that was sent is paid: its answer is waited for also when the process must stop at once.
    if (abort.aborted) await runner[Symbol.asyncDispose]();
  }

  /**
   * Waits for the answers to sent requests, because they are paid. An answer that cannot be written down is not waited for
   * long: its request is on record as possibly billed.
   */
  async #disposeRunner(): Promise<void> {
    const { runner, world } = this.#parts;
    const ended = runner[Symbol.asyncDispose]();
    if (!this.#isStateLost) return await ended;
    const over = new AbortController();
    const patience = world.clock.sleep(LOST_STATE_MS, over.signal).catch(() => {});
    await Promise.race([ended, patience]);
    over.abort();
  }
}

/** The parts that are open before the others are built. */
interface OpenParts {
  readonly workspace: Workspace;
  readonly terminology: TerminologyInForce;
  /** Gets its planner when that is built. */
  readonly inForce: { -readonly [K in keyof Omit<InForce, 'planner'>]: InForce[K] };
  readonly lockPresence: LockPresence;
}

async function openParts(options: DaemonOptions): Promise<OpenParts> {
  const { setup, world, targets } = options;
  const { config } = setup;
  const { clock, events } = world;
  const isWorker = options.role === 'worker';
  const found = await (isWorker ? findLinesOfOthers(setup) : refuseRenamedLock(setup));
  const files = await loadTerminology(config);
  const opening = { ...options, ...setup, terminology: files };
  const workspace = await openWorkspace(opening).catch((error: unknown) => {
    throw asStateFailure(error, config);
  });
  try {
    workspace.lock?.elsewhere.replace(found.lines);
    await workspace.till.recover();
    if (leads(workspace)) {
      await carryRecords(setup, workspace);
      const { digest } = found;
      if (digest !== undefined && workspace.tree?.task !== 'looks') {
        await recordSeen(config.state, { lines: digest });
      }
      await repairTargets(workspace, config, targets);
    }
    const digest = await digestOfService(config.service, serviceKeyOf(config, world));
    const inForce = { ...setup, serviceDigest: digest };
    const terminology = new TerminologyInForce({ ...workspace, inForce, clock, events }, files);
    await recallTerminology(workspace.lock, terminology);
    const lockPresence = await lockPresenceOf(config, workspace.ledger, world);
    return { workspace, terminology, inForce, lockPresence };
  } catch (error) {
    await workspace[Symbol.asyncDispose]();
    throw asStateFailure(error, config);
  }
}

type ConnectedParts = ReturnType<typeof connectParts>;

/** Builds the other parts. Each of them is given the parts that it works with; none of them does anything yet. */
function connectParts(options: DaemonOptions, opened: OpenParts) {
  const { workspace, terminology, lockPresence } = opened;
  const { setup, world, targets, role = 'both' } = options;
  const { ledger, team, lock } = workspace;
  const fatal = new FatalError();
  const runState = new RunState({ ...workspace, inForce: opened.inForce, events: world.events });
  const monitor: SourceMonitor = new SourceMonitor({
    ...{ inForce: opened.inForce, workspace, world, targets },
    onChanged: async (sources) => {
      if (!runState.isWatching) return;
      await runner.enqueuePlan('none', sources);
      lockKeeper?.sourcesChanged();
    },
  });
  const known = { workspace, terminology, monitor };
  // All parts share this object; a reload replaces its content.
  const inForce: { -readonly [K in keyof InForce]: InForce[K] } = Object.assign(opened.inForce, {
    planner: plannerFor(known, setup, opened.inForce.serviceDigest),
  });
  // With the database of a team, the budgets there count too.
  const funds = team && { funds: team.funds };
  const spending = new Spending({ ...options, ...world, ledger, inForce, ...funds });
  team?.follow(spending);
  const lockKeeper: LockKeeper | undefined =
    role === 'worker' ? undefined : openKeeper(workspace, inForce, terminology);
  const base = { ...known, world, inForce, runState, spending, fatal };
  const runner: JobRunner = new JobRunner({
    ...{ ...base, role },
    delivered: (job) => monitor.intake.delivered(job),
    followUps: () => monitor.intake.followUps(),
    ...(lockKeeper && { lock: lockKeeper }),
  });
  const limits = new LimitWatch({ ...workspace, ...world, ...base });
  const synced = lock && lockKeeper && { files: lock, keeper: lockKeeper };
  const lockSync = synced && new LockSync({ ...base, ...synced, runner });
  const parts = { ...base, runner, limits, lockKeeper, lockSync };
  const singleRun = new SingleRun(parts);
  const leader = new Leader(parts);
  const configOnDisk = new ConfigOnDisk({ inForce, clock: world.clock });
  const condition = new DaemonCondition({ ...parts, configOnDisk, lockPresence });
  const { ending = new AbortController().signal } = options;
  const answers = new DaemonAnswers({ ...parts, condition, ending });
  return { ...parts, singleRun, leader, configOnDisk, condition, answers };
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

/** A lock that cannot be written is a blocker, see `LockKeeper.arrears`: what else the run did is reported with it. */
function toldByArrears(error: unknown): void {
  if (!isOfLock(failureOf(error))) throw error;
}

function signalName({ reason }: AbortSignal): string {
  return reason instanceof Error ? reason.message : String(reason);
}
