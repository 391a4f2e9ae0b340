/** The queue of a tree with several daemons: all offers are in the database, and each daemon takes as many as it can run. */
import type { Clock } from '../clock.ts';
import { failureOf } from '../failure.ts';
import { type JobId, LANES, type Lane } from '../job.ts';
import type {
  Ended,
  OpenOffer,
  StoredOffer,
  TakenOffer,
  TreeOffers,
} from '../state/tree-offers.ts';
import type { Offer, OfferOutcome, Queue, Worker } from './queue.ts';

/** Milliseconds between two looks for offers of other daemons, and for jobs of daemons that died. */
const POLL_MS = 500;
/** Milliseconds between two looks for offers that become due: many of them become due one after the other. */
const DUE_GAP_MS = 50;
/** Looks at all offers may take one part in so many of the time. */
const LOOK_SHARE = 20;
/** Milliseconds until the next try while the database is away. */
const AWAY_MS = 1000;

export interface SharedOptions {
  readonly queues: TreeOffers;
  readonly worker: Worker;
  /** Jobs at a time in each lane, on this daemon. */
  readonly windows: Readonly<Record<Lane, number>>;
  readonly clock: Clock;
  /** `takesJobs` false: this daemon takes no job, and only looks at what others do. It may change at any time. */
  readonly runState: { readonly takesJobs: boolean };
  /** Called with the error that ends the queue. */
  onBroken(error: unknown): void;
}

/** An offer that waits: found by the last look, or made since. */
interface WaitingOffer {
  readonly lane: Lane;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/** Milliseconds that a daemon that ends goes on with texts: those that it bought are in the team's memory, so others place them without paying. */
const TEXTS_MS = 15_000;

export class SharedQueue implements Queue {
  readonly #options: SharedOptions;
  #windows: Readonly<Record<Lane, number>>;
  /** Offers and withdrawals on their way to the database. */
  #leaving = new Map<JobId, Offer | 'withdrawn'>();
  #ended: Ended[] = [];
  readonly #own = new Map<JobId, TakenOffer>();
  #waiting = new Map<JobId, WaitingOffer>();
  /** Jobs that other daemons run. */
  #elsewhere: ReadonlySet<JobId> = new Set();
  #nextDue: number | undefined;
  /** Number of callers that wait for a look. */
  #exact = 0;
  #looks = { at: Number.NEGATIVE_INFINITY, tookMs: 0 };
  /** False: the database may have given jobs to this daemon in an answer that was lost. */
  #isSure = true;
  #gaveBackAt = Number.NEGATIVE_INFINITY;
  readonly #stops = { texts: new AbortController(), others: new AbortController() };
  #alarm = new AbortController();
  #alarmedAt = Number.NEGATIVE_INFINITY;
  /** The step under way, and whether another one must follow. */
  #step: Promise<void> | undefined;
  #isAsked = false;
  #isTaking = true;
  #isClosed = false;
  #error: { readonly cause: unknown } | undefined;
  #settled = Promise.withResolvers<void>();

  constructor(options: SharedOptions) {
    this.#options = options;
    this.#windows = options.windows;
    this.#ask();
  }

  /** Only offers that this daemon may take up: none while it takes no jobs, and only those of its lanes. The rest waits for others. */
  get waiting(): number {
    if (!this.#options.runState.takesJobs) return 0;
    const own = this.#waiting.values().filter(({ lane }) => this.#windows[lane] > 0);
    return own.toArray().length;
  }

  get running(): number {
    return this.#own.size + this.#elsewhere.size;
  }

  get nextDue(): number | undefined {
    return this.#nextDue;
  }

  offer(offer: Offer): void {
    this.#leaving.set(offer.id, offer);
    this.#record(offer);
    this.#findNextDue();
    this.#ask();
  }

  has(id: JobId): boolean {
    return this.#waiting.has(id) || this.#own.has(id) || this.#elsewhere.has(id);
  }

  withdraw(id: JobId): void {
    this.#leaving.set(id, 'withdrawn');
    this.#waiting.delete(id);
    this.#findNextDue();
    this.#ask();
  }

  async idle(): Promise<void> {
    while (!(await this.#isIdle())) await this.#settled.promise;
    if (this.#error) throw this.#error.cause;
  }

  async drain(deadlineMs: number): Promise<void> {
    this.#isTaking = false;
    this.#alarm.abort();
    const over = new AbortController();
    const stop = (stopped: AbortController, inMs: number) =>
      this.#options.clock.sleep(inMs, over.signal).then(
        () => stopped.abort(),
        () => {},
      );
    const { texts, others } = this.#stops;
    const stops = [stop(texts, Math.min(deadlineMs, TEXTS_MS)), stop(others, deadlineMs)];
    while (this.#own.size > 0) await this.#settled.promise;
    over.abort();
    await Promise.all(stops);
    await this.refresh();
    this.#wakeWaiting();
  }

  resize(windows: Readonly<Record<Lane, number>>): void {
    this.#windows = windows;
    this.#ask();
  }

  load(lanes: readonly Lane[]): { waiting: number; running: number } {
    const now = this.#options.clock.now();
    const isOf = ({ lane }: { readonly lane: Lane }) => lanes.includes(lane);
    const running = this.#own.values().filter(isOf).toArray().length;
    // An offer that waits although its lane has a free place here is on its way to another daemon.
    const full = lanes.filter((lane) => this.#freeSlots(lane) <= 0);
    const ready = this.#waiting.values().filter(({ lane, at }) => at <= now && full.includes(lane));
    return { waiting: ready.toArray().length, running };
  }

  /** Resolves when the database has all offers of this daemon, and this daemon knows all offers of the database. */
  async refresh(): Promise<void> {
    this.#exact += 1;
    // Waits for one step that began after this call, not until no step runs: while jobs end, there is always another step.
    await this.#step;
    this.#ask();
    await this.#step;
    this.#exact -= 1;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain(0);
    this.#isClosed = true;
    this.#alarm.abort();
    await this.#step;
    // If this fails, the database offers all jobs of a daemon that ends again.
    await this.#options.queues.giveBack([]).catch(() => {});
  }

  #record({ id, lane, notBefore }: Offer): void {
    this.#waiting.set(id, { lane, at: notBefore ?? this.#options.clock.now() });
  }

  #findNextDue(): void {
    const now = this.#options.clock.now();
    let next: number | undefined;
    for (const { at } of this.#waiting.values()) {
      if (at > now && (next === undefined || at < next)) next = at;
    }
    this.#nextDue = next;
  }

  #ask(): void {
    this.#isAsked = true;
    if (this.#isClosed || this.#step !== undefined) return;
    this.#alarm.abort();
    this.#step = this.#exchangeWithDatabase().finally(() => {
      this.#step = undefined;
      if (this.#isAsked && !this.#isClosed) this.#ask();
    });
  }

  async #exchangeWithDatabase(): Promise<void> {
    // Offers that are made one after the other are sent together.
    await Promise.resolve();
    let waitMs: number | undefined;
    this.#isAsked = false;
    try {
      await this.#flush();
      await this.#giveBack();
      if (this.#takes) await this.#take();
      await this.#look();
    } catch (error) {
      if (isAway(error)) waitMs = AWAY_MS;
      else this.#break(error);
    }
    this.#wakeWaiting();
    this.#setAlarm(waitMs);
  }

  async #flush(): Promise<void> {
    const { queues, clock } = this.#options;
    const [leaving, ended] = [this.#leaving, this.#ended];
    [this.#leaving, this.#ended] = [new Map(), []];
    try {
      if (ended.length > 0) await queues.end(ended);
      const now = clock.now();
      const withdrawn = [...leaving].filter(([, word]) => word === 'withdrawn').map(([id]) => id);
      if (withdrawn.length > 0) await queues.withdraw(withdrawn);
      const offers = leaving.values().filter((word) => word !== 'withdrawn');
      const stored = offers.map((offer) => storedAt(offer, now)).toArray();
      if (stored.length > 0) await queues.offer(stored);
    } catch (error) {
      // It does no harm to send them twice.
      this.#leaving = new Map([...leaving, ...this.#leaving]);
      this.#ended = [...ended, ...this.#ended];
      throw error;
    }
  }

  /** Gives back the jobs of daemons that died; and, after a lost answer, jobs that this daemon has without knowing it. */
  async #giveBack(): Promise<void> {
    const began = performance.now();
    if (this.#isSure && began - this.#gaveBackAt < POLL_MS) return;
    const ended = this.#ended.map(({ taken }) => taken);
    const known = this.#isSure ? 'all' : [...this.#own.values(), ...ended];
    await this.#options.queues.giveBack(known);
    this.#isSure = true;
    this.#gaveBackAt = began;
  }

  async #take(): Promise<void> {
    const slots = new Map(LANES.map((lane) => [lane, this.#freeSlots(lane)]));
    this.#isSure = false;
    const offers = await this.#options.queues.take(slots);
    this.#isSure = true;
    for (const taken of offers) {
      this.#own.set(taken.id, taken);
      this.#waiting.delete(taken.id);
      void this.#run(taken);
    }
  }

  #freeSlots(lane: Lane): number {
    const own = this.#own.values().filter((offer) => offer.lane === lane);
    return this.#windows[lane] - own.toArray().length;
  }

  async #run(taken: TakenOffer): Promise<void> {
    const { id, lane, priority } = taken;
    let outcome: OfferOutcome = { kind: 'over' };
    try {
      outcome = await this.#options.worker({ id, lane, priority }, this.#stopOf(lane));
    } catch (cause) {
      // This daemon ends, for example because its state folder is full: another one runs the job.
      outcome = { kind: 'not-taken' };
      this.#break(cause);
    }
    // The settlement may have ended the offer already, and this daemon may have taken a new offer of the job.
    if (this.#own.get(id) === taken) this.#own.delete(id);
    const again = this.#againOf(lane, outcome);
    this.#ended.push({ taken, ...again });
    if (again.againInMs !== undefined && !this.#leaving.has(id)) {
      this.#waiting.set(id, { lane, at: this.#options.clock.now() + again.againInMs });
      this.#findNextDue();
    }
    this.#wakeWaiting();
    this.#ask();
  }

  /** A job that was aborted or not taken up may run in another daemon at once. */
  #againOf(lane: Lane, outcome: OfferOutcome): Pick<Ended, 'againInMs'> {
    if (outcome.kind === 'again') {
      return { againInMs: outcome.notBefore - this.#options.clock.now() };
    }
    return this.#stopOf(lane).aborted || outcome.kind === 'not-taken' ? { againInMs: 0 } : {};
  }

  #stopOf(lane: Lane): AbortSignal {
    const { texts, others } = this.#stops;
    return (lane === 'text' || lane === 'subtitle' ? texts : others).signal;
  }

  async #look(): Promise<void> {
    const { at, tookMs } = this.#looks;
    const began = performance.now();
    if (this.#exact === 0 && began - at < tookMs * LOOK_SHARE) return;
    const offers = await this.#options.queues.open();
    const now = this.#options.clock.now();
    this.#looks = { at: began, tookMs: performance.now() - began };
    this.#waiting = new Map(
      offers
        .filter(({ isRunning }) => !isRunning)
        .map(({ id, lane, inMs }) => [id, { lane, at: now + inMs }]),
    );
    // Offers and withdrawals that were made here since are newer.
    for (const [id, word] of this.#leaving) {
      if (word === 'withdrawn') this.#waiting.delete(id);
      else this.#record(word);
    }
    this.#elsewhere = this.#runningElsewhere(offers);
    this.#findNextDue();
  }

  #runningElsewhere(offers: readonly OpenOffer[]): ReadonlySet<JobId> {
    const ended = new Set(this.#ended.map(({ taken }) => taken.id));
    const running = offers.filter(({ isRunning }) => isRunning).map(({ id }) => id);
    return new Set(running.filter((id) => !this.#own.has(id) && !ended.has(id)));
  }

  #setAlarm(waitMs?: number): void {
    if (this.#isClosed || !this.#isTaking || this.#isAsked || this.#error) return;
    const { clock } = this.#options;
    const now = clock.now();
    const due = Math.max(this.#nextDue ?? Number.POSITIVE_INFINITY, this.#alarmedAt + DUE_GAP_MS);
    const at = waitMs === undefined ? Math.min(due, now + POLL_MS) : now + waitMs;
    this.#alarm = new AbortController();
    clock.sleep(Math.max(0, at - now), this.#alarm.signal).then(
      () => {
        this.#alarmedAt = clock.now();
        this.#ask();
      },
      () => {},
    );
  }

  #break(cause: unknown): void {
    this.#error ??= { cause };
    this.#options.onBroken(cause);
    this.#isTaking = false;
    this.#wakeWaiting();
  }

  get #takes(): boolean {
    return this.#isTaking && this.#options.runState.takesJobs;
  }

  /** Asks the database: other daemons may have offered jobs. */
  async #isIdle(): Promise<boolean> {
    const rests = () =>
      this.#own.size === 0 &&
      (!this.#takes || this.#waiting.size + this.#elsewhere.size + this.#ended.length === 0);
    if (!rests()) return false;
    if (this.#takes) await this.refresh();
    return rests();
  }

  #wakeWaiting(): void {
    this.#settled.resolve();
    this.#settled = Promise.withResolvers();
  }
}

function storedAt({ id, lane, notBefore, priority = 0 }: Offer, now: number): StoredOffer {
  return { id, lane, priority, inMs: (notBefore ?? now) - now };
}

function isAway(error: unknown): boolean {
  const failure = failureOf(error);
  return failure.kind === 'team-state' && failure.problem === 'away';
}
