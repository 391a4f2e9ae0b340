/** The rate of a team: one place where all runners of a key get their turn, and one pause for all of them. */
import type { Clock } from '../../clock.ts';
import { ownRate, type Rate } from '../../service/rate.ts';
import type { Database } from './database.ts';

export interface TeamRateOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** Names the key to all who have it, and tells nobody else what it is. */
  readonly key: string;
  /** Absent: only the service's refusals slow us down. */
  readonly perSecond?: number | undefined;
}

export class TeamRate implements Rate {
  readonly #options: TeamRateOptions;
  /** While the database is away, this process goes on alone with what needs no money. */
  readonly #alone: Rate | undefined;
  #pausedUntil = 0;

  /** Hears of a pause that others were told before. */
  static async open(options: TeamRateOptions): Promise<TeamRate> {
    const rate = new TeamRate(options);
    rate.#hear(await options.database.call<number>('paused_for', options.key));
    return rate;
  }

  private constructor(options: TeamRateOptions) {
    const { database, clock, key, perSecond } = options;
    this.#options = options;
    this.#alone = perSecond === undefined ? undefined : ownRate(perSecond, clock);
    database.news.on('paused', (paused, ms) => {
      if (paused === key) this.#hear(ms);
    });
  }

  async slot(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    signal.throwIfAborted();
    const waitMs = await this.#turn();
    if (waitMs === undefined) await this.#alone?.slot(signal);
    else if (waitMs > 0) await clock.sleep(waitMs, signal);
    for (let pause = this.#pause(); pause > 0; pause = this.#pause()) {
      await clock.sleep(pause, signal);
    }
  }

  pause(ms: number): void {
    const { database, key } = this.#options;
    this.#hear(ms);
    database.attempt('pause_rate', key, ms).catch(() => {});
  }

  onPause(listener: (ms: number) => void): void {
    const { database, key } = this.#options;
    const pause = this.#pause();
    if (pause > 0) listener(pause);
    database.news.on('paused', (paused, ms) => {
      if (paused === key) listener(ms);
    });
  }

  /** Milliseconds until the turn; undefined while the database does not answer. */
  async #turn(): Promise<number | undefined> {
    const { database, key, perSecond } = this.#options;
    if (perSecond === undefined) return 0;
    try {
      return await database.attempt<number>('take_slot', key, 1000 / perSecond);
    } catch {
      return undefined;
    }
  }

  #pause(): number {
    return Math.max(0, this.#pausedUntil - this.#options.clock.now());
  }

  #hear(ms: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#options.clock.now() + ms);
  }
}
