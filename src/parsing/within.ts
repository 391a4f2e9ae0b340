/** Ends a computation on this thread that takes too long, such as an endless loop or a slow regular expression in a library. */
import { Script } from 'node:vm';

/** A computation was ended because it took longer than `ms`. */
export class TookTooLong extends Error {
  override readonly name = 'TookTooLong';
  readonly ms: number;

  constructor(ms: number) {
    super(`took longer than ${secondsOf(ms)}`);
    this.ms = ms;
  }
}

export function secondsOf(ms: number): string {
  return `${Math.ceil(ms / 100) / 10} s`;
}

const WORK = Symbol.for('dragoman.work');
const place = globalThis as { [WORK]?: () => void };
// Only a script has a time limit, and it can reach our code only through the global object.
const script = new Script('globalThis[Symbol.for("dragoman.work")]()');

/**
 * Runs pure work with a time limit. The work may be ended at any point, so it must not leave shared data half changed. One call costs 0.15
 * ms, since Node starts a thread for it: for many small files use `withinTurn`. Work that was ended because the process was suspended, or other
 * processes had the processor, starts again.
 * @throws TookTooLong; what the work throws
 */
export function within<T>(ms: number, work: () => T): T {
  for (let starved = 0; ; starved += 1) {
    const computed = computedMs();
    try {
      return onceWithin(ms, work);
    } catch (error) {
      if (!isStarved(error, { ms, computed }) || starved === STARVED_MOST) throw error;
    }
  }
}

/** @param computed processor time when the work began, in milliseconds */
function isStarved(
  error: unknown,
  { ms, computed }: { readonly ms: number; readonly computed: number },
): boolean {
  return error instanceof TookTooLong && computedMs() - computed < ms / 2;
}

function onceWithin<T>(ms: number, work: () => T): T {
  let result: { readonly value: T } | undefined;
  const before = place[WORK];
  place[WORK] = () => {
    result = { value: work() };
  };
  try {
    script.runInThisContext({ timeout: ms });
  } catch (error) {
    throw isTimeout(error) ? new TookTooLong(ms) : error;
  } finally {
    if (before === undefined) delete place[WORK];
    else place[WORK] = before;
  }
  if (result === undefined) throw new TookTooLong(ms);
  return result.value;
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

/** Runs work that grows with the files, and ends it at a time limit. */
export type Limited = <T>(work: () => T) => Promise<T>;

interface WaitingWork {
  readonly ms: number;
  /** How often it was ended because other processes had the processor. */
  starved: number;
  readonly work: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

type WorkOutcome =
  | { readonly kind: 'done'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

let waiting: WaitingWork[] = [];

/** Milliseconds after which no further work starts under the same limit, so that slow work has most of the limit for itself. */
const SHARED_MS = 10;
/** How often work is started again after other processes took its time. */
const STARVED_MOST = 3;

/**
 * Like `within`, but at the end of this turn of the event loop, together with all other work that waits. The limit needs one thread per
 * turn: with one per piece of work, starting threads took 40 % of the time for small files. The limit is wall-clock time. Work that got
 * less than half of it as processor time, because other processes had the rest, starts again in another turn.
 */
export function withinTurn<T>(ms: number, work: () => T): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    if (waiting.length === 0) setImmediate(runWaiting);
    waiting.push({ ms, starved: 0, work, resolve, reject });
  });
}

/** Files of one batch of `inBatches`: their readings share some turns, and no more of them are in memory. */
const BATCH = 64;

/**
 * Work on many files, 64 at a time. One after the other, each of their readings would have a limit of its own: a plan of 2,000 files took
 * twice the processor time.
 * @param work gets a promise that resolves when the work on all items before has ended, also where it fails: for what must keep the order
 * @returns the results of each batch, in the order of the items
 */
export async function* inBatches<Item, Result>(
  items: readonly Item[],
  work: (item: Item, before: Promise<void>) => Promise<Result>,
): AsyncGenerator<readonly Result[]> {
  for (let from = 0; from < items.length; from += BATCH) {
    let before = Promise.resolve();
    const batch = items.slice(from, from + BATCH).map((item) => {
      const result = work(item, before);
      // The work on this item may end before that on an earlier one.
      before = Promise.allSettled([before, result]).then(() => {});
      return result;
    });
    yield await Promise.all(batch);
  }
}

function runWaiting(): void {
  const batch = waiting;
  const outcomes = outcomesOf(batch);
  waiting = batch.slice(outcomes.length);
  if (waiting.length > 0) setImmediate(runWaiting);
  for (const [nth, outcome] of outcomes.entries()) {
    if (outcome.kind === 'done') batch[nth]?.resolve(outcome.value as never);
    else batch[nth]?.reject(outcome.error);
  }
}

/** Runs the first pieces of work: as many as a turn has time for, and at least one. */
function outcomesOf(batch: readonly WaitingWork[]): WorkOutcome[] {
  const outcomes: WorkOutcome[] = [];
  const until = performance.now() + SHARED_MS;
  const ms = Math.min(...batch.map((each) => each.ms));
  const computed = computedMs();
  try {
    onceWithin(ms, () => {
      for (const { work } of batch) {
        if (outcomes.length > 0 && performance.now() > until) return;
        outcomes.push(workOutcome(work));
      }
    });
  } catch (error) {
    // The piece that was running. The work before it has its outcomes; the work behind it waits for the next turn.
    const last = batch[outcomes.length];
    const isAgain = isStarved(error, { ms, computed }) && (last?.starved ?? 0) < STARVED_MOST;
    if (last !== undefined && isAgain) last.starved += 1;
    else outcomes.push({ kind: 'failed', error });
  }
  return outcomes;
}

function workOutcome(work: () => unknown): WorkOutcome {
  try {
    return { kind: 'done', value: work() };
  } catch (error) {
    return { kind: 'failed', error };
  }
}

/** Processor time of all threads of this process, in milliseconds. */
export function computedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
