/**
 * Notices a server that no longer answers. Its connections stay open, so a statement would wait for half a minute. A slow question may also be a
 * large one: then the server answers another, small question at once.
 */
import type { Clock } from '../../clock.ts';

export interface SilenceOptions {
  readonly clock: Clock;
  /** Aborted when the database is closed. */
  readonly closed: AbortSignal;
  /** Asks the server something small, on a connection of its own. Resolves to its trouble; undefined: it answers. */
  probe(): Promise<string | undefined>;
  /** Called with the trouble when the server falls silent. */
  onSilent(trouble: string): void;
  /** Called when it answers again. */
  onHeard(): void;
}

/** Milliseconds for the answer of a question, before the small question is asked. */
const QUESTION_MS = 1000;
/** Milliseconds for the answer of the small question. */
const PROBE_MS = 2000;
const SLOW = 'it answers too slowly';

export class Silence {
  readonly #options: SilenceOptions;
  #trouble: string | undefined;
  #probing: Promise<string | undefined> | undefined;

  constructor(options: SilenceOptions) {
    this.#options = options;
  }

  /**
   * @param ask asks the server a question
   * @throws Silent when the server is silent, or falls silent before it answers
   */
  async during<T>(ask: () => Promise<T>): Promise<T> {
    if (this.#trouble !== undefined) throw new Silent(this.#trouble);
    const over = new AbortController();
    try {
      return await Promise.race([ask(), this.#silent(over.signal)]);
    } finally {
      over.abort();
    }
  }

  /** Rejects when the server is silent. */
  async #silent(over: AbortSignal): Promise<never> {
    for (;;) {
      await this.#options.clock.sleep(QUESTION_MS, over);
      const trouble = await this.#probe();
      if (trouble === undefined) continue;
      over.throwIfAborted();
      this.#begin(trouble);
      throw new Silent(trouble);
    }
  }

  #begin(trouble: string): void {
    if (this.#trouble !== undefined) return;
    this.#trouble = trouble;
    this.#options.onSilent(trouble);
    void this.#end().catch(() => {});
  }

  /** Ends the silence when the server answers again. Rejects when the database is closed. */
  async #end(): Promise<void> {
    const { clock, closed } = this.#options;
    do await clock.sleep(QUESTION_MS, closed);
    while ((await this.#probe()) !== undefined);
    this.#trouble = undefined;
    this.#options.onHeard();
  }

  /** One probe at a time, for all callers. */
  #probe(): Promise<string | undefined> {
    this.#probing ??= this.#probed().finally(() => {
      this.#probing = undefined;
    });
    return this.#probing;
  }

  async #probed(): Promise<string | undefined> {
    const { clock, closed, probe } = this.#options;
    const over = new AbortController();
    const slow = clock.sleep(PROBE_MS, AbortSignal.any([over.signal, closed])).then(() => SLOW);
    try {
      return await Promise.race([probe(), slow]);
    } finally {
      over.abort();
    }
  }
}

export class Silent extends Error {
  override readonly name = 'Silent';
}
