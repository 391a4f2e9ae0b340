/** `/healthz` says whether the scheduler runs, `/readyz` whether work can be done; each check has a reason. They show no secrets and need no token. */
import type { Clock } from '../clock.ts';
import type { Event, Listener } from '../event.ts';
import { describeFailure, type Failure } from '../failure.ts';
import { Liveness, type LivenessOptions } from '../jobs/liveness.ts';
import { describeStandstill, type Standstill } from '../jobs/offers.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';

export interface HealthCheck {
  readonly ok: boolean;
  readonly reason: string;
}

export type HealthChecks<Name extends string> = Readonly<Record<Name, HealthCheck>>;

export interface HealthOptions extends LivenessOptions {
  /** Queued work that does not move; undefined when all is well. */
  standstill(): Standstill | undefined;
  /** What delays the work although nothing is wrong with it, in sentences. */
  delays(): readonly string[];
  /** The state of the database; absent when the config names none. */
  readonly team?: Pick<Team, 'status'> | undefined;
  /** Absent when the config names no tree. */
  readonly tree?: Pick<Tree, 'task' | 'waits' | 'troubles'> | undefined;
}

const TICK_MS = 1000;

/** Watches events from its construction until it is disposed. */
export class Health implements AsyncDisposable {
  readonly #options: HealthOptions;
  readonly #liveness: Liveness;
  readonly #ending = new AbortController();
  readonly #ticking: Promise<void>;
  readonly #offline = new Set<string>();
  #watching = false;
  #degraded = false;
  #asked: 'not yet' | 'answered' | 'lost' = 'not yet';
  #stop: Failure | undefined;
  #faults: readonly string[] = [];

  constructor(options: HealthOptions) {
    this.#options = options;
    this.#liveness = new Liveness(options);
    this.#ticking = this.#tick(options.clock).catch(() => {});
  }

  readonly listener: Listener = (event) => this.#receive(event);

  /** The faults of the config on disk, while an earlier config is in force. */
  get configFaults(): readonly string[] {
    return this.#faults;
  }

  live(): HealthChecks<'scheduler'> {
    const { trouble } = this.#liveness;
    return { scheduler: trouble === undefined ? yes('ticks') : no(trouble) };
  }

  /** `database` and `tree` are checked only for a tree, which cannot work without its database. */
  ready(): HealthChecks<'config' | 'watcher' | 'key' | 'quota' | 'jobs'> &
    Partial<HealthChecks<'database' | 'tree'>> {
    const { tree } = this.#options;
    const standstill = this.#options.standstill();
    return {
      ...(tree === undefined ? {} : { database: this.#database(), tree: partIn(tree) }),
      config: this.#config(),
      watcher: this.#watcher(),
      key: this.#key(),
      quota:
        this.#stop?.kind === 'quota-exceeded'
          ? no(describeFailure(this.#stop))
          : yes('not used up as far as is known'),
      jobs:
        standstill === undefined
          ? yes(['move', ...this.#options.delays()].join('; '))
          : no(describeStandstill(standstill)),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#ticking;
  }

  async #tick(clock: Clock): Promise<void> {
    for (;;) {
      await clock.sleep(TICK_MS, this.#ending.signal);
      this.#liveness.beat();
    }
  }

  #receive(event: Event): void {
    switch (event.kind) {
      case 'started':
        this.#watching = true;
        break;
      case 'config-refused':
        this.#faults = event.faults;
        break;
      case 'config-reloaded':
        this.#faults = [];
        this.#offline.clear();
        break;
      case 'watcher-degraded':
        this.#degraded = true;
        break;
      case 'root-offline':
        this.#offline.add(event.root);
        break;
      case 'root-online':
        this.#offline.delete(event.root);
        break;
      case 'paid-work-stopped':
        this.#stop = event.failure;
        break;
      case 'paid-work-resumed':
        this.#stop = undefined;
        break;
      case 'request':
        this.#asked = event.status === 'lost' ? 'lost' : 'answered';
        break;
      default:
        break;
    }
  }

  #database(): HealthCheck {
    const { away } = this.#options.team?.status() ?? {};
    return away === undefined ? yes('answers') : no(`away since ${away.since}`);
  }

  #config(): HealthCheck {
    const count = this.#faults.length;
    const faults = count === 1 ? '1 fault' : `${count} faults`;
    return count === 0
      ? yes('valid')
      : no(`the changed config is refused, with ${faults} in it; the earlier one stays in force`);
  }

  #watcher(): HealthCheck {
    if (!this.#watching) return no('not ready yet');
    if (this.#options.tree?.waits === true)
      return no('waits to lead: another daemon leads the tree');
    if (this.#options.tree?.task === 'works')
      return yes('watches nothing: it works for the leader');
    const offline = this.#offline.size;
    if (offline > 0)
      return no(offline === 1 ? '1 root is offline' : `${offline} roots are offline`);
    return yes(this.#degraded ? 'without events of the system; scanning more often' : 'ready');
  }

  #key(): HealthCheck {
    const stop = this.#stop;
    if (stop?.kind === 'key-refused' || stop?.kind === 'key-missing') {
      return no(stop.kind === 'key-missing' ? 'there is none' : describeFailure(stop));
    }
    switch (this.#asked) {
      case 'not yet':
        return yes('not used since the start');
      case 'answered':
        return yes('accepted');
      case 'lost':
        return yes('not refused; the last request was not answered');
    }
  }
}

function partIn({ troubles }: Pick<Tree, 'troubles'>): HealthCheck {
  return troubles.length === 0 ? yes('this daemon can work on it') : no(troubles.join('; '));
}

function yes(reason: string): HealthCheck {
  return { ok: true, reason };
}

function no(reason: string): HealthCheck {
  return { ok: false, reason };
}
