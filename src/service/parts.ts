/** More texts than one request may hold: spread over several, sent one after another, and joined again. */
import { type Failure, failureOf, JobFailure } from '../failure.ts';
import { encodedTextSize } from './text-request.ts';

/** What one request may hold. */
export interface Room {
  readonly texts: number;
  /** Bytes of JSON that are left for texts; absent where the API document names no limit. */
  readonly bytes?: number;
}

/**
 * Texts in their order, as few requests as they need.
 * @throws JobFailure `invalid-request` for a text that no request has room for
 */
export function inParts(
  texts: readonly string[],
  { texts: most, bytes: limit = Number.POSITIVE_INFINITY }: Room,
  operation: string,
): readonly (readonly string[])[] {
  const parts: string[][] = [];
  let bytes = 0;
  for (const [index, text] of texts.entries()) {
    const size = encodedTextSize(text);
    if (size > limit) {
      const rule = `takes ${size} bytes of JSON, and a request has room for ${limit}`;
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
 * One request after another: when one fails, none that follows is paid for.
 * @throws JobFailure when the first part fails, PartialFailure with what came before when a later one does
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

/** A call that was paid in part: `done` is what came before the failure. */
export class PartialFailure<T = unknown> extends JobFailure {
  readonly done: T;

  constructor(failure: Failure, { done, cause }: { done: T; cause: unknown }) {
    const traceId = cause instanceof JobFailure ? cause.traceId : undefined;
    super(failure, { cause, ...(traceId === undefined ? {} : { traceId }) });
    this.done = done;
  }
}
