/** Rules of a request that are checked before it is sent. */
import { JobFailure } from '../failure.ts';
import { parseLanguage } from '../language.ts';

export interface Constraint<R> {
  readonly parameter: string;
  /** Completes the sentence "parameter …". */
  readonly rule: string;
  readonly holds: (request: R) => boolean;
}

/** @throws JobFailure `invalid-request` for the first rule that does not hold */
export function requireConstraints<R>(
  request: R,
  { operation, constraints }: { operation: string; constraints: readonly Constraint<R>[] },
): void {
  for (const { parameter, rule, holds } of constraints) {
    if (!holds(request)) {
      throw new JobFailure({ kind: 'invalid-request', operation, parameter, rule });
    }
  }
}

/** Characters as the API counts them, for billing and for limits: Unicode code points (rule 8). */
export function totalCodePoints(texts: readonly string[]): number {
  let count = 0;
  for (const text of texts) for (const _ of text) count += 1;
  return count;
}

/** Whether a name or phrase is within a limit in UTF-8 bytes. */
export function fitsBytes(text: string, maxBytes: number): boolean {
  return Buffer.byteLength(text) <= maxBytes;
}

/** Whether a code is well-formed; the service decides which codes exist. */
export function isLanguage(code: string): boolean {
  return parseLanguage(code) !== undefined;
}
