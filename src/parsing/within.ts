/** Ends a computation on this thread that takes too long: an endless loop or a catastrophic expression, in whatever library. */
import { Script } from 'node:vm';

/** A computation was ended because it took longer than this. */
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
// Only a script has a time limit, and all that a script sees of us is the global object.
const script = new Script('globalThis[Symbol.for("dragoman.work")]()');

/**
 * Runs pure work; what it left half done must belong to it alone. One call costs 0.25 ms: one for a file, not for a text.
 * @throws TookTooLong; what the work throws
 */
export function within<T>(ms: number, work: () => T): T {
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
