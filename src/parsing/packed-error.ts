/** Errors in messages between threads. They lose their class there; a JobFailure keeps its facts. Pure. */
import { type Failure, JobFailure } from '../failure.ts';

export interface PackedError {
  readonly failure?: Failure;
  readonly message: string;
  readonly stack?: string;
}

export function packError(error: unknown): PackedError {
  if (error instanceof JobFailure) return { failure: error.failure, message: error.message };
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  return stack === undefined ? { message } : { message, stack };
}

export function unpackError({ failure, message, stack }: PackedError): Error {
  if (failure !== undefined) return new JobFailure(failure);
  const error = new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
