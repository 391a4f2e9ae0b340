/**
 * Asks for the results of recordings that are on the service, from the start of the process on, also while their jobs do not run. The
 * results are paid, and the service keeps them for one hour.
 */
import type { Clock } from '../../clock.ts';
import { POLL_MS } from './decisions/next-move.ts';
import type { VoiceJobs } from './voice-jobs.ts';

export class VoicePoller implements AsyncDisposable {
  readonly #voiceJobs: VoiceJobs;
  readonly #clock: Clock;
  readonly #end = new AbortController();
  readonly #abort = new AbortController();
  readonly #broken = Promise.withResolvers<never>();
  readonly #rounds = new Set<Promise<void>>();
  #watch: Promise<void> | undefined;

  constructor(voiceJobs: VoiceJobs, clock: Clock) {
    this.#voiceJobs = voiceJobs;
    this.#clock = clock;
    this.#broken.promise.catch(() => {});
  }

  /** Asks in rounds until `end`. Failures of the service and of files do not end it; it rejects only on an unexpected error. */
  async keep(): Promise<void> {
    this.#watch ??= this.#goRounds();
    await this.#watch;
  }

  /** Starts no further round. Waits up to `patienceMs` for running transfers, then aborts them: an aborted transfer may lose its result. */
  async end(patienceMs: number): Promise<void> {
    this.#end.abort();
    const over = new AbortController();
    const patience = this.#clock.sleep(patienceMs, over.signal).catch(() => {});
    await Promise.race([this.#watch?.catch(() => {}), patience]);
    over.abort();
    this.#abort.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.end(0);
    await this.#watch?.catch(() => {});
  }

  async #goRounds(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      this.#goRound();
      const pause = this.#clock.sleep(POLL_MS, signal).catch(() => {});
      await Promise.race([pause, this.#broken.promise]);
    }
    await Promise.all(this.#rounds);
    await this.#voiceJobs.sweep();
  }

  /** A round may last as long as a download; the next one does not wait for it. */
  #goRound(): void {
    const round = this.#voiceJobs
      .tend(this.#abort.signal)
      .catch((error: unknown) => this.#broken.reject(error))
      .finally(() => this.#rounds.delete(round));
    this.#rounds.add(round);
  }
}
