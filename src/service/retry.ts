/** When a request is sent again. Pure. */
import type { Failure } from '../failure.ts';

/** Attempts before a job fails; waiting for an unreachable service does not count. */
export const MAX_ATTEMPTS = 5;
const MAX_RETRY_AFTER_MS = 120_000;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * The whole retry policy: milliseconds until the next attempt, or undefined when the failure is final. Retry-After is obeyed, at most 120
 * s; otherwise full jitter below an exponential limit. An unanswered call that may bill is not retried here: the payer decides.
 * @param attempt 1 after the first failure
 * @param random in [0, 1)
 */
export function retryDelay(failure: Failure, attempt: number, random: number): number | undefined {
  switch (failure.kind) {
    case 'throttled':
    case 'server-error':
    case 'quota-exceeded': {
      if (failure.kind === 'quota-exceeded' && failure.scope === 'account') return undefined;
      if (failure.kind === 'server-error' && attempt >= MAX_ATTEMPTS) return undefined;
      if (failure.retryAfterMs !== undefined) {
        return Math.min(failure.retryAfterMs, MAX_RETRY_AFTER_MS);
      }
      return jitter(attempt, random);
    }
    case 'team-state':
      return failure.problem === 'away' ? jitter(attempt, random) : undefined;
    case 'unreachable':
    case 'changed-meanwhile':
      return jitter(attempt, random);
    // It waits for a person, not for another attempt.
    case 'disk-full':
      return undefined;
    case 'key-missing':
    case 'key-refused':
    case 'forbidden':
    case 'rejected':
    case 'too-large':
    case 'not-found':
    case 'bad-answer':
    case 'unanswered':
    case 'invalid-request':
    case 'unsupported':
    case 'malformed':
    case 'unreadable':
    case 'unwritable':
    case 'damaged-state':
    case 'state-unwritable':
    case 'stopped':
    case 'internal':
      return undefined;
  }
}

function jitter(attempt: number, random: number): number {
  return Math.ceil(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt));
}
