/** One hook of the config and the messages that wait for it. A slow or dead hook delays no other hook, and its queue is bounded. */
import PQueue from 'p-queue';
import type { Clock } from '../../clock.ts';
import type { HookMessage } from './message.ts';
import type { HookOutcome } from './outcome.ts';

export interface ReceiverOptions {
  readonly clock: Clock;
  /** Tells once. */
  readonly tell: (message: HookMessage, signal: AbortSignal) => Promise<HookOutcome>;
  /** Hears why messages did not arrive. */
  readonly onLost: (reason: string) => void;
}

const AT_ONCE = 4;
/** A message has some 500 bytes. */
const MAX_WAITING = 10_000;
const ATTEMPTS = 4;
const FIRST_RETRY_MS = 1000;

export class Receiver {
  readonly #options: ReceiverOptions;
  readonly #queue = new PQueue({ concurrency: AT_ONCE });
  readonly #stopping = new AbortController();
  #dropped = 0;
  #untold = 0;

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
    // What is cleared away is rejected, and counted by `stop`.
    this.#queue.add(() => this.#deliver(message)).catch(() => {});
  }

  idle(): Promise<void> {
    return this.#queue.onIdle();
  }

  /** Ends what runs, and says how much was not told. */
  async stop(): Promise<void> {
    this.#untold = this.#queue.size;
    this.#queue.clear();
    this.#stopping.abort();
    await this.#queue.onIdle();
    this.#reportDropped();
    if (this.#untold > 0) {
      this.#options.onLost(`${messages(this.#untold)} could not be told before the end`);
    }
  }

  async #deliver(message: HookMessage): Promise<void> {
    const { clock, tell, onLost } = this.#options;
    const { signal } = this.#stopping;
    for (let attempt = 1; ; attempt++) {
      const outcome = await tell(message, signal);
      if (outcome.kind === 'told') return;
      if (!signal.aborted && (outcome.kind === 'permanent' || attempt >= ATTEMPTS)) {
        onLost(outcome.reason);
        return;
      }
      await clock.sleep(FIRST_RETRY_MS * 4 ** (attempt - 1), signal).catch(() => {});
      if (!signal.aborted) continue;
      this.#untold += 1;
      return;
    }
  }

  /** One line for all of them: a flood of messages must not become one of warnings. */
  #reportDropped(): void {
    if (this.#dropped > 1) this.#options.onLost(`${messages(this.#dropped)} were lost meanwhile`);
    this.#dropped = 0;
  }
}

function messages(count: number): string {
  return `${count} ${count === 1 ? 'message' : 'messages'}`;
}
