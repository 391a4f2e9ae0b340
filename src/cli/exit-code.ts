/** Which exit code an error or a set of outcomes deserves: the first that applies of 78, 77, 69, 75, 1, 2, 0. */
import { type Failure, JobFailure } from '../failure.ts';
import { StateLocked } from '../files/exclusive.ts';
import type { ExitCode } from './command.ts';

const PRECEDENCE: readonly ExitCode[] = [78, 77, 69, 75, 1, 2, 0];

export function exitCodeFor(error: unknown): ExitCode {
  if (error instanceof StateLocked) return 75;
  return error instanceof JobFailure ? exitCodeOfFailure(error.failure) : 1;
}

export function exitCodeOfFailure(failure: Failure): ExitCode {
  switch (failure.kind) {
    case 'damaged-state':
      return 78;
    case 'key-missing':
    case 'key-refused':
      return 77;
    case 'unreachable':
      return 69;
    case 'quota-exceeded':
      return failure.scope === 'account' ? 75 : 1;
    case 'forbidden':
    case 'throttled':
    case 'server-error':
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
    case 'disk-full':
    case 'changed-meanwhile':
    case 'stopped':
    case 'internal':
      return 1;
  }
}

/** The gravest of several codes. */
export function gravest(codes: Iterable<ExitCode>): ExitCode {
  const present = new Set(codes);
  return PRECEDENCE.find((code) => present.has(code)) ?? 0;
}
