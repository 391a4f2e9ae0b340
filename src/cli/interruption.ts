/** Messages about Ctrl-C and about jobs that a run leaves undone. */

import { plural } from '../language.ts';
import type { JobRecord } from '../ledger.ts';
import type { Signals } from './command.ts';
import type { Terminal } from './terminal.ts';

/** Prints a message as soon as a signal comes: it names the work that must still end. Ends when disposed. */
export function answerSignal({ drain, abort }: Signals, terminal: Terminal): Disposable {
  using told = new DisposableStack();
  const printOn = (signal: AbortSignal, text: string) => {
    const note = () => terminal.note(text);
    signal.addEventListener('abort', note, { once: true });
    told.defer(() => signal.removeEventListener('abort', note));
  };
  printOn(
    drain,
    'stopping: jobs that have begun are finished, since they are paid. Ctrl-C again ends at once.',
  );
  printOn(
    abort,
    'ending: nothing more is sent. dragoman waits for the answers to requests that it sent, because they are paid.',
  );
  return told.move();
}

/** Message about jobs left after a signal. @returns undefined without a signal, or when no job is left */
export function leftUndone({ drain }: Signals, jobs: readonly JobRecord[]): string | undefined {
  const open = jobs.filter(({ state }) => state.kind === 'queued' || state.kind === 'running');
  if (!drain.aborted || open.length === 0) return undefined;
  return `interrupted: ${plural(open.length, 'job')} left undone, for the next run`;
}

/** Message about jobs whose source changed during every try. @param jobs these jobs @returns undefined when there are none */
export function leftQueued(jobs: readonly JobRecord[]): string | undefined {
  const [first] = jobs;
  if (first === undefined) return undefined;
  const files = new Set(jobs.map(({ project, source }) => `${project}/${source}`)).size;
  return `${plural(jobs.length, 'job')} left undone: ${first.source}${files > 1 ? ` and ${files - 1} more` : ''} changed during every try; run dragoman once again`;
}
