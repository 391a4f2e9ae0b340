/** The only way to read foreign content: within a time limit, small content on this thread and large content on another. */
import { errorIn, type Subject, type ThreadCall } from './thread-call.ts';
import { LARGE, ParserThreads } from './threads.ts';
import { TookTooLong, withinTurn } from './within.ts';

/** Milliseconds for which parsing may block commands, health and signals on this thread. */
export const HERE_MS = 50;

/** The threads of this process, for callers without threads of their own. Idle threads end by themselves. */
export const threads = new ParserThreads();

let daemons = 0;

/** Until disposed of, all content is read on threads: a daemon reads many files, and its event loop must answer commands. */
export function readOnThreads(): Disposable {
  daemons += 1;
  return {
    [Symbol.dispose]() {
      daemons -= 1;
    },
  };
}

/**
 * Whether content is read on this thread. A short-lived command is done before a thread has started.
 * @param weight bytes of JSON that take as long to read
 */
export function isReadHere(weight: number): boolean {
  return daemons === 0 && weight < LARGE;
}

/** Reads content with a parser. @throws JobFailure `malformed` with the file when it takes too long; what the parser throws */
export async function parse<Input, Output>(
  parser: ThreadCall<Input, Output>,
  input: Input,
  subject: Subject & { readonly on?: ParserThreads },
): Promise<Output> {
  const weight = parser.runsOn === 'thread' ? Infinity : subject.bytes * (parser.slowness ?? 1);
  if (isReadHere(weight)) {
    const reading = await parser.load();
    const work = await reading(input);
    try {
      return await withinTurn(HERE_MS, work);
    } catch (error) {
      // The content may only be slow: on a thread it has more time.
      if (!(error instanceof TookTooLong)) throw errorIn(subject.file, error);
    }
  }
  return await (subject.on ?? threads).run(parser, input, subject);
}
