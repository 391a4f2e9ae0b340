/** Runs jobs: planned jobs are written down, offered to the queue, run through their lanes and settled. It also stops and resumes paid work. */

import { type GitOperation, operationUnderWay } from '../files/work-tree.ts';
import type { JobId, Lane } from '../job.ts';
import type { Estimate } from '../lane.ts';
import type { VoicePoller } from '../lanes/voice/poller.ts';
import type { SourceRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { Setup } from '../plan/planner.ts';
import type { Spending } from '../plan/spending.ts';
import type { Role } from '../state/tree.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import type { Translator } from '../translate/translate.ts';
import { holdBulkChange } from './bulk-change-guard.ts';
import { Execution, type Stop } from './execution.ts';
import { inProcessQueue } from './in-process-queue.ts';
import type { LockKeeper } from './lock-keeper.ts';
import { LOOK_MS, Offers, type Standstill } from './offers.ts';
import { openLanes } from './open-lanes.ts';
import type { Queue } from './queue.ts';
import { SharedQueue } from './shared-queue.ts';
import type { Workspace, World } from './workspace.ts';

/** Jobs of a lane that are claimed at a time: the client bounds requests, and text needs many jobs to fill them. */
const WINDOWS: Readonly<Record<Lane, number>> = {
  text: 1000,
  subtitle: 200,
  document: 8,
  voice: 4,
};
/** Milliseconds between looks whether git is done. */
const GIT_LOOK_MS = 1000;
/** Milliseconds that running jobs have to reach a safe step; systemd's TimeoutStopSec is longer. */
const DRAIN_MS = 120_000;

export interface JobRunnerOptions {
  readonly workspace: Workspace;
  readonly world: World;
  readonly terminology: TerminologyInForce;
  readonly spending: Spending;
  readonly inForce: InForce;
  readonly role: Role;
  /** False: another daemon leads the tree, now. */
  leads(): boolean;
  /** The settings of `service` that requests are sent with. */
  serviceMark(): string;
  /** The targets of a job stand as the ledger says now. */
  delivered(job: JobId): void;
  /** Absent: the config names no lock. */
  readonly lock?: Pick<LockKeeper, 'publishing' | 'settled'>;
  /** Whether any of these jobs may buy something: where nothing is bought, the service is asked nothing. */
  buys(work: readonly PlannedJob[]): Promise<boolean>;
}

export class JobRunner implements AsyncDisposable {
  readonly #options: JobRunnerOptions;
  readonly #translator: Translator;
  readonly #execution: Execution;
  readonly #queue: Queue;
  readonly #poller: VoicePoller;
  readonly #broken = Promise.withResolvers<never>();
  readonly #hurry = new AbortController();
  readonly #offers: Offers;
  readonly #unsubscribe: () => void;
  /** Calls of `enqueue` that are under way. */
  #entering = 0;
  #hasAskedPeriod = false;
  #mode: 'idle' | 'once' | 'watching' = 'idle';

  constructor(options: JobRunnerOptions) {
    const { workspace, world, inForce, delivered } = options;
    this.#options = options;
    this.#broken.promise.catch(() => {});
    const mayGrow = (joined: number) => this.#mayGrow(joined);
    const hurry = this.#hurry.signal;
    const { translator, lanes, poller } = openLanes({ ...options, mayGrow, hurry });
    const { ledger } = workspace;
    this.#translator = translator;
    this.#poller = poller;
    this.#execution = new Execution({
      ...world,
      ledger,
      lanes,
      later: () => this.isWatching,
      isGitBusy: () => this.gitOperation !== undefined,
      sharesJobs: workspace.tree !== undefined,
      inForce,
      publications: workspace.publications,
      undo: workspace.undo,
      ...(options.lock === undefined ? {} : { lock: options.lock }),
      formerPlace: async (job) => await workspace.lock?.formerPlace(job),
      serviceMark: () => options.serviceMark(),
      replan: (source) => this.#replan(source),
      delivered,
    });
    const windows = this.#windows();
    const { clock, events } = world;
    const queued = { worker: this.#worker, windows, clock };
    const queues = workspace.tree?.queues;
    this.#queue =
      queues === undefined
        ? inProcessQueue(queued)
        : new SharedQueue({
            ...{ ...queued, queues },
            takesJobs: () => this.isAtWork && this.#execution.takesJobs,
            onBroken: (error) => this.#broken.reject(error),
          });
    const { publications } = workspace;
    const around = { ledger, publications, inForce, events, clock };
    this.#offers = new Offers({ ...around, queue: this.#queue });
    this.#unsubscribe = events.subscribe(({ kind }) => {
      // A large file is bought in many requests.
      if (kind === 'billed') this.#offers.moved();
    });
  }

  /**
   * Begins to fetch what waits on the service, before anything else is done: results of recordings are lost within the hour.
   * @param mode `watching`: jobs that failed for passing reasons come again by themselves
   */
  begin(mode: 'once' | 'watching'): void {
    this.#mode = mode;
    if (this.#options.leads()) this.lead();
  }

  /** What only the leader of a tree does: a recording is bought once for all its languages, and only the leader knows all jobs. */
  lead(): void {
    this.resize();
    this.#poller.keep().catch((error: unknown) => this.#broken.reject(error));
  }

  /** Writes planned jobs down and offers them. */
  async enqueue(planned: readonly PlannedJob[]): Promise<void> {
    this.#entering += 1;
    try {
      await this.#enter(planned);
    } finally {
      this.#entering -= 1;
    }
  }

  async #enter(planned: readonly PlannedJob[]): Promise<void> {
    const { workspace, world, inForce } = this.#options;
    const work = await holdBulkChange(planned, {
      workspace,
      world,
      guard: inForce.config.guard,
      estimate: (job, counted) => this.estimate(job, counted),
    });
    if (work.length > 0) await this.#learnPeriod(work);
    // What a daemon does from one rest to the next is a run of its own.
    const isAtRest = this.#queue.waiting + this.#queue.running === 0;
    if (this.isWatching && isAtRest) workspace.undo.nextRun();
    await this.#offers.enter(work);
  }

  /** Offers jobs that are written down already, while a daemon watches; a single run plans the whole again. */
  offer(ids: readonly JobId[]): void {
    if (this.isWatching) this.#offers.offer(ids);
  }

  /** Until the signal: offers what is to be done and is not offered. That is an error of ours, and is told as one. */
  async watchOffers(signal: AbortSignal): Promise<void> {
    const { clock, events } = this.#options.world;
    for (;;) {
      await clock.sleep(LOOK_MS, signal).catch(() => {});
      if (signal.aborted) return;
      const forgotten = this.#look();
      const [first] = forgotten;
      if (first === undefined) continue;
      events.emit({ kind: 'jobs-not-offered', jobs: forgotten.length, first: first.job.id });
      await this.enqueue(forgotten);
    }
  }

  /** A job moved on, on another daemon. */
  moved(): void {
    this.#offers.moved();
  }

  /** Work that is queued and does not move; undefined while it moves, or waits for a person or for paid work to go on. */
  get standstill(): Standstill | undefined {
    return this.#isHeldUp ? undefined : this.#offers.standstill;
  }

  /** Resolves when nothing runs and nothing waits. @throws what broke the queue */
  async idle(): Promise<void> {
    await Promise.race([this.#queue.idle(), this.#broken.promise]);
  }

  /** Rejects with what broke the queue; never resolves. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  get queue(): Pick<Queue, 'waiting' | 'running' | 'nextDue'> {
    return this.#queue;
  }

  /** Why paid work stands still. */
  get stop(): Stop | undefined {
    return this.#execution.stop;
  }

  /** Whether a daemon works on what changes. */
  get isWatching(): boolean {
    return this.#mode === 'watching';
  }

  /** What git does in a work tree of the projects. */
  get unfinished(): GitOperation | undefined {
    return operationUnderWay(this.#options.inForce.config.projects.map(({ root }) => root));
  }

  /** The same for a daemon, which begins no work meanwhile: half of a branch is nobody's text. */
  get gitOperation(): GitOperation | undefined {
    return this.isWatching ? this.unfinished : undefined;
  }

  /** Until the signal: offers what waited for git. */
  async watchGit(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.world;
    while (!signal.aborted) {
      await clock.sleep(GIT_LOOK_MS, signal).catch(() => {});
      this.offer(this.#execution.unpark());
    }
  }

  /** Whether jobs are worked on at all: a command that only asks has a runner that never begins. */
  get isAtWork(): boolean {
    return this.#mode !== 'idle';
  }

  get paused(): boolean {
    return this.#execution.paused;
  }

  pause(): void {
    this.#execution.pause();
  }

  /** Asks the service whether paid work may go on; the key is read anew. */
  async resume(): Promise<void> {
    if (this.#execution.stop !== undefined) {
      const state = await this.#options.workspace.service.resume();
      if (state.kind === 'stopped') return;
    }
    const parked = this.#execution.resume();
    this.offer(parked);
  }

  /** What a job would bill, found without paying. */
  estimate(...asked: Parameters<Execution['estimate']>): Promise<Estimate> {
    return this.#execution.estimate(...asked);
  }

  /** Jobs at a time that this daemon has places for. */
  get places(): Readonly<Record<Lane, number>> {
    return this.#windows();
  }

  #windows(): Readonly<Record<Lane, number>> {
    const { inForce, role, leads } = this.#options;
    const windows = windowsOf(inForce);
    if (!leads()) return { ...windows, voice: 0 };
    switch (role) {
      case 'leader':
        return { text: 0, subtitle: 0, document: 0, voice: windows.voice };
      case 'worker':
      case 'both':
        return windows;
    }
  }

  /** A changed config has other numbers of jobs at a time. */
  resize(): void {
    this.#queue.resize(this.#windows());
  }

  /** Takes up no more; resolves when what runs has reached a safe step. */
  async drain(): Promise<void> {
    await Promise.all([
      this.#queue.drain(DRAIN_MS),
      this.#translator.stop(),
      this.#poller.end(DRAIN_MS),
    ]);
  }

  /** What was sent is waited for: it is paid. What waits for its turn is not sent any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#unsubscribe();
    this.#hurry.abort();
    await this.#translator.stop();
    await this.#queue[Symbol.asyncDispose]();
    await this.#poller[Symbol.asyncDispose]();
  }

  /** A single run plans the whole again when it is idle. */
  #replan(source: SourceRecord): void {
    if (!this.isWatching) return;
    const { work } = this.#options.inForce.planner.plan('none', [source]);
    this.enqueue(work).catch((error: unknown) => this.#broken.reject(error));
  }

  readonly #worker: Execution['work'] = async (offer, signal) => {
    this.#offers.moved();
    try {
      return await this.#execution.work(offer, signal);
    } catch (error) {
      this.#broken.reject(error);
      return { kind: 'over' };
    } finally {
      this.#offers.moved();
    }
  };

  /** Planned jobs whose price is looked up are offered when it is known. */
  #look(): readonly PlannedJob[] {
    if (this.#entering === 0 && !this.#isHeldUp) return this.#offers.look();
    this.#offers.rest();
    return [];
  }

  get #isHeldUp(): boolean {
    const { paused, stop } = this.#execution;
    return paused || stop !== undefined || this.gitOperation !== undefined;
  }

  /** Claimed jobs that have not joined yet, and waiting ones, could still fill a request. */
  #mayGrow(joined: number): boolean {
    const { waiting, running } = this.#queue.load(['text', 'subtitle']);
    return waiting > 0 || running > joined;
  }

  /** A month budget is about the account's own period; the service is asked once, and only when something is to be bought. */
  async #learnPeriod(work: readonly PlannedJob[]): Promise<void> {
    const { inForce, spending, workspace, buys } = this.#options;
    const { config } = inForce;
    const budgets = [config.budget, ...config.projects.map(({ budget }) => budget)];
    if (this.#hasAskedPeriod || budgets.every(({ month }) => month === undefined)) return;
    if (!(await buys(work))) return;
    this.#hasAskedPeriod = true;
    const usage = await workspace.service.account.usage().catch(() => undefined);
    const [start, end] = [Date.parse(usage?.start_time ?? ''), Date.parse(usage?.end_time ?? '')];
    if (start < end) spending.learnPeriod({ start, end });
  }
}

function windowsOf({ config }: Setup): Readonly<Record<Lane, number>> {
  return { ...WINDOWS, ...config.service.lanes };
}
