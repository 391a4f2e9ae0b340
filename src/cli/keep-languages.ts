/** Asks the service again which languages it has, when a daemon has work and the last answer is old; what it cannot do is told. */
import { faultLine } from '../config/fault.ts';
import type { SoundConfig } from '../config/parse.ts';
import type { Events } from '../event.ts';
import { describeFailure, failureOf } from '../failure.ts';
import { askedFaults } from './ask-languages.ts';
import type { Call } from './command.ts';

/** Milliseconds until a service that gave no answer is asked again. */
const ASK_AGAIN_MS = 3_600_000;

/** A daemon at rest asks nothing, and no job waits for the answer. Disposing waits for a question that is under way. */
export function keepLanguages(
  call: Call,
  events: Events,
  terminology: () => SoundConfig,
): AsyncDisposable {
  let asked = Number.NEGATIVE_INFINITY;
  let underway = Promise.resolve();
  const ask = async () => {
    const setup = terminology();
    const found = await askedFaults(call, setup);
    const faults = found.map((fault) => faultLine(fault, setup.config.base));
    if (faults.length > 0) events.emit({ kind: 'config-doubted', faults });
  };
  const unsubscribe = events.subscribe(({ kind }) => {
    const now = call.clock.now();
    if (kind !== 'job-started' || now - asked < ASK_AGAIN_MS) return;
    asked = now;
    underway = ask().catch((error: unknown) => {
      if (call.signals.drain.aborted) return;
      const message = describeFailure(failureOf(error));
      events.emit({ kind: 'housekeeping-failed', what: 'asking for the languages', message });
    });
  });
  return {
    async [Symbol.asyncDispose]() {
      unsubscribe();
      await underway;
    },
  };
}
