/** Sends a request that bills and that the till has open: an answer that is lost is in the books before anything else happens. */
import type { Events } from '../event.ts';
import { failureOf } from '../failure.ts';
import type { Charge, OpenRequest } from '../ledger.ts';
import type { Till } from '../state/till.ts';

export interface SendingPorts {
  readonly till: Till;
  readonly events: Events;
}

/** A request that the till has open. */
export interface OpenedRequest {
  readonly open: OpenRequest;
  /** The charges for a try whose answer was lost. @param attempt 1 for the first */
  lostCharges(attempt: number): readonly Charge[];
}

/** A lost answer is asked for once more, which costs one request at most. */
const TRIES = 2;

/**
 * The service may have billed a lost answer. So each lost answer, also the last one, is booked as possibly billed twice. An invalid answer
 * is booked in the same way, because nobody knows what it billed. It is not asked for again, because the next answer would be the same. A
 * request that was never sent, or was answered with an error, is not billed.
 * @throws JobFailure after which the till has forgotten the request
 */
export async function sendOpened<T>(
  ports: SendingPorts,
  request: () => Promise<T>,
  opened: OpenedRequest,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await request();
    } catch (error) {
      const { kind } = failureOf(error);
      const isLost = kind === 'unanswered' || kind === 'bad-answer';
      if (isLost) await bookLost(ports, opened, attempt);
      if (kind !== 'unanswered' || attempt === TRIES) {
        await ports.till.forget(opened.open);
        throw error;
      }
    }
  }
}

async function bookLost(
  { till, events }: SendingPorts,
  { open, lostCharges }: OpenedRequest,
  attempt: number,
): Promise<void> {
  const charges = lostCharges(attempt);
  await till.lost(open, charges);
  for (const { project, characters } of charges) {
    events.emit({ kind: 'answer-lost', project, characters: characters ?? 0 });
  }
}
