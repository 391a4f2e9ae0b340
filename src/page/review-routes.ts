/** What the Review page may ask: texts a portion at a time, and one text saved with the text that was seen. */
import type { Control } from '../control/control.ts';
import type { ReviewSaved } from '../control/review/report.ts';
import { Refused } from './reply.ts';

/** Saves of all sessions within a minute: a person who works fast makes thirty. */
const MOST_SAVES = 600;
const MINUTE_MS = 60_000;

export class SaveLimit {
  readonly #now: () => number;
  #times: number[] = [];

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @throws Refused 429 */
  take(): void {
    const now = this.#now();
    this.#times = this.#times.filter((time) => now - time < MINUTE_MS);
    if (this.#times.length >= MOST_SAVES) {
      throw new Refused(429, 'too many texts were saved within a minute: wait a moment');
    }
    this.#times.push(now);
  }
}

/** @throws Refused 409 with the text that stands there, 422 with the reason */
export async function answerSave(
  control: Pick<Control, 'reviewSave'>,
  request: Parameters<Control['reviewSave']>[0],
): Promise<object> {
  const saved: ReviewSaved = await control.reviewSave(request);
  switch (saved.kind) {
    case 'saved':
      return { row: saved.row };
    case 'changed':
      throw new Refused(409, 'somebody changed this text since it was shown', { row: saved.row });
    case 'refused':
      throw new Refused(422, saved.reason);
  }
}
