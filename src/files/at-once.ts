/**
 * Small work on files, done at once in short turns: a call takes 2 to 5 µs so, and 50 by way of a thread of the system. A turn
 * ends after some milliseconds, and what comes then waits until everything else has run.
 */
import { type Turns, turnsOf } from '../clock.ts';

const TURN_MS = 8;

const waiting: (() => void)[] = [];
/** Until the event loop has done something else. */
let turn: Turns | undefined;

/** @param work calls of the system on local files, that return within microseconds */
export async function atOnce<T>(work: () => T): Promise<T> {
  turn ??= begin();
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

function begin(): Turns {
  const turns = turnsOf(TURN_MS);
  turns.next().then(takeWaiting);
  return turns;
}

async function takeWaiting(): Promise<void> {
  turn = undefined;
  if (waiting.length === 0) return;
  const turns = begin();
  turn = turns;
  // One at least, however long the rest of the loop takes; who waited for it goes on before the next one is done.
  do await waiting.shift()?.();
  while (waiting.length > 0 && !turns.over());
}
