/** What a run leaves undone, and Ctrl-C: what goes on until it ends, said to whoever pressed it. */

import { plural } from '../language.ts';
import type { JobRecord } from '../ledger.ts';
import type { Signals } from './command.ts';
import type { Terminal } from './terminal.ts';

/** Says at once that the signal was heard; until disposed. */
export function answerSignal({ drain }: Signals, terminal: Terminal): Disposable {
  const tell = () =>
    terminal.note(
      'stopping: what was begun is finished, for it is paid. Ctrl-C again ends at once.',
    );
  drain.addEventListener('abort', tell, { once: true });
  return { [Symbol.dispose]: () => drain.removeEventListener('abort', tell) };
}

/** @returns undefined when the signal came too late to leave anything undone */
export function leftUndone({ drain }: Signals, jobs: readonly JobRecord[]): string | undefined {
  const open = jobs.filter(({ state }) => state.kind === 'queued' || state.kind === 'running');
  if (!drain.aborted || open.length === 0) return undefined;
  return `interrupted: ${plural(open.length, 'job')} left undone, for the next run`;
}

/** @returns undefined when no job is left whose source changed during every try */
export function leftQueued(jobs: readonly JobRecord[]): string | undefined {
  const [first] = jobs;
  if (first === undefined) return undefined;
  const files = new Set(jobs.map(({ project, source }) => `${project}/${source}`)).size;
  return `${plural(jobs.length, 'job')} left undone: ${first.source}${files > 1 ? ` and ${files - 1} more` : ''} changed during every try; run dragoman once again`;
}
