/** Ctrl-C in a run: what goes on until it ends, and what is left undone, said to whoever pressed it. */

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
