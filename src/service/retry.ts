/** When a request is sent again. Pure. */
import type { Failure } from '../failure.ts';
import type { Call } from './call.ts';

/** Attempts before a request or a job fails; waiting for an unreachable service does not count. */
export const MAX_ATTEMPTS = 5;
/** Milliseconds of a Retry-After that are waited at most. */
export const MAX_RETRY_AFTER_MS = 120_000;
const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

export interface FailedAttempt {
  /** 1 after the first failure. */
  readonly attempt: number;
  /** In [0, 1). */
  readonly random: number;
  readonly call: Pick<Call<unknown>, 'upload' | 'repeat'>;
}

/**
 * The whole retry policy of requests: milliseconds until the next attempt, or undefined when the failure is final. Retry-After is obeyed, at
 * most 120 s; otherwise full jitter below an exponential limit.
 */
export function retryDelay(
  failure: Failure,
  { attempt, random, call }: FailedAttempt,
): number | undefined {
  switch (failure.kind) {
    case 'throttled':
      return askedDelay(failure) ?? backoff(attempt, random);
    case 'server-error':
      if (attempt >= MAX_ATTEMPTS) return undefined;
      return askedDelay(failure) ?? backoff(attempt, random);
    case 'quota-exceeded':
      if (failure.scope === 'account') return undefined;
      return askedDelay(failure) ?? backoff(attempt, random);
    case 'unreachable':
      // Each repeated upload sends the whole file again, so the number is limited; the job tries again later.
      if (call.upload !== undefined && attempt >= MAX_ATTEMPTS) return undefined;
      return backoff(attempt, random);
    case 'unanswered':
      // A call that may bill is not repeated here: the payer decides.
      if (call.repeat === 'once' || attempt >= MAX_ATTEMPTS) return undefined;
      return backoff(attempt, random);
    // The job decides about an error of a body or sink: a file that changed, a full disk.
    case 'changed-meanwhile':
    case 'disk-full':
    case 'unreadable':
    case 'unwritable':
    case 'key-missing':
    case 'key-refused':
    case 'forbidden':
    case 'rejected':
    case 'too-large':
    case 'not-found':
    case 'bad-answer':
    case 'invalid-request':
    case 'unsupported':
    case 'malformed':
    case 'team-state':
    case 'damaged-state':
    case 'state-unwritable':
    case 'program-silent':
    case 'stopped':
    case 'internal':
      return undefined;
  }
}

function askedDelay({
  retryAfterMs,
}: {
  readonly retryAfterMs?: number | undefined;
}): number | undefined {
  return retryAfterMs === undefined ? undefined : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}

/** Milliseconds until the next attempt: full jitter below an exponential limit. */
export function backoff(attempt: number, random: number): number {
  return Math.ceil(random * Math.min(MAX_DELAY_MS, BASE_DELAY_MS * 2 ** attempt));
}
