/** Whether an upload that failed may have been billed. Pure. */
import type { Failure } from '../../../failure.ts';

/**
 * What a failure says about an upload whose last bytes were on their way: `no` when the service refused it or never had it
 * whole, `maybe` when it may have been accepted, `unknown` when we stopped waiting.
 */
export function mayHaveBilled(failure: Failure): 'no' | 'maybe' | 'unknown' {
  switch (failure.kind) {
    case 'stopped':
      return 'unknown';
    case 'unanswered':
    case 'bad-answer':
    case 'internal':
      return 'maybe';
    case 'key-refused':
    case 'forbidden':
    case 'quota-exceeded':
    case 'throttled':
    case 'server-error':
    case 'rejected':
    case 'too-large':
    case 'not-found':
    case 'unreachable':
    case 'key-missing':
    case 'invalid-request':
    case 'unsupported':
    case 'malformed':
    case 'unreadable':
    case 'unwritable':
    case 'disk-full':
    case 'changed-meanwhile':
    case 'damaged-state':
    case 'state-unwritable':
    case 'team-state':
      return 'no';
  }
}
