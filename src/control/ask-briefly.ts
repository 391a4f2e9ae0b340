/** Questions to the service for an answer that a person waits for: it is waited for only for a moment. */
import type { Clock } from '../clock.ts';
import { describeFailure, failureOf } from '../failure.ts';
import type { CallOptions } from '../service/call.ts';

/** `unanswered`: why there is no answer. */
export type BriefAnswer<T> = { readonly answer: T } | { readonly unanswered: string };

/** Milliseconds that a plan waits for a service that does not answer; without a connection it does not wait. */
const SERVICE_PATIENCE_MS = 3000;

/** @param ask gives the options to each of its requests */
export async function askBriefly<T>(
  clock: Clock,
  ask: (options: CallOptions) => Promise<T>,
): Promise<BriefAnswer<T>> {
  const done = new AbortController();
  const silent = () => ({ unanswered: 'the service does not answer' });
  const patience = clock.sleep(SERVICE_PATIENCE_MS, done.signal).then(silent, silent);
  const answer = ask({ signal: done.signal, patienceMs: 0 }).then(
    (answer) => ({ answer }),
    (error: unknown) => {
      const failure = failureOf(error);
      // After the patience is over, nobody waits for it any more.
      if (failure.kind === 'internal' && !done.signal.aborted) throw error;
      return { unanswered: describeFailure(failure) };
    },
  );
  try {
    return await Promise.race([answer, patience]);
  } finally {
    done.abort();
  }
}
