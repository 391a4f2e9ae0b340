/** Synchronises the jobs and the lock of the team: writes the lock when no job runs, and turns what a pulled lock decides into jobs. */
import { OnwardTime } from '../clock.ts';
import { type Failure, failureOf, isOfLock } from '../failure.ts';
import { type BringOptions, bringTargets } from '../intake/bring-targets.ts';
import { formerPathsOf } from '../intake/former-paths.ts';
import type { JobRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Plan } from '../plan/plan.ts';
import { type LockFiles, type LockName, lockNames } from '../state/lock-file.ts';
import type { DaemonParts } from './daemon-parts.ts';
import { DecidedElsewhere } from './decided-elsewhere.ts';
import { LockKeeper } from './lock-keeper.ts';
import { TreeNotes } from './lock-notes.ts';
import type { LockedTerminology } from './lock-terminology.ts';
import { lockAsLeft, lockInOrder } from './lock-tidying.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds between two looks at the lock, and between two writings of it while jobs run. */
const LOOK_MS = 1000;
const WRITE_MS = 60_000;
/** Failures of a writing that pass without a new start, beside those of the lock. */
const PASSING: ReadonlySet<Failure['kind']> = new Set(['disk-full', 'unwritable']);

export interface LockSyncOptions
  extends Pick<DaemonParts, 'inForce' | 'workspace' | 'world' | 'monitor' | 'runner' | 'runState'> {
  readonly files: LockFiles;
  readonly keeper: LockKeeper;
}

/** With the lock of the team, where the config names one. */
export interface PartsWithLock extends DaemonParts {
  readonly lockKeeper: LockKeeper | undefined;
  /** Undefined together with `lockKeeper`. */
  readonly lockSync: LockSync | undefined;
}

export interface LockChange {
  /** Absolute paths of files of the lock that were written or removed. */
  readonly changed: readonly string[];
  /** Jobs that have something to buy or to write. */
  readonly open: number;
}

/** @returns undefined where the config names no lock */
export function openKeeper(
  workspace: Workspace,
  inForce: InForce,
  rules: LockedTerminology,
): LockKeeper | undefined {
  const { lock, ledger, baselines, tree } = workspace;
  lock?.follow(formerPathsOf(inForce, ledger));
  const { state } = inForce.config;
  const notes = tree && { notes: new TreeNotes(ledger, tree, state) };
  const known = { state, ledger, baselines, inForce, terminology: rules, ...notes };
  return lock && new LockKeeper({ files: lock, ...known });
}

/** The plan from disk, config and ledger, and from the lock for jobs that are done. */
export async function planAll({
  inForce,
  lockSync,
}: Pick<PartsWithLock, 'inForce' | 'lockSync'>): Promise<Plan> {
  const plan = await inForce.planner.planInTurns('passing');
  return (await lockSync?.completed(plan)) ?? plan;
}

export class LockSync {
  readonly #options: LockSyncOptions;
  readonly #decided: DecidedElsewhere;
  #damage: Failure | undefined;
  #preparing: Promise<unknown> | undefined;

  constructor(options: LockSyncOptions) {
    const { files, inForce, runner, workspace } = options;
    this.#options = options;
    this.#decided = new DecidedElsewhere({
      files,
      inForce,
      state: inForce.config.state,
      baselines: workspace.baselines,
      estimate: (...asked) => runner.estimate(...asked),
    });
  }

  /** Why the lock cannot be read, by the last look of `watch`; undefined: it can. */
  get damage(): Failure | undefined {
    return this.#damage;
  }

  async #lookForDamage(): Promise<void> {
    try {
      await this.refuseUnreadable();
      this.#damage = undefined;
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'damaged-state') throw error;
      this.#damage = failure;
    }
  }

  /** @throws JobFailure `damaged-state` for a damaged lock, or one of a newer version: then no request is sent */
  async refuseUnreadable(): Promise<void> {
    const { files, inForce } = this.#options;
    const names = lockNames(inForce.config.projects);
    await files.refuseNewer(names);
    // It takes seconds to read a large lock.
    const isAsLeft = await lockAsLeft({ files, state: inForce.config.state });
    for (const name of names) if (!(await isAsLeft(name))) await files.refuseDamaged(name);
  }

  /** The plan, with the jobs that are finished on this machine and that the lock decides or contradicts. */
  async completed(plan: Plan): Promise<Plan> {
    const { inForce, workspace } = this.#options;
    const decided = await this.#decided.among(plan.held);
    const over = new Set(plan.work.map(({ job }) => job.id));
    const contradicted = await this.#decided.contradicted(
      workspace.ledger.all('jobs'),
      (job) => !over.has(job.id) && inForce.planner.wants(job),
    );
    const isDecided = new Set(decided.map(({ job }) => job.id));
    return {
      ...plan,
      work: [...plan.work, ...decided, ...contradicted],
      held: plan.held.filter(({ id }) => !isDecided.has(id)),
      unchanged: plan.unchanged - contradicted.length,
    };
  }

  /** Moves the targets of sources that somebody moved before this checkout knew them. */
  async bringTargets(): Promise<void> {
    const { files, inForce, workspace, world } = this.#options;
    const { ledger, trash, right } = workspace;
    const { state } = inForce.config;
    // It takes seconds to read a large lock, and where nothing was moved, that is not needed.
    const isInOrder = await lockInOrder({ files, inForce, ledger, state });
    const lock: BringOptions['lock'] = {
      moved: async (name) => ((await isInOrder(name)) ? new Map() : await files.moved(name)),
    };
    const onMoved = (move: { project: string; from: string; to: string }) =>
      world.events.emit({ kind: 'source-moved', ...move });
    await bringTargets({ lock, inForce, trash, right, onMoved });
  }

  /** Updates the ledger for targets that are right as they are, and writes the lock. Buys nothing, and writes no target. */
  async bring(orphans: 'keep' | 'drop'): Promise<LockChange> {
    const { inForce, keeper, monitor, runner, runState } = this.#options;
    await monitor.scan();
    const { work, held } = await inForce.planner.planInTurns('passing');
    const right = await this.#decided.stillOpen(work);
    const current = [...right, ...(await this.#decided.among(held))];
    if (!runState.isAtWork && current.length > 0) {
      await runner.enqueue(current);
      await runner.idle();
    }
    return { changed: await keeper.writeAll(orphans), open: work.length - right.length };
  }

  /**
   * Before a person's statement goes into the lock of a language that has none: writes all of its lines. While jobs of a daemon wait or run,
   * `keep` writes them after these jobs: the person does not wait for that.
   */
  async prepareFor(name: LockName): Promise<void> {
    const { files, runner, runState } = this.#options;
    if (await files.has(name)) return;
    const { waiting, running } = runner.queue;
    if (runState.isWatching && runState.takesJobs && waiting + running > 0) return;
    this.#preparing ??= this.bring('keep').finally(() => {
      this.#preparing = undefined;
    });
    await this.#preparing;
  }

  /** Takes the present lock as the start: later changes are found by `watch`. */
  async begin(): Promise<void> {
    await this.#decided.read();
    await this.bringTargets();
  }

  /** Offers the jobs that are finished on this machine and that the lock decides or contradicts. */
  async enqueueDecided(isMeant: (job: JobRecord) => boolean): Promise<void> {
    const { runner, workspace } = this.#options;
    const jobs = [...workspace.ledger.all('jobs')];
    const decided = await this.#decided.among(jobs.filter(isMeant));
    await runner.enqueue([...decided, ...(await this.#decided.contradicted(jobs, isMeant))]);
  }

  /**
   * Writes the lock when no job waits or runs, and every minute while one does or after a failure; never while git changes files. Resolves with
   * the signal.
   */
  async keep(signal: AbortSignal): Promise<void> {
    const { keeper, runner, runState, world } = this.#options;
    const time = new OnwardTime(world.clock);
    let written = time.now();
    while (!signal.aborted) {
      await world.clock.sleep(LOOK_MS, signal).catch(() => {});
      if (!keeper.isBehind || runState.gitOperation !== undefined) continue;
      const { waiting, running } = runner.queue;
      const isAtRest = waiting + running === 0;
      const isUrgent = isAtRest && keeper.arrears?.failure === undefined;
      if (!isUrgent && time.now() - written < WRITE_MS) continue;
      await this.#writeOrReport(isAtRest ? 'drop' : 'keep');
      written = time.now();
    }
  }

  /** A full disk may have room again, so the daemon goes on; `LockKeeper.arrears` reports it until then. */
  async #writeOrReport(orphans: 'keep' | 'drop'): Promise<void> {
    const { keeper, world } = this.#options;
    const known = keeper.arrears?.failure;
    try {
      await keeper.write(orphans);
    } catch (error) {
      const failure = failureOf(error);
      if (!isOfLock(failure) && !PASSING.has(failure.kind)) throw error;
      if (known !== undefined) return;
      const { message } = error as Error;
      world.events.emit({ kind: 'housekeeping-failed', what: 'the lock', message });
    }
  }

  /** A lock that cannot be read ends no daemon: when it can be read again, all that it may have decided meanwhile is looked at. */
  async #followLock(): Promise<void> {
    const wasDamaged = this.#damage !== undefined;
    try {
      const isMeant = await this.#decided.read();
      if (isMeant === undefined && !wasDamaged) return;
      await this.#lookForDamage();
      if (this.#damage !== undefined) return;
      await this.enqueueDecided(isMeant === undefined || wasDamaged ? () => true : isMeant);
    } catch (error) {
      const failure = failureOf(error);
      if (!isOfLock(failure)) throw error;
      this.#damage = failure;
    }
  }

  /**
   * A pulled lock may decide what is held here. (The watch finds the sources and targets that came with it.) Resolves with the
   * signal.
   */
  async watch(signal: AbortSignal): Promise<void> {
    const { runState, world } = this.#options;
    await this.#lookForDamage();
    while (!signal.aborted) {
      await world.clock.sleep(LOOK_MS, signal).catch(() => {});
      if (signal.aborted || runState.gitOperation !== undefined) continue;
      await this.#followLock();
    }
  }
}
