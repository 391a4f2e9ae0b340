/** What a daemon does now, and why it takes up no work. All parts share one such object and read it when they need it. */
import type { Events } from '../event.ts';
import { describeFailure, type Failure } from '../failure.ts';
import { type GitOperation, operationUnderWay } from '../files/work-tree.ts';
import type { JobRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Service } from '../service/client.ts';
import type { Tree } from '../state/tree.ts';

/** The failures that stop all paid work. A job that fails so is queued again. */
export type Stop = Extract<
  Failure,
  { kind: 'key-missing' | 'key-refused' | 'quota-exceeded' | 'team-state' }
>;

export interface RunStateOptions {
  readonly inForce: { readonly config: Pick<InForce['config'], 'projects'> };
  /** The client, which reports itself what stops all calls of its key. */
  readonly service: Pick<Service, 'state'>;
  /** Absent: the config names no tree that daemons share. */
  readonly tree?: Pick<Tree, 'isFit'> | undefined;
  readonly events: Events;
}

export class RunState {
  readonly #options: RunStateOptions;
  #mode: 'idle' | 'once' | 'watching' = 'idle';
  #stop: Stop | undefined;
  /** True: this class has reported the stop, and reports its end. */
  #isReported = false;
  #isPaused = false;
  #isResting = false;

  constructor(options: RunStateOptions) {
    this.#options = options;
  }

  /** @param mode `watching`: a daemon; `once`: a single run */
  begin(mode: 'once' | 'watching'): void {
    this.#mode = mode;
  }

  /** False until `begin`: a command that only asks never begins. */
  get isAtWork(): boolean {
    return this.#mode !== 'idle';
  }

  /** True in a daemon, which tries a job that failed for a passing reason again later; false in a single run. */
  get isWatching(): boolean {
    return this.#mode === 'watching';
  }

  /** Why paid work is stopped. */
  get stop(): Stop | undefined {
    return this.#stop;
  }

  /** Requests that were under way are refused as well: the stop is reported once. */
  recordStop(failure: Stop): void {
    const { events, service } = this.#options;
    if (this.#stop === undefined && service.state.kind !== 'stopped') {
      this.#isReported = true;
      events.emit({ kind: 'paid-work-stopped', failure });
    }
    this.#stop ??= failure;
  }

  endStop(): void {
    if (this.#isReported) this.#options.events.emit({ kind: 'paid-work-resumed' });
    this.#isReported = false;
    this.#stop = undefined;
  }

  /** Why nothing can be bought: `stop`, or what the client was refused for before any job met it. */
  get purchaseStop(): Stop | undefined {
    const { state } = this.#options.service;
    return this.stop ?? (state.kind === 'stopped' ? state.failure : undefined);
  }

  get isPaused(): boolean {
    return this.#isPaused;
  }

  /** Takes up no more jobs. Running jobs go on. */
  pause(): void {
    this.#isPaused = true;
  }

  /** Ends the pause, which only a person may do. */
  endPause(): void {
    this.#isPaused = false;
  }

  /** An operation of git that is not finished in a work tree of the projects. */
  get unfinished(): GitOperation | undefined {
    return operationUnderWay(this.#options.inForce.config.projects.map(({ root }) => root));
  }

  /** The same in a daemon, which begins no work meanwhile: the files are half of one branch and half of another. */
  get gitOperation(): GitOperation | undefined {
    return this.isWatching ? this.unfinished : undefined;
  }

  /** No job begins until the result is disposed. */
  rest(): Disposable {
    this.#isResting = true;
    return {
      [Symbol.dispose]: () => {
        this.#isResting = false;
      },
    };
  }

  /**
   * False while a person has paused the work, paid work is stopped, or git changes the files of a project. Also false when this daemon is
   * about to get another config, or the leader of the tree has another one. Also false while the spool of the tree cannot be written.
   */
  get mayBegin(): boolean {
    if (this.#isPaused || this.#stop !== undefined || this.#isResting) return false;
    return this.gitOperation === undefined && this.#options.tree?.isFit !== false;
  }

  /** Whether this daemon takes jobs of the tree now. */
  get takesJobs(): boolean {
    return this.isAtWork && this.mayBegin;
  }

  /** Whether queued jobs wait for a person, for git or for paid work to resume. */
  get isHeldUp(): boolean {
    return this.#isPaused || this.#stop !== undefined || this.gitOperation !== undefined;
  }

  /** Whether a job may be writing now, or soon. */
  isBusy({ state }: Pick<JobRecord, 'state'>): boolean {
    return this.isAtWork && (state.kind === 'queued' || state.kind === 'running');
  }

  /** Why it takes up no jobs, for people; empty while it does. */
  get troubles(): readonly string[] {
    return [
      ...(this.#isPaused ? ['a person has paused it'] : []),
      ...(this.#stop === undefined ? [] : [`it buys nothing: ${describeFailure(this.#stop)}`]),
    ];
  }
}
