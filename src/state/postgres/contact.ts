/** Keeps whether a team's database answers, and whether it still has the charges that were seen in it. */
import { type Clock, isoTime } from '../../clock.ts';
import type { BeatNews, GivenUp } from '../beat.ts';
import type { TeamStatus } from '../team.ts';

export interface ContactOptions {
  /** Host of the database, for messages. */
  readonly host: string;
  readonly clock: Clock;
  onAway(host: string, reason: string): void;
  onBack(host: string): void;
  onGivenUp(other: GivenUp): void;
}

export class Contact {
  readonly #options: ContactOptions;
  #away: TeamStatus['away'];
  #forgetful: TeamStatus['away'];

  constructor(options: ContactOptions) {
    this.#options = options;
  }

  /** Undefined: it answers and lacks nothing. */
  get trouble(): TeamStatus['away'] {
    return this.#away ?? this.#forgetful;
  }

  /** Keeps the time of the first try without an answer, and the reason of the latest one. */
  onAway(reason: string): void {
    const isNew = this.#away === undefined;
    this.#away = { since: this.#away?.since ?? isoTime(this.#options.clock), reason };
    if (isNew) this.#options.onAway(this.#options.host, reason);
  }

  onBack(): void {
    this.#away = undefined;
    this.#options.onBack(this.#options.host);
  }

  hear(news: Extract<BeatNews, { kind: 'given-up' | 'forgot' | 'remembers' }>): void {
    const { host, clock } = this.#options;
    switch (news.kind) {
      case 'given-up':
        this.#options.onGivenUp(news.other);
        break;
      case 'forgot':
        this.#forgetful = {
          ...{ since: isoTime(clock), reason: forgotten(news.message), isForgetful: true },
        };
        this.#options.onAway(host, this.#forgetful.reason);
        break;
      case 'remembers':
        this.#forgetful = undefined;
        this.#options.onBack(host);
        break;
    }
  }
}

function forgotten(message: string): string {
  return `${message}, as after a restored backup: stop, and run "dragoman state push"`;
}
