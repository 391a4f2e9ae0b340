/** The work of a daemon that leads: watches, plans, and writes the lock. Without a tree every daemon leads; of the daemons of a tree, one. */
import { failureOf } from '../failure.ts';
import { repairTargets } from '../intake/repair-targets.ts';
import type { JobId } from '../job.ts';
import { afterDelivery, deliveriesAmong } from '../lanes/document/copies.ts';
import { commitDecision, type SourceRecord } from '../ledger.ts';
import { takeJobsOfOthers } from './jobs-of-others.ts';
import type { PartsWithLock } from './lock-sync.ts';
import { watchOutages } from './outages.ts';
import { leadWithTerminology } from './reload.ts';
import { applyRetention, forgetLoss } from './retention.ts';

/** Milliseconds between two applications of `keep`. */
const RETENTION_MS = 10 * 60_000;

export class Leader {
  readonly #parts: PartsWithLock;

  constructor(parts: PartsWithLock) {
    this.#parts = parts;
  }

  /** Works until this daemon leads the tree. @returns false when the signal comes first */
  async succeed(end: AbortSignal): Promise<boolean> {
    const { workspace, inForce, monitor, runner, fatal } = this.#parts;
    const { tree } = workspace;
    if (tree === undefined) return true;
    const led = tree.lead(end).then(
      () => true,
      (error: unknown) => {
        if (end.aborted) return false;
        throw error;
      },
    );
    if (!(await Promise.race([fatal.thrown, led]))) return false;
    await repairTargets(workspace, inForce.config, 'follow');
    // Until now this daemon knew its own jobs only.
    await monitor[Symbol.asyncDispose]();
    monitor.renew();
    runner.lead();
    return true;
  }

  /** Opens the watch, and offers all open jobs. */
  async begin(): Promise<void> {
    const { workspace, monitor, runner, lockKeeper, lockSync, fatal } = this.#parts;
    const { ledger, tree } = workspace;
    tree?.onJobs((ids) => {
      fatal.watch(this.#followDeliveries(ids));
      const sources = takeJobsOfOthers({ ledger, runner, monitor, lock: lockKeeper }, ids);
      if (sources.length > 0) fatal.watch(this.#planAgain(sources));
    });
    // Jobs may have ended while nobody led, or under a leader that died before it wrote their lines.
    if (tree !== undefined) await lockKeeper?.readLeft();
    // Before the first job begins.
    await lockSync?.refuseUnreadable();
    await monitor.open('events');
    await lockSync?.begin();
    if (tree !== undefined) await this.#followDeliveries();
    await runner.enqueuePlan('passing');
    await lockSync?.enqueueDecided(() => true);
  }

  /**
   * Documents that workers have delivered: copies use their results, too. @param ids those that other daemons have just changed; absent: all
   */
  async #followDeliveries(ids?: readonly JobId[]): Promise<void> {
    const { workspace, runner } = this.#parts;
    const { ledger } = workspace;
    const jobs = () => ids?.flatMap((id) => ledger.get('jobs', id) ?? []) ?? ledger.all('jobs');
    const after = () => afterDelivery(ledger, deliveriesAmong(ledger, jobs()));
    const { facts, sources } = after();
    if (facts.length === 0) return;
    await commitDecision(ledger, () => after().facts);
    await runner.enqueuePlan('none', sources);
  }

  /** A worker may have met newer content than is on record. With the old record, it would get the same job again and again. */
  async #planAgain(sources: readonly SourceRecord[]): Promise<void> {
    const { workspace, monitor, runner } = this.#parts;
    try {
      await monitor.lookAt(sources);
    } catch (error) {
      // The daemon ends, or a reload of its config plans everything.
      if (failureOf(error).kind === 'stopped') return;
      throw error;
    }
    const present = sources.flatMap(({ id }) => workspace.ledger.get('sources', id) ?? []);
    if (present.length > 0) await runner.enqueuePlan('none', present);
  }

  /** Leads until the signal. */
  async lead(end: AbortSignal): Promise<void> {
    const { workspace, world, runner, runState, terminology, lockSync, fatal } = this.#parts;
    fatal.watch(runner.idle().then(() => forgetLoss(workspace)));
    fatal.watch(runner.watchOffers(end));
    fatal.watch(watchOutages({ workspace, runner, runState, clock: world.clock }, end));
    if (lockSync !== undefined) {
      fatal.watch(lockSync.keep(end));
      fatal.watch(lockSync.watch(end));
    }
    fatal.watch(terminology.watch(leadWithTerminology(this.#parts), end));
    await Promise.race([fatal.thrown, this.#keepTidy(end)]);
  }

  /** Applies `keep`. Resolves with the signal. */
  async #keepTidy(signal: AbortSignal): Promise<void> {
    const { workspace, world, inForce, terminology, runner } = this.#parts;
    while (!signal.aborted) {
      await applyRetention(workspace, inForce.config.keep, world);
      // A spool that cannot be read now is swept in an hour; its jobs report it.
      await runner.sweepSpool().catch(() => {});
      await terminology.syncChanged([]);
      await world.clock.sleep(RETENTION_MS, signal).catch(() => {});
    }
  }
}
