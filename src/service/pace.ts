/** The pace of requests: queues that limit them, one pause for the whole key, and a concurrency that adapts to refusals. */
import PQueue from 'p-queue';
import type { Clock } from '../clock.ts';
import { LANGUAGE_RESOURCES } from '../language.ts';
import type { Rate } from './rate.ts';

/**
 * Kinds of requests with a pace of their own. `paid` work may bill. `control` is polls, lists and usage; its own queue keeps uploads from
 * delaying it. `glossaries` (and style rules) are slowed down separately. `transfers` fetch results. `assets` are voice uploads and
 * downloads at hosts that do not know the key, so pauses of the key do not apply to them.
 */
export type Traffic = 'paid' | 'control' | 'glossaries' | 'transfers' | 'assets';

export interface PaceOptions {
  readonly clock: Clock;
  /** Upper limit of paid requests at a time. */
  readonly concurrency: number;
  /** The rate of all queues together; absent: only refusals of the service slow the client down. */
  readonly rate?: Rate | undefined;
}

/** A first run asks for the languages of all resources before it buys: in one round. */
const CONTROL_CONCURRENCY = LANGUAGE_RESOURCES.length;
const GLOSSARY_CONCURRENCY = 2;
// Found by simulation (600 calls against 20 a second): 36 refusals, against 245 with the pause alone.
const SUCCESSES_PER_STEP = 20;

export class Pace {
  readonly #clock: Clock;
  readonly #limit: number;
  readonly #queues: Readonly<Record<Traffic, PQueue>>;
  readonly #rate: Rate | undefined;
  readonly #pausedUntil: Record<Traffic, number> = {
    paid: 0,
    control: 0,
    glossaries: 0,
    transfers: 0,
    assets: 0,
  };
  readonly #passedAt: Record<Traffic, number> = { ...NOTHING_PASSED };
  /** What `pauseOf` gave, until the pause is over. */
  readonly #pauses = new Map<Traffic, AbortController>();
  readonly #closed = new AbortController();
  #successes = 0;
  #cutAt = Number.NEGATIVE_INFINITY;

  constructor({ clock, concurrency, rate }: PaceOptions) {
    this.#clock = clock;
    this.#limit = concurrency;
    this.#queues = {
      paid: new PQueue({ concurrency }),
      control: new PQueue({ concurrency: CONTROL_CONCURRENCY }),
      glossaries: new PQueue({ concurrency: GLOSSARY_CONCURRENCY }),
      transfers: new PQueue({ concurrency }),
      assets: new PQueue({ concurrency }),
    };
    this.#rate = rate;
    rate?.onPause((ms) => this.#pause(OF_THE_KEY, ms));
  }

  /**
   * Runs one request when its turn comes. The signal ends only the waiting; a running task must obey it itself.
   * @throws the signal's reason when it fires while the task waits
   */
  async run<T>(
    traffic: Traffic,
    task: () => Promise<T>,
    { signal, again }: { signal: AbortSignal; again: boolean },
  ): Promise<T> {
    const waiting = new AbortController();
    const stop = () => waiting.abort(signal.reason);
    signal.throwIfAborted();
    this.#closed.signal.throwIfAborted();
    signal.addEventListener('abort', stop, { once: true });
    try {
      return await this.#queues[traffic].add(
        async () => {
          await this.#rate?.slot(waiting.signal);
          signal.removeEventListener('abort', stop);
          return task();
        },
        { signal: waiting.signal, priority: again ? 1 : 0 },
      );
    } finally {
      signal.removeEventListener('abort', stop);
    }
  }

  /** A signal that has fired while requests of this kind are paused, and that fires when the next pause begins. */
  pauseOf(traffic: Traffic): AbortSignal {
    const pause = this.#pauses.get(traffic) ?? new AbortController();
    this.#pauses.set(traffic, pause);
    if (this.#queues[traffic].isPaused) pause.abort();
    return pause.signal;
  }

  /** When the last request of this kind succeeded, in milliseconds since the epoch. */
  passedAt(traffic: Traffic): number {
    return this.#passedAt[traffic];
  }

  /** Notes a success: after enough of them, one more request may run at a time. */
  succeeded(traffic: Traffic): void {
    this.#passedAt[traffic] = this.#clock.now();
    const { paid } = this.#queues;
    if (traffic !== 'paid' || paid.concurrency >= this.#limit) return;
    this.#successes += 1;
    if (this.#successes < SUCCESSES_PER_STEP) return;
    this.#successes = 0;
    paid.concurrency += 1;
  }

  /**
   * The service asked to wait: no request of the key starts for `ms` milliseconds. A refused glossary or style request delays only requests
   * of that kind.
   */
  throttled(traffic: Traffic, ms: number): void {
    const held = traffic === 'glossaries' ? (['glossaries'] as const) : OF_THE_KEY;
    if (traffic !== 'glossaries') {
      this.#halveOncePer(ms);
      this.#rate?.pause(ms);
    }
    this.#pause(held, ms);
  }

  /** Until when the whole key waits, in milliseconds since the epoch; undefined when it does not wait. */
  get pausedUntil(): number | undefined {
    const until = this.#pausedUntil.paid;
    return until > this.#clock.now() ? until : undefined;
  }

  /** The number of paid requests that may run at a time now. */
  get concurrency(): number {
    return this.#queues.paid.concurrency;
  }

  /** Resolves when every request that may bill and was sent has its answer. */
  async answered(): Promise<void> {
    await Promise.all(MAY_BILL.map((traffic) => this.#queues[traffic].onPendingZero()));
  }

  /** Fires when the client is disposed: all waiting ends. */
  get closed(): AbortSignal {
    return this.#closed.signal;
  }

  /** Rejects everything that waits for its turn with an AbortError. */
  close(): void {
    this.#closed.abort();
    for (const queue of Object.values(this.#queues)) queue.clear();
  }

  // Concurrent requests are refused together, so the concurrency is halved once for all of them.
  #halveOncePer(ms: number): void {
    const now = this.#clock.now();
    if (now - this.#cutAt <= ms) return;
    this.#cutAt = now;
    this.#successes = 0;
    const { paid } = this.#queues;
    paid.concurrency = Math.max(1, Math.floor(paid.concurrency / 2));
  }

  #pause(held: readonly Traffic[], ms: number): void {
    const until = this.#clock.now() + ms;
    const later = held.filter((traffic) => until > this.#pausedUntil[traffic]);
    if (later.length === 0) return;
    for (const traffic of later) {
      this.#pausedUntil[traffic] = until;
      this.#queues[traffic].pause();
      this.#pauses.get(traffic)?.abort();
    }
    this.#clock.sleep(ms, this.#closed.signal).then(
      () => this.#start(later, until),
      () => undefined,
    );
  }

  #start(held: readonly Traffic[], until: number): void {
    for (const traffic of held) {
      if (this.#pausedUntil[traffic] !== until) continue;
      this.#pauses.delete(traffic);
      this.#queues[traffic].start();
    }
  }
}

const NOTHING_PASSED: Readonly<Record<Traffic, number>> = {
  paid: Number.NEGATIVE_INFINITY,
  control: Number.NEGATIVE_INFINITY,
  glossaries: Number.NEGATIVE_INFINITY,
  transfers: Number.NEGATIVE_INFINITY,
  assets: Number.NEGATIVE_INFINITY,
};

/** An uploaded recording is billed too. */
const MAY_BILL = ['paid', 'assets'] as const;
const OF_THE_KEY = ['paid', 'control', 'glossaries', 'transfers'] as const;
