/** Splits a request with more texts than it may hold into several, sends them one after another, and joins their results. */
import { type Failure, failureOf, JobFailure } from '../failure.ts';
import { encodedTextSize } from './text-request.ts';

/** The limits of one request. */
export interface RequestLimits {
  readonly texts: number;
  /** Bytes of JSON that are left for texts; absent: there is no limit. */
  readonly bytes?: number;
}

/**
 * Splits the texts, in order, into as few requests as possible.
 * @throws JobFailure `invalid-request` for a text that does not fit into any request
 */
export function inParts(
  texts: readonly string[],
  { texts: most, bytes: limit = Number.POSITIVE_INFINITY }: RequestLimits,
  operation: string,
): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const [index, text] of texts.entries()) {
    const size = encodedTextSize(text);
    if (size > limit) {
      const rule = `takes ${size} bytes of JSON, and a request takes ${limit}`;
      throw new JobFailure({
        kind: 'invalid-request',
        operation,
        parameter: `text[${index}]`,
        rule,
      });
    }
    const part = parts.at(-1);
    if (part !== undefined && part.length < most && bytes + size <= limit) {
      part.push(text);
      bytes += size;
    } else {
      parts.push([text]);
      bytes = size;
    }
  }
  return parts;
}

/**
 * Sends one request after another. When one fails, the following ones are not sent.
 * @throws JobFailure when the first one fails, PartialFailure with the results so far when a later one does
 */
export async function eachPart<P, R>(
  parts: readonly P[],
  { ask, join }: { ask: (part: P) => Promise<R>; join: (a: R, b: R) => R },
): Promise<R> {
  let result: R = await ask(parts[0] as P);
  for (const part of parts.slice(1)) {
    try {
      result = join(result, await ask(part));
    } catch (error) {
      throw new PartialFailure(failureOf(error), { done: result, cause: error });
    }
  }
  return result;
}

/** A call that failed after a part of it was paid: `done` is the result before the failure. */
export class PartialFailure<T = unknown> extends JobFailure {
  readonly done: T;

  constructor(failure: Failure, { done, cause }: { done: T; cause: unknown }) {
    const traceId = cause instanceof JobFailure ? cause.traceId : undefined;
    super(failure, { cause, ...(traceId === undefined ? {} : { traceId }) });
    this.done = done;
  }
}
