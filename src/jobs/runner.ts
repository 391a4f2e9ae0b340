/**
 * Runs jobs: writes planned jobs to the ledger, offers them to the queue, runs them through their lanes and settles them. Also
 * resumes stopped work.
 */
import { type JobId, LANES, type Lane } from '../job.ts';
import { type Estimate, nothingCounted } from '../lane.ts';
import type { VoicePoller } from '../lanes/voice/poller.ts';
import type { SourceRecord } from '../ledger.ts';
import { inBatches } from '../parsing/within.ts';
import type { PlanInput, PlannedJob } from '../plan/plan.ts';
import type { Role } from '../state/tree.ts';
import type { Translator } from '../translate/translate.ts';
import { holdBulkChange } from './bulk-change-guard.ts';
import { Execution } from './execution.ts';
import { inProcessQueue } from './in-process-queue.ts';
import type { LockKeeper } from './lock-keeper.ts';
import { LOOK_MS, Offers, type Standstill } from './offers.ts';
import { type LanesOptions, type OpenLanes, openLanes } from './open-lanes.ts';
import type { Queue } from './queue.ts';
import type { RunState } from './run-state.ts';
import { SharedQueue } from './shared-queue.ts';
import { leads, type Workspace } from './workspace.ts';

/** Jobs of a lane that run at a time. The client limits the requests, and many text jobs are needed to fill one request. */
const WINDOWS: Readonly<Record<Lane, number>> = {
  text: 1000,
  subtitle: 200,
  document: 8,
  voice: 4,
};
/** Milliseconds between two looks whether git has ended its operation. */
const GIT_LOOK_MS = 1000;
/** Up to this number, reading all offers takes only a few milliseconds. */
const FEW_OFFERS = 1000;
const NO_SLOTS = Object.fromEntries(LANES.map((lane) => [lane, 0])) as Record<Lane, number>;
/** Milliseconds between checks whether running jobs have ended. */
const REST_LOOK_MS = 100;
/** Milliseconds in which running jobs must reach a safe step. TimeoutStopSec of the systemd unit is longer. */
const DRAIN_MS = 120_000;
/** Milliseconds in which running jobs may still read their files. What they bought is in the memory. */
const READ_MS = 10_000;

export interface JobRunnerOptions extends Omit<LanesOptions, 'stopWaiting' | 'mayGrow'> {
  readonly runState: RunState;
  readonly role: Role;
  /** Called where this daemon leads: the targets of the job are as the ledger says now. */
  delivered(job: JobId): void;
  /** Absent: the config names no lock. */
  readonly lock?: JobsOfLock;
}

type JobsOfLock = Pick<LockKeeper, 'publishing' | 'settled'>;

export class JobRunner implements AsyncDisposable {
  readonly #options: JobRunnerOptions;
  readonly #translator: Translator;
  readonly #execution: Execution;
  readonly #queue: Queue;
  readonly #poller: VoicePoller;
  readonly #voiceJobs: OpenLanes['voiceJobs'];
  readonly #leaveDocuments: () => Promise<void>;
  /** See `hourlySweep`. Where workers run the documents, only the leader calls it. */
  readonly sweepSpool: () => Promise<void>;
  readonly #broken = Promise.withResolvers<never>();
  readonly #stopWaiting = new AbortController();
  readonly #offers: Offers;
  /** Calls of `enqueue` that are under way. */
  #entering = 0;
  #hasAskedPeriod = false;

  constructor(options: JobRunnerOptions) {
    const { workspace, world, inForce, runState, lock } = options;
    this.#options = options;
    this.#broken.promise.catch(() => {});
    const mayGrow = (joined: number) => this.#mayGrow(joined);
    const stopWaiting = this.#stopWaiting.signal;
    const opened = openLanes({ ...options, mayGrow, stopWaiting: stopWaiting });
    const { translator, lanes, poller } = opened;
    const { ledger } = workspace;
    this.#translator = translator;
    this.#poller = poller;
    this.#voiceJobs = opened.voiceJobs;
    this.#leaveDocuments = opened.leaveDocuments;
    this.sweepSpool = opened.sweepSpool;
    this.#execution = new Execution({
      ...world,
      ledger,
      lanes,
      runState,
      sharesJobs: workspace.tree !== undefined,
      ...(workspace.tree === undefined ? {} : { daemon: workspace.tree.daemon }),
      inForce,
      publications: workspace.publications,
      undo: workspace.undo,
      ...(lock === undefined ? {} : { lock: whereLeading(workspace, lock) }),
      formerPath: async (job) => await workspace.lock?.formerPath(job),
      replan: (source) => this.#replan(source),
      delivered: (job) => {
        if (leads(workspace)) options.delivered(job);
      },
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
            runState,
            onBroken: (error) => this.#broken.reject(error),
          });
    ledger.onClosed((ids) => {
      for (const id of ids) this.#queue.withdraw(id);
    });
    const { publications } = workspace;
    const around = { ledger, publications, inForce, events, clock };
    this.#offers = new Offers({ ...around, queue: this.#queue, spending: options.spending });
  }

  /**
   * First fetches finished recordings from the service, which keeps their results for an hour only.
   * @param mode `watching`: a job that failed for a passing reason is tried again later
   */
  begin(mode: 'once' | 'watching'): void {
    const { runState, workspace } = this.#options;
    runState.begin(mode);
    if (leads(workspace)) this.lead();
  }

  /**
   * Opens the voice lane, which only the leader of a tree runs. A recording is bought once for all its languages, and only the leader knows
   * all jobs.
   */
  lead(): void {
    this.resize();
    this.#poller.keep().catch((error: unknown) => this.#broken.reject(error));
  }

  /**
   * Plans, and enqueues the jobs.
   * @param retries `passing`: also jobs that failed for a reason that may have passed
   * @param sources those that changed; absent: all
   */
  async enqueuePlan(
    retries: PlanInput['retries'],
    sources?: readonly SourceRecord[],
  ): Promise<void> {
    const { work } = await this.#options.inForce.planner.planInTurns(retries, sources);
    await this.enqueue(work);
  }

  /** Writes planned jobs to the ledger and offers them to the queue. */
  async enqueue(planned: readonly PlannedJob[]): Promise<void> {
    this.#entering += 1;
    try {
      await this.#enter(planned);
    } finally {
      this.#entering -= 1;
    }
  }

  async #enter(planned: readonly PlannedJob[]): Promise<void> {
    const { workspace, world, inForce, runState } = this.#options;
    const work = await holdBulkChange(planned, {
      workspace,
      world,
      guard: inForce.config.guard,
      estimate: (job, counted) => this.estimate(job, counted),
    });
    if (work.length > 0) await this.#learnPeriod(work);
    // For undo, a run is all work of all daemons between two moments without work.
    if (runState.isWatching && (await this.#isAtRest())) {
      await workspace.undo.nextRun(work.length > 0 ? 'work' : 'nothing');
    }
    await this.#offers.enter(work);
  }

  /** Whether no job waits or runs. When there are few offers, the database is asked first: other daemons may have just ended them. */
  async #isAtRest(): Promise<boolean> {
    const count = () => this.#queue.waiting + this.#queue.running;
    if (count() > 0 && count() <= FEW_OFFERS) await this.#queue.refresh?.();
    return count() === 0;
  }

  /** Offers jobs that are in the ledger already. For a daemon only: a single run plans everything again. */
  offer(ids: readonly JobId[]): void {
    if (this.#options.runState.isWatching) this.#offers.offer(ids);
  }

  /** Until the signal: offers open jobs that are not in the queue. Such a job is an error of dragoman, and an event reports it. */
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

  /** A job of another daemon made progress. */
  progressed(): void {
    this.#offers.progressed();
  }

  /**
   * Queued work without progress; undefined while there is progress, and while jobs wait for git, for a person or for paid work
   * to resume.
   */
  get standstill(): Standstill | undefined {
    return this.#options.runState.isHeldUp ? undefined : this.#offers.standstill;
  }

  /** The files that have changed at each try of their jobs. */
  get changingFiles(): Execution['changingFiles'] {
    return this.#execution.changingFiles;
  }

  /** See `VoiceJobRunner`. */
  get delayedRecordings(): OpenLanes['voiceJobs']['delayed'] {
    return this.#voiceJobs.delayed;
  }

  /** Resolves when no job runs or waits. @throws the error that broke the queue */
  async idle(): Promise<void> {
    await Promise.race([this.#queue.idle(), this.#broken.promise]);
  }

  /** Rejects with the error that broke the queue; never resolves. */
  get broken(): Promise<never> {
    return this.#broken.promise;
  }

  get queue(): Pick<Queue, 'waiting' | 'running' | 'nextDue'> {
    return this.#queue;
  }

  /** Until the signal: offers jobs that waited for git. */
  async watchGit(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options.world;
    while (!signal.aborted) {
      await clock.sleep(GIT_LOOK_MS, signal).catch(() => {});
      this.offer(this.#execution.unpark());
    }
  }

  /** Lets other daemons of the tree go on with the documents that this one has sent, while it takes no jobs. */
  async leaveWhileIdle(): Promise<void> {
    // The next call tries again.
    if (!this.#options.runState.takesJobs) await this.#leaveDocuments().catch(() => {});
  }

  /**
   * Waits for the end of the running jobs and does `change` before any other job begins; for example, replaces the config.
   * @throws the errors of `change`
   */
  async betweenJobs(change: () => Promise<void>): Promise<void> {
    const { runState, world } = this.#options;
    using _ = runState.rest();
    while (this.#queue.load(LANES).running > 0) await world.clock.sleep(REST_LOOK_MS);
    await change();
  }

  /** A person resumes the work: ends the pause, and asks the service about stopped paid work. */
  async resume(): Promise<void> {
    this.#options.runState.endPause();
    await this.resumePaid();
  }

  /** Asks the service whether paid work may go on, after it reads the key again; if so, offers the jobs that waited. A pause stays. */
  async resumePaid(): Promise<void> {
    const { runState, workspace } = this.#options;
    if (runState.stop !== undefined) {
      const state = await workspace.service.resume();
      if (state.kind === 'stopped') return;
    }
    runState.endStop();
    this.offer(this.#execution.unpark());
  }

  /** The characters or the seconds of audio that a job would bill; nothing is sent. See `LaneWorker.estimate`. */
  estimate(...asked: Parameters<Execution['estimate']>): Promise<Estimate> {
    return this.#execution.estimate(...asked);
  }

  /** Whether any of these jobs may buy something: where none does, the service is asked nothing. Without a lock it is always true. */
  async mayBuy(planned: readonly PlannedJob[]): Promise<boolean> {
    if (this.#options.lock === undefined) return true;
    const estimateOf = async ({ job }: PlannedJob, before: Promise<void>) =>
      await this.estimate(job, nothingCounted(before)).catch(() => undefined);
    for await (const estimates of inBatches(planned, estimateOf)) {
      if (estimates.some(buys)) return true;
    }
    return false;
  }

  /** How many jobs this daemon has delivered, held or failed since its start. */
  get settled(): number {
    return this.#execution.settled;
  }

  /** How many jobs this daemon has begun since its start. */
  get begun(): number {
    return this.#execution.begun;
  }

  /** Jobs of each lane that this daemon runs at a time. */
  get slots(): Readonly<Record<Lane, number>> {
    return this.#windows();
  }

  #windows(): Readonly<Record<Lane, number>> {
    const { inForce, role, workspace } = this.#options;
    const windows = { ...WINDOWS, ...inForce.config.service.lanes };
    if (!leads(workspace)) return role === 'leader' ? NO_SLOTS : { ...windows, voice: 0 };
    switch (role) {
      case 'leader':
        return { ...NO_SLOTS, voice: windows.voice };
      case 'worker':
      case 'both':
        return windows;
    }
  }

  /** Takes the numbers of jobs at a time from the config in force. */
  resize(): void {
    this.#queue.resize(this.#windows());
  }

  /** From now on no paid request is sent or tried again. Resolves when those that were sent have their answers. */
  async answered(): Promise<void> {
    this.#endSending();
    await this.#options.workspace.service.answered();
  }

  #endSending(): void {
    this.#stopWaiting.abort();
    this.#options.workspace.service.endRetries();
  }

  /**
   * Takes up no more jobs; resolves when the running ones have reached a safe step. A request that waits for its turn, or for another try,
   * is not sent. A service that is away would keep the process alive as long as it is away.
   */
  async drain(): Promise<void> {
    this.#endSending();
    const { workspace, world } = this.#options;
    const over = new AbortController();
    const reading = world.clock.sleep(READ_MS, over.signal).then(
      async () => await workspace.drafts[Symbol.asyncDispose](),
      () => {},
    );
    try {
      await Promise.all([
        this.#queue.drain(DRAIN_MS),
        // The other daemons need not wait until the last job of this one has ended.
        this.#leaveDocuments().catch(() => {}),
        this.#translator.stop(),
        this.#poller.end(DRAIN_MS),
      ]);
    } finally {
      over.abort();
      await reading;
    }
  }

  /** Waits for the answers to requests that were sent, because they are paid. A request that waits for its turn is not sent. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopWaiting.abort();
    await this.#translator.stop();
    await this.#queue[Symbol.asyncDispose]();
    await this.#poller[Symbol.asyncDispose]();
  }

  /** For a daemon only: a single run plans everything again when it is idle. */
  #replan(source: SourceRecord): void {
    if (!this.#options.runState.isWatching) return;
    this.enqueuePlan('none', [source]).catch((error: unknown) => this.#broken.reject(error));
  }

  readonly #worker: Execution['work'] = async (offer, signal) => {
    this.#offers.progressed();
    try {
      return await this.#execution.work(offer, signal);
    } catch (error) {
      this.#broken.reject(error);
      // The queue takes no more jobs, and gives this one back.
      throw error;
    } finally {
      this.#offers.progressed();
    }
  };

  /** `enqueue` estimates jobs before it offers them: meanwhile they do not count as forgotten. */
  #look(): readonly PlannedJob[] {
    if (this.#entering === 0 && !this.#options.runState.isHeldUp) return this.#offers.look();
    this.#offers.rest();
    return [];
  }

  /** Whether more jobs may join a request: claimed jobs that have not joined yet, or waiting ones. */
  #mayGrow(joined: number): boolean {
    const { waiting, running } = this.#queue.load(['text', 'subtitle']);
    return waiting > 0 || running > joined;
  }

  /**
   * A budget for the month counts in the billing period of the account. The service is asked for it once, and only when a job
   * may buy something.
   */
  async #learnPeriod(work: readonly PlannedJob[]): Promise<void> {
    const { inForce, spending, workspace } = this.#options;
    const { config } = inForce;
    const budgets = [config.budget, ...config.projects.map(({ budget }) => budget)];
    if (this.#hasAskedPeriod || budgets.every(({ month }) => month === undefined)) return;
    if (!(await this.mayBuy(work))) return;
    this.#hasAskedPeriod = true;
    const usage = await workspace.service.account.usage().catch(() => undefined);
    const [start, end] = [Date.parse(usage?.start_time ?? ''), Date.parse(usage?.end_time ?? '')];
    if (start < end) spending.learnPeriod({ start, end });
  }
}

/** Whether a job may buy something, also where that is not known. */
function buys(estimate: Estimate | undefined): boolean {
  if (estimate === undefined) return true;
  return estimate.characters > 0 || estimate.atLeast || Boolean(estimate.seconds);
}

/** The leader of a tree writes the lock, also for the jobs of workers. Read at each call: a worker may become the leader. */
function whereLeading(workspace: Workspace, lock: JobsOfLock): JobsOfLock {
  return {
    publishing: async (job) => {
      if (leads(workspace)) await lock.publishing(job);
    },
    settled: (job) => {
      if (leads(workspace)) lock.settled(job);
    },
  };
}
