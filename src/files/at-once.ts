/**
 * Small work on files, with synchronous calls in short turns. Such a call takes 2 to 5 µs; the same call through the thread pool of
 * Node takes 50 µs. A turn ends after some milliseconds; later calls wait until other work of the event loop has run.
 */
import { type Turns, turnsOf } from '../clock.ts';

const TURN_MS = 8;

const waiting: (() => void)[] = [];
/** The present turn; undefined after other work has run. */
let turn: Turns | undefined;

/** @param work synchronous calls on local files, which return within microseconds */
export async function atOnce<T>(work: () => T): Promise<T> {
  turn ??= beginTurns();
  if (waiting.length === 0 && !turn.over()) return work();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  waiting.push(() => {
    try {
      resolve(work());
    } catch (error) {
      reject(error);
    }
  });
  return await promise;
}

function beginTurns(): Turns {
  const turns = turnsOf(TURN_MS);
  void turns.next().then(takeWaiting);
  return turns;
}

async function takeWaiting(): Promise<void> {
  turn = undefined;
  if (waiting.length === 0) return;
  const turns = beginTurns();
  turn = turns;
  // At least one in each turn. Its caller goes on before the next one runs.
  do await waiting.shift()?.();
  while (waiting.length > 0 && !turns.over());
}
