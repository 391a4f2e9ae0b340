/** The contract of the calls of a thread. Most read foreign content; their code is loaded on the thread where it runs. Pure. */
import { JobFailure } from '../failure.ts';
import { secondsOf } from './within.ts';

/**
 * First reads files and loads libraries, without a time limit; then returns the work on the content, which has a time limit. Input and
 * output are plain data, since they may go to another thread.
 */
export type ThreadWork<Input, Output> = (input: Input) => Promise<() => Output | Promise<Output>>;

/** The name of a `ThreadWork` and how to load it. Each call is listed in `src/thread.ts`. */
export interface ThreadCall<Input, Output> {
  /** Unique: a thread finds the call by it. */
  readonly name: string;
  load(): Promise<ThreadWork<Input, Output>>;
  /** How many times slower than JSON it is, per byte; absent: 1. It decides the size from which content is read on a thread. */
  readonly slowness?: number;
  /** The work waits for something, so it can only be ended on a thread. */
  readonly runsOn?: 'thread';
}

/** The content that is read. */
export interface Subject {
  /** For messages. */
  readonly file: string;
  readonly bytes: number;
  /** Its texts are bought: it has more time than when it was tried. */
  readonly isPaid?: true;
}

const LEAST_LIMIT_MS = 3000;
/** Markdown, the slowest format, takes 12 ms per kilobyte to read, compose and read back; a loaded machine is five times as slow. */
const MS_PER_KILOBYTE = 60;
const MOST_MS = 300_000;

/** What was tried within the limit before it was bought is written, also where translations are longer than their sources. */
export const TIMES_WHEN_PAID = 4;

/** Milliseconds that the work on so many bytes may take. */
export function limitFor(bytes: number): number {
  return Math.min(MOST_MS, LEAST_LIMIT_MS + Math.ceil(bytes / 1000) * MS_PER_KILOBYTE);
}

export function tookTooLong(file: string, ms: number): JobFailure {
  const message = `reading it took longer than ${secondsOf(ms)}`;
  return new JobFailure({ kind: 'malformed', where: { file }, message });
}

/** The error of a call; where the stack did not suffice, the failure of a file that is nested too deeply. */
export function errorIn(file: string, error: unknown): unknown {
  const isOurs = error instanceof JobFailure;
  const said = isOurs ? failureText(error) : error instanceof Error ? error.message : '';
  if (!said.includes('Maximum call stack size exceeded')) return error;
  return new JobFailure(
    { kind: 'malformed', where: { file }, message: 'nested too deeply' },
    { cause: error },
  );
}

function failureText({ failure }: JobFailure): string {
  return 'message' in failure ? (failure.message ?? '') : '';
}
