/** The queue of one hook. A slow or failing hook delays no other hook, and its queue is limited. */
import PQueue from 'p-queue';
import type { Clock } from '../../clock.ts';
import type { HookMessage } from './message.ts';
import type { HookOutcome } from './outcome.ts';

export interface ReceiverOptions {
  readonly clock: Clock;
  /** Sends a message once. */
  readonly deliver: (message: HookMessage, signal: AbortSignal) => Promise<HookOutcome>;
  /** Called with the reason when messages are lost. */
  readonly onLost: (reason: string) => void;
}

const AT_ONCE = 4;
/** Number of messages; one has about 500 bytes. */
const MAX_WAITING = 10_000;
const ATTEMPTS = 4;
const FIRST_RETRY_MS = 1000;

export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #stopping = new AbortController();
  #dropped = 0;
  #unsent = 0;

  constructor(options: ReceiverOptions) {
    this.#options = options;
  }

  take(message: HookMessage): void {
    if (this.#queue.size >= MAX_WAITING) {
      this.#dropped += 1;
      if (this.#dropped === 1) this.#options.onLost('too many messages wait; later ones are lost');
      return;
    }
    this.#reportDropped();
    // Cleared messages are rejected here and counted by `stop`.
    this.#queue.add(() => this.#deliver(message)).catch(() => {});
  }

  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  /** Ends running tries, and reports the number of unsent messages. */
  async stop(): Promise<void> {
    this.#unsent = this.#queue.size;
    this.#queue.clear();
    this.#stopping.abort();
    await this.#queue.onIdle();
    this.#reportDropped();
    if (this.#unsent > 0) {
      this.#options.onLost(`${messages(this.#unsent)} could not be sent before the end`);
    }
  }

  async #deliver(message: HookMessage): Promise<void> {
    const { clock, deliver, onLost } = this.#options;
    const { signal } = this.#stopping;
    for (let attempt = 1; ; attempt++) {
      const outcome = await deliver(message, signal);
      if (outcome.kind === 'sent') return;
      if (!signal.aborted && (outcome.kind === 'permanent' || attempt >= ATTEMPTS)) {
        onLost(outcome.reason);
        return;
      }
      await clock.sleep(FIRST_RETRY_MS * 4 ** (attempt - 1), signal).catch(() => {});
      if (!signal.aborted) continue;
      this.#unsent += 1;
      return;
    }
  }

  /** Reports all dropped messages in one line, so that many messages do not become many warnings. */
  #reportDropped(): void {
    if (this.#dropped > 1) this.#options.onLost(`${messages(this.#dropped)} were lost meanwhile`);
    this.#dropped = 0;
  }
}

function messages(count: number): string {
  return `${count} ${count === 1 ? 'message' : 'messages'}`;
}
