/**
 * The time of jobs is a parameter, so that tests control it. Only limits of threads, pipes and foreign programs use the timers of Node
 * directly.
 */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
    let left = ms;
    for (; left > LONGEST_TIMER_MS; left -= LONGEST_TIMER_MS) await wait(LONGEST_TIMER_MS, signal);
    await wait(left, signal);
  },
};

/** The longest wait of `setTimeout`, about 25 days: it ends a longer one at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

async function wait(ms: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = () => {
    clearTimeout(timer);
    reject(signal?.reason);
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener('abort', stop);
    resolve();
  }, ms);
  signal?.addEventListener('abort', stop, { once: true });
  await promise;
}

/** The clock of a machine, set by another one: the daemons of a tree have one time. */
export class SetClock implements Clock {
  readonly #machine: Clock;
  #aheadMs = 0;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  now(): number {
    return this.#machine.now() + this.#aheadMs;
  }

  async sleep(...asked: Parameters<Clock['sleep']>): Promise<void> {
    await this.#machine.sleep(...asked);
  }

  /** @param ms milliseconds that the other clock is ahead of this one */
  setForward(ms: number): void {
    this.#aheadMs += ms;
  }
}

/**
 * The time for waits. The clock may be set back, by NTP or with a virtual machine. Then this time goes on from the one that was read last,
 * so a wait lasts as long as it was meant to.
 */
export class OnwardTime {
  readonly #clock: Pick<Clock, 'now'>;
  #last = Number.NEGATIVE_INFINITY;
  #aheadMs = 0;

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  now(): number {
    const now = this.#clock.now();
    this.#aheadMs = Math.max(this.#aheadMs, this.#last - now);
    this.#last = now + this.#aheadMs;
    return this.#last;
  }

  /** Says what the time is at least, because somebody slept until then. Timers end a moment too early or too late. */
  reach(time: number): void {
    const missing = time - this.now();
    if (missing > TIMER_MS) this.#aheadMs += missing;
  }
}

const TIMER_MS = 1000;

/** The clock with a time for waits. */
export function onwardClock(clock: Clock): Clock {
  const time = new OnwardTime(clock);
  return {
    now: () => time.now(),
    async sleep(ms, signal) {
      const end = time.now() + ms;
      await clock.sleep(ms, signal);
      time.reach(end);
    },
  };
}

/**
 * Whether a stored time is reached, by a wait that lasts at most `longestMs`. A time that is further away was stored before the clock was
 * set back: nobody waits for it.
 */
export function isReached(
  time: number,
  { now, longestMs }: { readonly now: number; readonly longestMs: number },
): boolean {
  return time <= now || time - now > longestMs;
}

/** Resolves when the signal is aborted; at once when it is already. */
export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
}

/** The result of some work; rejects with the signal's reason when it is aborted before. The work itself goes on. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const stop = () => reject(signal.reason);
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

export const DAY_MS = 86_400_000;

/** ISO 8601 in UTC, as the ledger and the API write time. */
export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Cuts synchronous work into turns, so that it never blocks the event loop for long. */
export interface Turns {
  /** True when the turn has used up its time. */
  over(): boolean;
  /** Lets other work run, then begins another turn. */
  next(): Promise<void>;
  /** Milliseconds spent in turns until now, without the time between them. */
  spent(): number;
}

/** @param ms milliseconds that a turn lasts */
export function turnsOf(ms: number): Turns {
  let began = performance.now();
  let before = 0;
  const lasted = () => performance.now() - began;
  return {
    over: () => lasted() > ms,
    async next() {
      before += lasted();
      await new Promise((resolve) => setImmediate(resolve));
      began = performance.now();
    },
    spent: () => before + lasted(),
  };
}

/** Work in small steps. Its caller may let other work run between two steps. */
export type StepwiseWork<T> = Generator<undefined, T, undefined>;

/** Runs all steps without a pause: for a worker thread, and for small work. */
export function allSteps<T>(steps: StepwiseWork<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps, and lets other work run when a turn is over. */
export async function stepsInTurns<T>(steps: StepwiseWork<T>, turns: Turns): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (turns.over()) await turns.next();
  }
}
