/** The condition of a daemon, as readiness, page, status and systemd ask for it. */
import type { ConfigOnDisk } from '../config/load-changes.ts';
import type { Config } from '../config.ts';
import { describeFailure } from '../failure.ts';
import type { SourceMonitor } from '../intake/source-monitor.ts';
import type { RunState, Stop } from '../jobs/run-state.ts';
import type { JobRunner } from '../jobs/runner.ts';
import type { Workspace } from '../jobs/workspace.ts';
import type { Entrance } from './control.ts';
import { type DelaysOptions, describeDelays } from './delays.ts';
import type { LockPresence } from './find-blockers.ts';
import type { StatusReport } from './report.ts';

export interface ConditionOptions {
  readonly workspace: Pick<Workspace, 'team' | 'tree' | 'service'>;
  readonly runState: RunState;
  readonly runner: Pick<JobRunner, 'queue' | 'standstill' | keyof DelaysOptions['runner']>;
  readonly monitor: Pick<SourceMonitor, 'offline' | 'isDegraded'>;
  readonly inForce: { readonly config: Pick<Config, 'base'> };
  readonly configOnDisk: ConfigOnDisk;
  /** What was missing at the start. */
  readonly lockPresence: LockPresence;
}

export class DaemonCondition {
  readonly #options: ConditionOptions;
  #isStarted = false;
  #configFaults: readonly string[] = [];
  #lockPresence: LockPresence;
  #entrance: Entrance | undefined;

  constructor(options: ConditionOptions) {
    this.#options = options;
    this.#lockPresence = options.lockPresence;
  }

  /** It watches, or works for the leader of a tree. */
  start(): void {
    this.#isStarted = true;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** The config on disk is refused, and the config in force stays. Without faults: the config on disk is in force. */
  refuseConfig(faults: readonly string[]): void {
    this.#configFaults = faults;
  }

  /** The faults of the config on disk, while an earlier config is in force. */
  get configFaults(): readonly string[] {
    return this.#configFaults;
  }

  /** Looks whether the config file on disk is the one in force. */
  async lookAtConfig(): Promise<void> {
    await this.#options.configOnDisk.check();
  }

  /** The config file on disk differs from the config in force. A single run reads it once: there it does not matter. */
  get isConfigOutdated(): boolean {
    const { runState, configOnDisk } = this.#options;
    return runState.isWatching && configOnDisk.differs;
  }

  /** Forgets what was missing at the start: only the person who started the daemon gets a message about it. */
  forgetLockPresence(): void {
    this.#lockPresence = { lost: [], isStateNew: false };
  }

  get lockPresence(): LockPresence {
    return this.#lockPresence;
  }

  /** Sets the address of the page, for `status`. */
  showPage(entrance: Entrance): void {
    this.#entrance = entrance;
  }

  /** The address of the page; null without a page. */
  get page(): string | null {
    return this.#entrance?.address ?? null;
  }

  /** @returns an address of the page that works once; null without a page */
  visit(): string | null {
    return this.#entrance?.visit() ?? null;
  }

  get state(): StatusReport['state'] {
    const { stop, isPaused, isAtWork } = this.#options.runState;
    if (stop !== undefined) return 'stopped';
    if (isPaused) return 'paused';
    return isAtWork ? 'running' : 'not running';
  }

  get report(): Pick<StatusReport, 'state' | 'stopped_by' | 'standstill' | 'page'> {
    const { runState, runner } = this.#options;
    const { stop } = runState;
    return {
      state: this.state,
      stopped_by: stop === undefined ? null : describeFailure(stop),
      standstill: runner.standstill ?? null,
      page: this.page,
    };
  }

  /** What delays the work although nothing is wrong with it, in sentences. */
  get delays(): readonly string[] {
    return describeDelays(this.#options);
  }

  /** How the last request to the service ended. */
  get lastRequest(): Workspace['service']['contact']['lastRequest'] {
    return this.#options.workspace.service.contact.lastRequest;
  }

  get purchaseStop(): Stop | undefined {
    return this.#options.runState.purchaseStop;
  }

  get standstill(): JobRunner['standstill'] {
    return this.#options.runner.standstill;
  }

  get queue(): JobRunner['queue'] {
    return this.#options.runner.queue;
  }

  get monitor(): ConditionOptions['monitor'] {
    return this.#options.monitor;
  }

  /** Undefined: the config names no database. */
  get team(): Workspace['team'] {
    return this.#options.workspace.team;
  }

  /** Undefined: the config names no tree that daemons share. */
  get tree(): Workspace['tree'] {
    return this.#options.workspace.tree;
  }
}
