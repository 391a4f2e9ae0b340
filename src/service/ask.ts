/** The only way to the service: a call waits for its turn, is sent, and is sent again if that cannot bill twice. */
import * as z from 'zod';
import { type Failure, failureOf, JobFailure } from '../failure.ts';
import { type AttemptParts, attemptOnce } from './attempt.ts';
import type { Ask, Call } from './call.ts';
import { retryDelay } from './retry.ts';
import { Milliseconds, requireShape, Signal } from './shape.ts';

export interface AskParts extends AttemptParts {
  readonly random: () => number;
  /** Milliseconds after which a call gives up when the service does not answer, or refuses all calls of its kind. */
  readonly patienceMs: number;
  /** When it fires, no call is tried again: those that wait, for their turn or for another try, reject with `stopped`. */
  readonly retriesEnd: AbortSignal;
}

/** Milliseconds that a glossary or style request waits for its turn; the job tries again later. */
const GLOSSARY_PATIENCE_MS = 120_000;

const OPTIONS_SHAPE = z.looseObject({
  patienceMs: Milliseconds.optional(),
  signal: Signal.optional(),
  waiting: Signal.optional(),
});

const NEVER = new AbortController().signal;

export function makeAsk(parts: AskParts): Ask {
  return async (call, options = {}) => {
    const { operation } = call;
    requireShape(options, { operation, shape: OPTIONS_SHAPE, name: 'options' });
    const { signal = NEVER, waiting = NEVER, patienceMs = parts.patienceMs } = options;
    const { retriesEnd } = parts;
    // A call that begins later has its first try, where the service has not asked to wait.
    const noTry = retriesEnd.aborted ? parts.pace.pauseOf(call.traffic) : retriesEnd;
    const first = AbortSignal.any([signal, waiting, noTry]);
    const again = AbortSignal.any([signal, waiting, retriesEnd]);
    const since = parts.clock.now();
    for (let attempt = 1; ; attempt += 1) {
      try {
        const isAgain = attempt > 1;
        const turn = { signal, waiting: isAgain ? again : first, again: isAgain };
        return await attemptInTurn(parts, call, turn);
      } catch (error) {
        const failure = failureOf(error);
        const waitMs = retryDelay(failure, { attempt, call, random: parts.random() });
        if (waitMs === undefined) throw error;
        if (isPatienceOver(parts, { call, failure, waitMs, since, patienceMs })) throw error;
        await waitTurn(parts, { call, failure, waitMs, signal: again });
      }
    }
  };
}

async function attemptInTurn<T>(
  parts: AskParts,
  call: Call<T>,
  { signal, waiting, again }: { signal: AbortSignal; waiting: AbortSignal; again: boolean },
): Promise<T> {
  try {
    return await parts.pace.run(call.traffic, () => attemptOnce(parts, call, signal), {
      signal: waiting,
      again,
    });
  } catch (error) {
    const isOver = waiting.aborted || parts.pace.closed.aborted;
    if (error instanceof JobFailure || !isOver) throw error;
    throw new JobFailure({ kind: 'stopped' }, { cause: error });
  }
}

interface FailedCall {
  readonly call: Call<unknown>;
  readonly failure: Failure;
  /** Milliseconds until the next try. */
  readonly waitMs: number;
  /** Milliseconds since the epoch at which the call was made. */
  readonly since: number;
  readonly patienceMs: number;
}

/**
 * Whether to give up. A service that cannot be reached is given up when the next wait would exceed the patience. If the service asks to
 * wait, the call waits once more, at most 120 s. While other calls of the kind succeed, this call continues to wait for its turn.
 */
function isPatienceOver({ clock, pace }: AskParts, waiting: FailedCall): boolean {
  const { call, failure, waitMs, since, patienceMs } = waiting;
  switch (failure.kind) {
    case 'quota-exceeded':
      return clock.now() - since >= Math.min(patienceMs, GLOSSARY_PATIENCE_MS);
    case 'throttled':
    case 'server-error':
      return clock.now() - Math.max(since, pace.passedAt(call.traffic)) >= patienceMs;
    default:
      return clock.now() + waitMs - since > patienceMs;
  }
}

interface Wait {
  readonly call: Call<unknown>;
  readonly failure: Failure;
  readonly waitMs: number;
  readonly signal: AbortSignal;
}

async function waitTurn({ pace, contact, clock, emit }: AskParts, wait: Wait): Promise<void> {
  const { call, failure, waitMs, signal } = wait;
  contact.repeats(failure);
  emit({ kind: 'request-repeated', operation: call.operation, failure, inMs: waitMs });
  if (failure.kind === 'throttled' || failure.kind === 'quota-exceeded') {
    emit({ kind: 'throttled', operation: call.operation, waitMs });
    // Asset hosts do not know the key, so their refusals delay only this call.
    if (call.traffic !== 'assets') return pace.throttled(call.traffic, waitMs);
  }
  try {
    await clock.sleep(waitMs, AbortSignal.any([signal, pace.closed]));
  } catch (error) {
    throw new JobFailure({ kind: 'stopped' }, { cause: error });
  }
}
