/** Time as a parameter, so that tests own it. The only file that reads the machine's clock or sets timers for waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after `ms` milliseconds; rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(ms, signal) {
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
  },
};

export const DAY_MS = 86_400_000;

/** ISO 8601 in UTC, as the ledger and the API write time. */
export function isoTime(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Cuts synchronous work into turns, so that it never keeps the event loop for long. */
export interface Turns {
  /** Whether the turn has lasted long enough. */
  over(): boolean;
  /** Lets everything else run, then begins another turn. */
  next(): Promise<void>;
  /** Milliseconds spent in turns until now, without what ran between them. */
  spent(): number;
}

/** @param ms how long a turn lasts */
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

/** Work in small steps: whoever runs it lets others have their turn between two of them. */
export type StepwiseWork<T> = Generator<undefined, T, undefined>;

/** Runs all steps without a pause: on a thread, and for small work. */
export function allSteps<T>(steps: StepwiseWork<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Runs the steps in turns. */
export async function stepsInTurns<T>(steps: StepwiseWork<T>, turns: Turns): Promise<T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (turns.over()) await turns.next();
  }
}
