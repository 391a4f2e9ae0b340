/** The queue of one process. p-queue gives each lane its slots; one timer wakes the offers that wait for a time. */
import PQueue from 'p-queue';
import { type Clock, onwardClock } from '../clock.ts';
import { type JobId, LANES, type Lane } from '../job.ts';
import { DueTimes } from './due.ts';
import type { Offer, OfferOutcome, Queue, Worker } from './queue.ts';

// A timer stops while the machine sleeps, the clock does not: it is read at least this often.
const LONGEST_WAIT_MS = 60_000;

export interface InProcessOptions {
  readonly worker: Worker;
  /** Jobs at a time in each lane. */
  readonly windows: Readonly<Record<Lane, number>>;
  readonly clock: Clock;
}

export function inProcessQueue(options: InProcessOptions): Queue {
  return new LaneQueues(options);
}

/** `ready`: waits for a slot. `timed`: waits for its time. `again`: the job was offered again while it ran. */
interface QueueEntry {
  offer: Offer;
  phase: 'ready' | 'timed' | 'running';
  again?: Offer;
}

class LaneQueues implements Queue {
  readonly #worker: Worker;
  readonly #clock: Clock;
  readonly #onward: Clock;
  readonly #lanes: ReadonlyMap<Lane, PQueue>;
  readonly #entries = new Map<JobId, QueueEntry>();
  readonly #due = new DueTimes<JobId>();
  readonly #stop = new AbortController();
  #alarm: { readonly at: number; readonly off: AbortController } | undefined;
  #running = 0;
  #draining = false;
  #error: { readonly cause: unknown } | undefined;
  #settled = Promise.withResolvers<void>();

  constructor({ worker, windows, clock }: InProcessOptions) {
    this.#worker = worker;
    this.#clock = clock;
    this.#onward = onwardClock(clock);
    this.#lanes = new Map(LANES.map((lane) => [lane, new PQueue({ concurrency: windows[lane] })]));
  }

  get waiting(): number {
    return this.#entries.size - this.#running;
  }

  get running(): number {
    return this.#running;
  }

  get nextDue(): number | undefined {
    return this.#due.next;
  }

  offer(offer: Offer): void {
    const known = this.#entries.get(offer.id);
    if (known?.phase === 'running') known.again = offer;
    else if (known?.phase === 'ready' && !this.#isEarly(offer)) known.offer = offer;
    else this.#place(offer);
  }

  has(id: JobId): boolean {
    return this.#entries.has(id);
  }

  withdraw(id: JobId): void {
    const entry = this.#entries.get(id);
    if (!entry) return;
    delete entry.again;
    if (entry.phase === 'running') return;
    this.#due.delete(id);
    this.#entries.delete(id);
    this.#settleIfIdle();
  }

  async idle(): Promise<void> {
    while (!this.#isIdle()) await this.#settled.promise;
    if (this.#error) throw this.#error.cause;
  }

  async drain(deadlineMs: number): Promise<void> {
    this.#close();
    const timer = new AbortController();
    const deadline = this.#clock.sleep(deadlineMs, timer.signal).then(
      () => this.#stop.abort(),
      () => {},
    );
    while (this.#running > 0) await this.#settled.promise;
    timer.abort();
    await deadline;
  }

  resize(windows: Readonly<Record<Lane, number>>): void {
    for (const [lane, queue] of this.#lanes) queue.concurrency = windows[lane];
  }

  load(lanes: readonly Lane[]): { waiting: number; running: number } {
    const queues = lanes.flatMap((lane) => this.#lanes.get(lane) ?? []);
    return {
      waiting: queues.reduce((sum, { size }) => sum + size, 0),
      running: queues.reduce((sum, { pending }) => sum + pending, 0),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.drain(0);
  }

  #place(offer: Offer): void {
    this.#due.delete(offer.id);
    if (this.#isEarly(offer)) {
      this.#entries.set(offer.id, { offer, phase: 'timed' });
      this.#due.set(offer.id, this.#onward.now() + offer.notBefore - this.#clock.now());
      this.#setAlarm();
    } else {
      this.#entries.set(offer.id, { offer, phase: 'ready' });
      this.#enqueue(offer);
    }
  }

  #isEarly(offer: Offer): offer is Offer & { readonly notBefore: number } {
    return offer.notBefore !== undefined && offer.notBefore > this.#clock.now();
  }

  // p-queue runs the greatest priority first. A task does nothing when its offer was withdrawn or got a later time.
  #enqueue({ id, lane, priority = 0 }: Offer): void {
    const queue = this.#lanes.get(lane);
    void queue?.add(() => this.#run(id), { priority: -priority });
  }

  async #run(id: JobId): Promise<void> {
    const entry = this.#entries.get(id);
    if (this.#draining || entry?.phase !== 'ready') return;
    entry.phase = 'running';
    this.#running++;
    try {
      const outcome = await this.#worker(entry.offer, this.#stop.signal);
      this.#running--;
      this.#placeAgain(entry, outcome);
    } catch (cause) {
      this.#running--;
      this.#entries.delete(id);
      this.#error ??= { cause };
      this.#close();
    }
    this.#settleIfIdle();
  }

  /** An offer that came while the job ran is newer than the outcome of its run. */
  #placeAgain({ offer, again }: QueueEntry, outcome: OfferOutcome): void {
    this.#entries.delete(offer.id);
    if (again) this.#place(again);
    else if (outcome.kind === 'again') this.#place({ ...offer, notBefore: outcome.notBefore });
  }

  #setAlarm(): void {
    const at = this.#due.next;
    if (at === undefined || this.#draining || (this.#alarm && this.#alarm.at <= at)) return;
    this.#alarm?.off.abort();
    const alarm = { at, off: new AbortController() };
    this.#alarm = alarm;
    const wait = Math.min(LONGEST_WAIT_MS, Math.max(0, at - this.#onward.now()));
    this.#onward.sleep(wait, alarm.off.signal).then(
      () => this.#wake(),
      () => {},
    );
  }

  #wake(): void {
    this.#alarm = undefined;
    for (const id of this.#due.take(this.#onward.now())) {
      const entry = this.#entries.get(id);
      if (!entry) continue;
      entry.phase = 'ready';
      this.#enqueue(entry.offer);
    }
    this.#setAlarm();
  }

  #close(): void {
    this.#draining = true;
    this.#alarm?.off.abort();
    for (const queue of this.#lanes.values()) queue.pause();
    this.#settleIfIdle();
  }

  #isIdle(): boolean {
    return this.#running === 0 && (this.#draining || this.#entries.size === 0);
  }

  #settleIfIdle(): void {
    if (!this.#isIdle()) return;
    this.#settled.resolve();
    this.#settled = Promise.withResolvers();
  }
}
