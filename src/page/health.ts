/** `/healthz` says whether the scheduler runs, `/readyz` whether work can be done; each check has a reason. They show no secrets and need no token. */
import type { Clock } from '../clock.ts';
import type { DaemonCondition } from '../control/daemon-condition.ts';
import { describeFailure } from '../failure.ts';
import { Liveness } from '../jobs/liveness.ts';
import { describeStandstill } from '../jobs/offers.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';

export interface HealthCheck {
  readonly ok: boolean;
  readonly reason: string;
}

export type HealthChecks<Name extends string> = Readonly<Record<Name, HealthCheck>>;

/** The condition of a daemon, as its health is known. */
export interface ExaminedCondition
  extends Pick<
    DaemonCondition,
    | 'isStarted'
    | 'configFaults'
    | 'isConfigOutdated'
    | 'monitor'
    | 'queue'
    | 'purchaseStop'
    | 'standstill'
    | 'delays'
    | 'lastRequest'
  > {
  readonly team?: Pick<Team, 'status'> | undefined;
  readonly tree?: Pick<Tree, 'task' | 'waits' | 'troubles'> | undefined;
}

export interface HealthOptions {
  readonly condition: ExaminedCondition;
  readonly clock: Clock;
}

/** Why a daemon whose state is not open answers nothing else. */
export const NOT_OPEN = 'the daemon opens its state, or waits for its database';

const TICK_MS = 1000;

/** Beats from its construction until it is disposed. */
export class Health implements AsyncDisposable {
  readonly #condition: ExaminedCondition;
  readonly #liveness: Liveness;
  readonly #ending = new AbortController();
  readonly #ticking: Promise<void>;

  constructor({ condition, clock }: HealthOptions) {
    this.#condition = condition;
    this.#liveness = new Liveness({ clock, queue: condition.queue });
    this.#ticking = this.#tick(clock).catch(() => {});
  }

  live(): HealthChecks<'scheduler'> {
    const { trouble } = this.#liveness;
    return { scheduler: trouble === undefined ? yes('ticks') : no(trouble) };
  }

  /** `database` and `tree` are checked only for a tree, which cannot work without its database. */
  ready(): HealthChecks<'config' | 'watcher' | 'key' | 'quota' | 'jobs'> &
    Partial<HealthChecks<'database' | 'tree'>> {
    const { tree, delays, standstill, purchaseStop: stop } = this.#condition;
    return {
      ...(tree === undefined ? {} : { database: this.#database(), tree: partIn(tree) }),
      config: this.#config(),
      watcher: this.#watcher(),
      key: this.#key(),
      quota:
        stop?.kind === 'quota-exceeded'
          ? no(describeFailure(stop))
          : yes('not used up as far as is known'),
      jobs:
        standstill === undefined
          ? yes(['move', ...delays].join('; '))
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

  #database(): HealthCheck {
    const { away } = this.#condition.team?.status() ?? {};
    return away === undefined ? yes('answers') : no(`away since ${away.since}`);
  }

  #config(): HealthCheck {
    const { configFaults, isConfigOutdated } = this.#condition;
    const count = configFaults.length;
    const faults = count === 1 ? '1 fault' : `${count} faults`;
    return count === 0
      ? // A changed file alone takes no daemon out of service: a person or a program has not reloaded it yet.
        yes(isConfigOutdated ? 'valid, but the file has changed and is not reloaded' : 'valid')
      : no(`the changed config is refused, with ${faults} in it; the earlier one stays in force`);
  }

  #watcher(): HealthCheck {
    const { isStarted, tree, monitor } = this.#condition;
    if (!isStarted) return no('not ready yet');
    if (tree?.waits === true) return no('waits to lead: another daemon leads the tree');
    if (tree?.task === 'works') return yes('watches nothing: it works for the leader');
    const offline = monitor.offline().length;
    if (offline > 0)
      return no(
        offline === 1
          ? 'the root of 1 project is offline'
          : `the roots of ${offline} projects are offline`,
      );
    return yes(monitor.isDegraded ? 'without events of the system; scanning more often' : 'ready');
  }

  #key(): HealthCheck {
    const { purchaseStop: stop, lastRequest } = this.#condition;
    if (stop?.kind === 'key-refused' || stop?.kind === 'key-missing') {
      return no(stop.kind === 'key-missing' ? 'there is none' : describeFailure(stop));
    }
    switch (lastRequest) {
      case 'none':
        return yes('not used since the start');
      case 'answered':
        return yes('accepted');
      case 'lost':
        return yes('not refused; the last request was not answered');
    }
  }
}

/** The health of a daemon whose state is not open yet. It may wait for its database. */
export const UNOPENED: { live(): HealthChecks<'scheduler'>; ready(): HealthChecks<'state'> } = {
  live: () => ({ scheduler: yes('ticks') }),
  ready: () => ({ state: no(`${NOT_OPEN}; its log says what it waits for`) }),
};

function partIn({ troubles }: Pick<Tree, 'troubles'>): HealthCheck {
  return troubles.length === 0 ? yes('this daemon can work on it') : no(troubles.join('; '));
}

function yes(reason: string): HealthCheck {
  return { ok: true, reason };
}

function no(reason: string): HealthCheck {
  return { ok: false, reason };
}
