/** The one way to read foreign content: within a time limit, on this thread where it is small, on another where it is not. */
import type { Parser, Subject } from './parser.ts';
import { LARGE, ParserThreads } from './threads.ts';
import { TookTooLong, withinTurn } from './within.ts';

/** Milliseconds that this thread may be kept from commands, health and signals. */
export const HERE_MS = 50;

/** Threads of this process for whoever has none of their own. They end by themselves when they have nothing to do. */
export const threads = new ParserThreads();

let isDaemon = false;

/** From now on everything is read on threads: many files come, and the loop has others to answer. */
export function readOnThreads(): void {
  isDaemon = true;
}

/**
 * Whether content is read on this thread: a short-lived command is over before a thread has started.
 * @param weight bytes of JSON that take as long
 */
export function isReadHere(weight: number): boolean {
  return !isDaemon && weight < LARGE;
}

/**
 * @throws JobFailure `malformed` with the file when it takes too long; what the parser throws
 */
export async function parse<Input, Output>(
  parser: Parser<Input, Output>,
  input: Input,
  subject: Subject & { readonly on?: ParserThreads },
): Promise<Output> {
  const weight = parser.place === 'thread' ? Infinity : subject.bytes * (parser.slowness ?? 1);
  if (isReadHere(weight)) {
    const reading = await parser.load();
    const work = await reading(input);
    try {
      return await withinTurn(HERE_MS, work);
    } catch (error) {
      // It may be slow and well: on a thread it has more time.
      if (!(error instanceof TookTooLong)) throw error;
    }
  }
  return await (subject.on ?? threads).run(parser, input, subject);
}
