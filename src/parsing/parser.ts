/** How foreign content is read: by a function that is loaded where it runs, here or on a thread. Pure. */
import { JobFailure } from '../failure.ts';
import { secondsOf } from './within.ts';

/**
 * Reads files and loads libraries first, as long as that takes, and returns the work on the content, which has a time
 * limit. Input and output are plain data: they may go from thread to thread.
 */
export type Reading<Input, Output> = (input: Input) => Promise<() => Output | Promise<Output>>;

/** Names a `Reading`, and loads it when it is first needed. Every parser is listed in `src/thread.ts`. */
export interface Parser<Input, Output> {
  /** Unique: by it the parser is found on a thread. */
  readonly name: string;
  load(): Promise<Reading<Input, Output>>;
  /** How slow it is, JSON being 1: how soon content is too large for the thread that answers. */
  readonly slowness?: number;
  /** Its work waits for something: only a thread can be ended meanwhile. */
  readonly place?: 'thread';
}

/** What is read. */
export interface Subject {
  /** For messages. */
  readonly file: string;
  readonly bytes: number;
}

const LEAST_MS = 3000;
/** Markdown, the slowest, is read, composed and read back with 12 ms a kilobyte; a loaded machine is five times as slow. */
const MS_PER_KILOBYTE = 60;
const MOST_MS = 300_000;

/** Milliseconds that work on so much content may take. */
export function limitFor(bytes: number): number {
  return Math.min(MOST_MS, LEAST_MS + Math.ceil(bytes / 1000) * MS_PER_KILOBYTE);
}

export function tookTooLong(file: string, ms: number): JobFailure {
  const message = `reading it took longer than ${secondsOf(ms)}`;
  return new JobFailure({ kind: 'malformed', where: { file }, message });
}
