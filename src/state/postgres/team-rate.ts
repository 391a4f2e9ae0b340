/** The rate of a team: all runners with the same service key share one rate and its pauses. */
import { type Clock, OnwardTime, untilAborted } from '../../clock.ts';
import { ownRate, type Rate } from '../../service/rate.ts';
import type { Database } from './database.ts';

export interface TeamRateOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** A hash of the service key. */
  readonly key: string;
  /** Requests a second; absent: only the pauses of the service count. */
  readonly perSecond?: number | undefined;
}

export class TeamRate implements Rate {
  readonly #options: TeamRateOptions;
  /** The rate while the database does not answer, for requests that cost nothing. */
  readonly #alone: Rate | undefined;
  readonly #time: OnwardTime;
  #pausedUntil = 0;
  #listening: Promise<void> | undefined;

  /** Also learns of a pause that began before. */
  static async open(options: TeamRateOptions): Promise<TeamRate> {
    const rate = new TeamRate(options);
    rate.#hear(await options.database.call<number>('paused_for', options.key));
    return rate;
  }

  private constructor(options: TeamRateOptions) {
    const { database, clock, key, perSecond } = options;
    this.#options = options;
    this.#time = new OnwardTime(clock);
    this.#alone = perSecond === undefined ? undefined : ownRate(perSecond, clock);
    database.news.on('paused', (paused, ms) => {
      if (paused === key) this.#hear(ms);
    });
  }

  async slot(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#listening ??= this.#listen();
    await untilAborted(this.#listening, signal);
    const waitMs = await this.#takeSlot();
    if (waitMs === undefined) await this.#alone?.slot(signal);
    else if (waitMs > 0) await clock.sleep(waitMs, signal);
    for (let pause = this.#pause(); pause > 0; pause = this.#pause()) {
      await clock.sleep(pause, signal);
    }
  }

  pause(ms: number): void {
    const { database, key } = this.#options;
    this.#hear(ms);
    database.callOnce('pause_rate', key, ms).catch(() => {});
  }

  onPause(listener: (ms: number) => void): void {
    const { database, key } = this.#options;
    const pause = this.#pause();
    if (pause > 0) listener(pause);
    database.news.on('paused', (paused, ms) => {
      if (paused === key) listener(ms);
    });
  }

  /** Before the first request: what never sends need not hear of pauses. Also learns of a pause that began meanwhile. */
  async #listen(): Promise<void> {
    const { database, key } = this.#options;
    await database.listen();
    this.#hear(await database.callOnce<number>('paused_for', key).catch(() => 0));
  }

  /** Milliseconds until the next request may be sent; undefined while the database does not answer. */
  async #takeSlot(): Promise<number | undefined> {
    const { database, key, perSecond } = this.#options;
    if (perSecond === undefined) return 0;
    try {
      return await database.callOnce<number>('take_slot', key, 1000 / perSecond);
    } catch {
      return undefined;
    }
  }

  #pause(): number {
    return Math.max(0, this.#pausedUntil - this.#time.now());
  }

  #hear(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#time.now() + ms);
  }
}
