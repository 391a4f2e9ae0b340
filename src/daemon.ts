/** Composition root: wires edges, rules and lanes for one config, and says the sentence once or for ever. */
import { join } from 'node:path';
import type { AttentionLine, Control, Scope, StatusReport } from './control.ts';
import { inScope } from './desk/scope.ts';
import { createDesk } from './desk.ts';
import { createDispatch, type Dispatch, type Stop } from './dispatch.ts';
import { openShop } from './documents/open-shop.ts';
import { describeFailure, type Failure } from './failure.ts';
import type { JobId, Lane } from './job.ts';
import { documentLane } from './lanes/document.ts';
import { subtitleLane } from './lanes/subtitle.ts';
import { type TextLaneOptions, textLane } from './lanes/text.ts';
import { voiceLane } from './lanes/voice.ts';
import type { Fact, JobRecord, LedgerView, SourceRecord } from './ledger.ts';
import { Lookout } from './lookout.ts';
import { type ObstacleSources, obstaclePaths, obstaclesOf } from './obstacles.ts';
import type { PlanInput, PlannedJob } from './plan.ts';
import { Planner, type Setup } from './planner.ts';
import { queuedRecord } from './queued.ts';
import { type InProcessQueue, inProcessQueue } from './queues/in-process.ts';
import type { Recipe } from './recipe.ts';
import { recoverRequests } from './recover.ts';
import { Rulebook } from './rulebook.ts';
import { Spending } from './spending.ts';
import { textCase } from './text-case.ts';
import { purchaseAt } from './translate/purchase.ts';
import { Translator } from './translate.ts';
import { urgencyOf } from './voice/urgency.ts';
import { keyOf, openWorkspace, type Workspace, type WorkspaceOptions } from './workspace.ts';

/** Jobs of a lane that are claimed at a time: the client bounds requests, and text needs many jobs to fill them. */
const WINDOWS: Readonly<Record<Lane, number>> = {
  text: 1000,
  subtitle: 200,
  document: 8,
  voice: 4,
};
/** Milliseconds that running jobs have to reach a safe step; systemd's TimeoutStopSec is longer. */
const DRAIN_MS = 120_000;
/** Milliseconds between questions whether stopped work may go on. */
const COME_BACK_MS = 10 * 60_000;

export interface DaemonOptions extends Omit<WorkspaceOptions, 'config'> {
  readonly setup: Setup;
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
  readonly #translator: Translator;
  readonly #dispatch: Dispatch;
  readonly #queue: InProcessQueue;
  readonly #spending: Spending;
  readonly #fatal = Promise.withResolvers<never>();
  #setup: Setup;
  #planner: Planner;
  #lookout: Lookout;
  #mode: 'single run' | 'watching' = 'single run';
  #page: string | null = null;
  #hasAskedPeriod = false;
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
    const { clock, events } = world;
    const { ledger, memories, service } = workspace;
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
    const booked: Spending['book'] = (charges) => this.#spending.book(charges);
    const { remote } = rulebook;
    const remoteRules = (recipe: Recipe) => remote.rules(recipe);
    const doubt = (recipe: Recipe) => remote.doubt(recipe);
    const till = { service, ledger, memories, clock, events, remoteRules, doubt, booked };
    this.#translator = new Translator({
      memories,
      purchase: purchaseAt(till),
      ready: (recipe) => remote.ready(recipe),
    });
    const documents = documentLane({
      ...workspace,
      shop: openShop({
        config: setup.config,
        workspace,
        world,
        spending: this.#spending,
        remoteRules,
        rootOf: (project) => this.#planner.project(project)?.root,
      }),
      clock,
      planner: () => this.#planner,
      keepMs: () => this.#setup.config.keep.spool,
      factsLost: () => this.#factsLost,
    });
    const voice = voiceLane({
      ...workspace,
      clock,
      spool: join(setup.config.state, 'voice'),
      config: () => this.#setup.config,
      planner: () => this.#planner,
      factsLost: () => this.#factsLost,
      allow: (job, seconds) => this.#spending.allow(job, 0, seconds),
      booked,
    });
    const lane: TextLaneOptions = {
      translator: this.#translator,
      clock,
      caseOf: (job) => textCase(job, this.#planner, workspace),
      allow: (job, characters) => this.#spending.allow(job, characters),
    };
    this.#dispatch = createDispatch({
      ...world,
      ledger,
      lanes: [textLane(lane), subtitleLane(lane), documents, voice],
      later: () => this.#mode === 'watching',
    });
    this.#queue = inProcessQueue({ worker: this.#worker, windows: WINDOWS, clock });
    events.subscribe((event) => {
      if (event.kind === 'job-delivered') this.#lookout.intake.delivered(event.job);
    });
    this.control = this.#desk();
  }

  /** Plans and works until nothing is left to do, also of what changed meanwhile. Jobs outside of the scope are left as they are. */
  async workToIdle(scope: Scope, signals: StopSignals): Promise<void> {
    const tried = new Set<string>();
    while (!signals.drain.aborted && this.#dispatch.stop === undefined) {
      // A job that this run has tried for the same content is not tried again: what it became is its answer.
      const fresh = (await this.pending(scope)).filter(({ job }) => {
        const attempt = `${job.id} ${job.fingerprint}`;
        return !tried.has(attempt) && tried.add(attempt);
      });
      if (fresh.length === 0) {
        if (isWhole(scope)) await this.#dealWithLoss();
        return;
      }
      await this.#enqueue(fresh);
      await Promise.race([this.#queue.idle(), this.#fatal.promise, aborted(signals.drain)]);
    }
    await this.#drain(signals.abort);
  }

  /** What is to be done now. */
  async pending(scope: Scope): Promise<readonly PlannedJob[]> {
    await this.#lookout.look();
    return this.#planner.plan('passing').work.filter(({ job }) => this.#isWanted(job, scope));
  }

  /** Watches and works until the signal; resolves when running jobs have reached a safe step. */
  async run(signals: StopSignals): Promise<void> {
    this.#mode = 'watching';
    await this.#lookout.open('events');
    await this.#plan('passing');
    const projects = this.#setup.config.projects.length;
    this.#options.world.events.emit({ kind: 'started', projects });
    if (this.#factsLost)
      this.#queue.idle().then(
        () => this.#dealWithLoss(),
        () => {},
      );
    const words = this.#rulebook.watch(() => this.#plan('passing'), signals.drain);
    words.catch((error: unknown) => this.#fatal.reject(error));
    await Promise.race([this.#fatal.promise, this.#comeBack(signals.drain)]);
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
    this.#workspace.service.setKey(keyOf(setup.config, this.#options.world));
    await this.#lookout.open('events');
    await this.#plan('passing');
    await this.resume();
  }

  /** Asks the service whether paid work may go on; the key is read anew. */
  async resume(): Promise<void> {
    if (this.#dispatch.stop !== undefined) {
      const state = await this.#workspace.service.resume();
      if (state.kind === 'stopped') return;
    }
    this.#offer(this.#dispatch.resume());
  }

  get setup(): Setup {
    return this.#setup;
  }

  /** Why paid work stands still. */
  get stop(): Stop | undefined {
    return this.#dispatch.stop;
  }

  get queue(): Pick<InProcessQueue, 'waiting' | 'running' | 'nextDue'> {
    return this.#queue;
  }

  get ledger(): LedgerView {
    return this.#workspace.ledger;
  }

  /** Where the page is served, for `status`. */
  showPage(address: string): void {
    this.#page = address;
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
    return obstaclesOf(this.#obstacles);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#lookout[Symbol.asyncDispose]();
    await this.#translator.stop();
    await this.#queue[Symbol.asyncDispose]();
    await this.#workspace[Symbol.asyncDispose]();
  }

  get #obstacles(): ObstacleSources {
    const deletions = this.#lookout.intake.massDeletions();
    return { setup: this.#setup, planner: this.#planner, deletions };
  }

  readonly #worker: Dispatch['work'] = async (offer, signal) => {
    try {
      return await this.#dispatch.work(offer, signal);
    } catch (error) {
      this.#fatal.reject(error);
      return { kind: 'over' };
    }
  };

  #plannerFor(setup: Setup): Planner {
    return new Planner({
      setup,
      ledger: this.#workspace.ledger,
      wording: () => this.#rulebook.wording,
      deviation: (project, path) => this.#lookout.intake.deviation(project, path),
    });
  }

  #lookoutFor(setup: Setup): Lookout {
    const lookout = new Lookout({
      setup,
      workspace: this.#workspace,
      world: this.#options.world,
      // One run plans the whole when it has looked.
      onChanged: async (sources) => {
        if (this.#mode === 'watching') await this.#plan('none', sources);
      },
    });
    lookout.broken.catch((error: unknown) => this.#fatal.reject(error));
    return lookout;
  }

  async #plan(retries: PlanInput['retries'], sources?: readonly SourceRecord[]): Promise<void> {
    await this.#enqueue(this.#planner.plan(retries, sources).work);
  }

  async #enqueue(work: readonly PlannedJob[]): Promise<void> {
    const { ledger } = this.#workspace;
    if (work.length > 0) await this.#learnPeriod();
    const records = work.flatMap((planned) => queuedRecord(planned, ledger) ?? []);
    await ledger.commit(records.map((put): Fact => ({ table: 'jobs', put })));
    for (const { id, project, lane, source, language } of work.map(({ job }) => job)) {
      const queued = { job: id, project, lane, source, language };
      this.#options.world.events.emit({ kind: 'job-queued', ...queued });
      this.#queue.offer({ id, lane, ...urgencyOf(id, this.#workspace.ledger) });
    }
  }

  #offer(ids: readonly JobId[]): void {
    for (const id of ids) {
      const job = this.#workspace.ledger.get('jobs', id);
      if (job === undefined || this.#mode !== 'watching') continue;
      this.#queue.offer({ id, lane: job.lane, ...urgencyOf(id, this.#workspace.ledger) });
    }
  }

  /** Everything that may have been paid before has had its turn and is held: what comes now is new. */
  async #dealWithLoss(): Promise<void> {
    if (!this.#factsLost) return;
    this.#factsLost = false;
    await this.#workspace.ledger.forgetLoss();
  }

  async #drain(abort: AbortSignal): Promise<void> {
    await this.#lookout[Symbol.asyncDispose]();
    const drained = this.#queue.drain(DRAIN_MS);
    await Promise.race([Promise.all([drained, this.#translator.stop()]), aborted(abort)]);
  }

  /** A quota that was used up or a key that was refused may be good again: asking is free. Resolves with the signal. */
  async #comeBack(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.world;
    while (!signal.aborted) {
      await clock.sleep(COME_BACK_MS, signal).catch(() => {});
      if (!signal.aborted && this.#dispatch.stop !== undefined) await this.resume().catch(() => {});
    }
  }

  /** A month budget is about the account's own period; the service is asked once, and only when something is to be bought. */
  async #learnPeriod(): Promise<void> {
    const { config } = this.#setup;
    const budgets = [config.budget, ...config.projects.map(({ budget }) => budget)];
    if (this.#hasAskedPeriod || budgets.every(({ month }) => month === undefined)) return;
    this.#hasAskedPeriod = true;
    const usage = await this.#workspace.service.account.usage().catch(() => undefined);
    const [start, end] = [Date.parse(usage?.start_time ?? ''), Date.parse(usage?.end_time ?? '')];
    if (start < end) this.#spending.learnPeriod({ start, end });
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
      estimate: (job, counted) => this.#dispatch.estimate(job, counted),
      look: async () => {
        await this.#lookout.look();
        return { skipped: [...this.#lookout.intake.skipped(), ...obstaclePaths(this.#obstacles)] };
      },
      offer: (jobs) => this.#offer(jobs),
      obstacles: () => this.obstacles(),
      confirmDeletions: () => this.#lookout.intake.confirmDeletions(),
      pause: async () => this.#dispatch.pause(),
      resume: () => this.resume(),
    });
  }

  #condition(): Pick<StatusReport, 'state' | 'stopped_by' | 'page'> {
    const { stop } = this.#dispatch;
    const stopped_by = stop === undefined ? null : describeFailure(stop);
    return { state: this.#stateWord(), stopped_by, page: this.#page };
  }

  #stateWord(): StatusReport['state'] {
    if (this.#dispatch.stop !== undefined) return 'stopped';
    if (this.#dispatch.paused) return 'paused';
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
