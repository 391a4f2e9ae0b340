/** When the same request is sent again. Pure. */
import type { Failure } from '../failure.ts';

/** How many times the same work is tried before a job fails; waiting for an unreachable service is not counted. */
export const MAX_ATTEMPTS = 5;
const MAX_RETRY_AFTER_MS = 120_000;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

/**
 * The whole retry policy: milliseconds until the next attempt, or undefined when the failure is final.
 * Retry-After wins, capped at 120 s; else full jitter over an exponential ceiling.
 * An unanswered billing call is not retried here: who pays decides.
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
    // It waits for a person, not for another attempt: see `execution`.
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
