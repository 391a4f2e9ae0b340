/** Claims offered jobs and runs them through their lanes. `settlement.ts` writes the result to the ledger. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../clock.ts';
import { isBoughtByText } from '../config/lane-languages.ts';
import { ofJob } from '../event.ts';
import { type Failure, failureOf, JobFailure } from '../failure.ts';
import { parseStat, statOf } from '../files/disk.ts';
import type { Mutex } from '../files/mutex.ts';
import { requireRemovable } from '../files/writable.ts';
import { recordPlaced } from '../intake/placed.ts';
import {
  type Hold,
  type Job,
  type JobId,
  type Lane,
  type Step,
  sourceId,
  targetList,
} from '../job.ts';
import {
  type Estimate,
  LARGEST_SOURCE,
  type LaneResult,
  type LaneRun,
  type LaneWorker,
} from '../lane.ts';
import { inEnglish } from '../language.ts';
import {
  commitDecision,
  type JobRecord,
  type LedgerView,
  type SourceRecord,
  StaleClaim,
} from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import { MAX_ATTEMPTS } from '../service/retry.ts';
import type { LockFiles } from '../state/lock-file.ts';
import { asStateFailure } from '../state/state-disk.ts';
import type { UndoLog } from '../state/undo-log.ts';
import { LeftToOthers, mayBeOfThisMachine, NEXT_OFFER_MS } from './left-to-others.ts';
import { sourceAfter } from './missing-source.ts';
import type { Offer, OfferOutcome, Worker } from './queue.ts';
import type { Stop } from './run-state.ts';
import {
  attemptOf,
  type ClaimedJob,
  JobSettlement,
  type SettlementOptions,
  stepOf,
} from './settlement.ts';
import { leftOutTarget, markersOf, unfetchedSource, unfetchedTarget } from './unmerged.ts';
import { requirePossibleTargets, requireWritableFiles } from './where-writable.ts';

export interface ExecutionOptions extends SettlementOptions {
  readonly lanes: readonly LaneWorker[];
  /** True: another daemon of the tree takes the jobs that this one leaves. */
  readonly sharesJobs: boolean;
  /** A mutex for each job: while a job publishes, its targets are not moved or removed. */
  readonly publications: Mutex;
  /** Keeps what a target replaces, before the target is put in place. */
  readonly undo: Pick<UndoLog, 'record'>;
  /** Where the source of a job was before it was moved, according to the lock; absent: there is no lock. */
  readonly formerPath?: LockFiles['formerPath'];
  /** See `LaneRun.replan`. */
  replan(source: SourceRecord): void;
}

export class Execution {
  readonly #options: ExecutionOptions;
  readonly #settlement: JobSettlement;
  readonly #lanes: ReadonlyMap<Lane, LaneWorker>;
  /** Jobs that were offered while no job could begin. */
  readonly #parked = new Set<JobId>();
  readonly #left: LeftToOthers;
  #begun = 0;

  constructor(options: ExecutionOptions) {
    this.#options = options;
    this.#left = new LeftToOthers(options.clock);
    this.#settlement = new JobSettlement(options);
    this.#lanes = new Map(options.lanes.map((lane) => [lane.lane, lane]));
  }

  /** See `JobRunner`. */
  get settled(): number {
    return this.#settlement.settled;
  }

  /** The files that have changed at each try of their jobs. */
  get changingFiles(): JobSettlement['changingFiles'] {
    return this.#settlement.changingFiles;
  }

  /** See `JobRunner`. */
  get begun(): number {
    return this.#begun;
  }

  /** @returns the parked jobs, when jobs may begin again; else none */
  unpark(): JobId[] {
    if (!this.#options.runState.mayBegin) return [];
    const waiting = [...this.#parked];
    this.#parked.clear();
    return waiting;
  }

  readonly work: Worker = async (offer, signal) => {
    const { ledger, clock, runState } = this.#options;
    if (!runState.mayBegin) return this.#park(offer);
    if (this.#left.has(offer.id)) return { kind: 'again', notBefore: clock.now() + NEXT_OFFER_MS };
    const claim = await ledger.claim(offer.id);
    const record = ledger.get('jobs', offer.id);
    // Another writer may have taken the job over before the claim was durable: then the job is offered again.
    if (claim === undefined || record?.fence !== claim.fence) {
      return runState.mayBegin ? { kind: 'over' } : this.#park(offer);
    }
    using publication = new DisposableStack();
    try {
      if (this.#isOutOfConfig(record)) return await this.#settlement.waits({ claim, record });
      return await this.#attempt({ claim, record, signal, publication });
    } catch (error) {
      if (error instanceof StaleClaim) return { kind: 'over' };
      throw error;
    }
  };

  /** See `LaneWorker.estimate`. */
  async estimate(...[job, ...asked]: Parameters<LaneWorker['estimate']>): Promise<Estimate> {
    requireSize(this.#options.ledger, job);
    requireLanguage(this.#options.inForce, job);
    requirePossibleTargets(this.#options.inForce, job);
    const hold = await this.#unmergedHold(job);
    if (hold !== undefined) return { job, characters: 0, atLeast: false, hold };
    const former = await targetsToMove(this.#options, job);
    if (former === undefined) return await this.#laneOf(job).estimate(job, ...asked);
    await requireMovableTargets(this.#options, job, former);
    // An estimate moves nothing, so the lane looks for the targets where they are.
    const placed = { ...job, targets: former.targets };
    const estimate = await this.#laneOf(job).estimate(placed, ...asked);
    return { ...estimate, job, isUpToDate: false };
  }

  /**
   * Whether an earlier config asked for the job, as that of a leader that died. Asked of a claimed job: a worker knows no others. Documents
   * and recordings may be paid: their lanes decide. So may a target that is being put in place.
   */
  #isOutOfConfig(job: JobRecord): boolean {
    if (!isBoughtByText(job.lane) || stepOf(job).kind === 'publishing') return false;
    return !this.#options.inForce.planner.asks(job);
  }

  /** Keeps the job for `unpark`, unless another daemon may take it up. Where jobs may begin again by now, the job runs again at once. */
  #park({ id }: Pick<Offer, 'id'>): OfferOutcome {
    const { runState, clock } = this.#options;
    if (runState.mayBegin) return { kind: 'again', notBefore: clock.now() };
    if (!this.#options.sharesJobs) this.#parked.add(id);
    return { kind: 'not-taken' };
  }

  async #attempt(claimed: ClaimedAttempt): Promise<OfferOutcome> {
    const { ledger, inForce, events, clock } = this.#options;
    const started = clock.now();
    const attempt = attemptOf(claimed.record);
    // Attempt 0: the job began earlier and only asks whether its result is ready.
    if (attempt > 0) {
      this.#begun += 1;
      events.emit({ kind: 'job-started', attempt, ...ofJob(claimed.record) });
    }
    // The worker before may have put the target in place. The ledger must know it, also when this attempt ends without a target.
    if (stepOf(claimed.record)?.kind === 'publishing') {
      await this.#recordPlacedBy(claimed, { edited: 'ours' });
    }
    try {
      requireSize(ledger, claimed.record);
      // A paid result is fetched first: the target is checked when it is written.
      if ((stepOf(claimed.record)?.kind ?? 'started') === 'started') {
        requireLanguage(inForce, claimed.record);
        requirePossibleTargets(inForce, claimed.record);
        const former = await targetsToMove(this.#options, claimed.record);
        if (former !== undefined)
          await requireMovableTargets(this.#options, claimed.record, former);
      }
      const result = (await this.#heldByGit(claimed.record)) ?? (await this.#runLane(claimed));
      return await this.#settlement.result(claimed, result, started);
    } catch (error) {
      if (error instanceof StaleClaim) throw error;
      await this.#recordPlacedBy(claimed, { edited: 'left' });
      return await this.#settleError(claimed, error);
    }
  }

  async #heldByGit(job: JobRecord): Promise<LaneResult | undefined> {
    const hold = await this.#unmergedHold(job);
    if (hold === undefined) return undefined;
    const at = isoTime(this.#options.clock);
    return { kind: 'held', state: { kind: 'held', at, hold } };
  }

  /**
   * Why git keeps the job from running. When only the content of the source is missing, a job that would change no target still
   * runs.
   */
  async #unmergedHold(job: Job): Promise<Hold | undefined> {
    const markers = await markersOf(this.#options, job);
    if (markers !== undefined) return markers;
    const target =
      (await leftOutTarget(this.#options, job)) ?? (await unfetchedTarget(this.#options, job));
    if (target !== undefined) return target;
    const unfetched = await unfetchedSource(this.#options, job);
    if (unfetched === undefined) return undefined;
    const estimate = await this.#laneOf(job)
      .estimate(job, new Set())
      .catch(() => undefined);
    return estimate?.isUpToDate === true ? undefined : unfetched;
  }

  async #runLane(claimed: ClaimedAttempt): Promise<LaneResult> {
    return await this.#laneOf(claimed.record).run(laneRun(this.#options, claimed));
  }

  #laneOf(job: Job): LaneWorker {
    const lane = this.#lanes.get(job.lane);
    if (lane === undefined) throw new RangeError(`nobody works in the ${job.lane} lane`);
    return lane;
  }

  /** A job may have put targets in place before it failed. These targets are dragoman's, so the ledger must know them. */
  async #recordPlacedBy(
    { claim }: ClaimedJob,
    { edited }: { readonly edited: 'ours' | 'left' },
  ): Promise<void> {
    const { ledger, inForce } = this.#options;
    const job = ledger.get('jobs', claim.id);
    if (job === undefined) return;
    const rootOf = (project: string) => inForce.planner.project(project)?.root;
    // The settlement reports a disk that cannot be written.
    await recordPlaced(ledger, [job], { rootOf, edited }).catch(() => {});
  }

  async #settleError(claimed: ClaimedAttempt, thrown: unknown): Promise<OfferOutcome> {
    const error = asStateFailure(thrown, this.#options.inForce.config);
    const failure = failureOf(error);
    // A part of this daemon has ended, and the daemon ends, too: the job goes on in another one.
    if (failure.kind === 'stopped') return { kind: 'not-taken' };
    // The job is not at fault, and its new state could not be written.
    if (failure.kind === 'state-unwritable') throw error;
    if (failure.kind === 'disk-full') return await this.#settlement.full(claimed, failure);
    const source = await sourceAfter(failure, claimed.record, this.#options);
    if (source === 'vanished') return await this.#settlement.waits(claimed);
    if (this.#isLeft(claimed, failure)) return await this.#settlement.leave(claimed, failure);
    if (source === 'missing' && attemptOf(claimed.record) < MAX_ATTEMPTS) {
      // A single run looks at the disk again when its jobs have ended, a daemon in a moment.
      return this.#options.runState.isWatching
        ? await this.#settlement.soon(claimed, failure)
        : await this.#settlement.waits(claimed);
    }
    if (!isStop(failure)) return await this.#settlement.failure(claimed, failure, error);
    this.#options.runState.recordStop(failure);
    await this.#settlement.stopped(claimed, failure);
    return this.#park(claimed.claim);
  }

  /** Whether other daemons shall try the job. Only the leader works on recordings. */
  #isLeft({ record: { id, lane } }: ClaimedJob, failure: Failure): boolean {
    const { sharesJobs, runState } = this.#options;
    if (!sharesJobs || !runState.isWatching || lane === 'voice') return false;
    return mayBeOfThisMachine(failure) && this.#left.leave(id);
  }
}

/** Targets that are still where the source had them before it was moved. */
interface FormerTargets extends Pick<Job, 'targets'> {
  /** Those that exist, as absolute paths. */
  readonly existing: readonly string[];
}

/** The targets that a run has to move. Undefined: there are none, or a target is in its new place already. */
async function targetsToMove(
  { formerPath, inForce, ledger }: ExecutionOptions,
  job: Job,
): Promise<FormerTargets | undefined> {
  const root = inForce.planner.project(job.project)?.root;
  if (root === undefined || ledger.get('jobs', job.id)?.delivered) return undefined;
  const former = await formerPath?.(job);
  if (former === undefined) return undefined;
  const placesOf = ({ targets }: Pick<Job, 'targets'>) =>
    targetList(targets).map((path) => join(root, path));
  if (placesOf(job).some((path) => existsSync(path))) return undefined;
  const stats = await Promise.all(
    placesOf(former).map(async (path) => ({ path, stat: await statOf(path) })),
  );
  const existing = stats.flatMap(({ path, stat }) => (stat === undefined ? [] : [path]));
  return existing.length === 0 ? undefined : { targets: former.targets, existing };
}

/** @throws JobFailure for a target that cannot leave its former place: beside it, its texts would be bought again */
async function requireMovableTargets(
  { inForce }: Pick<ExecutionOptions, 'inForce'>,
  job: Job,
  { existing }: FormerTargets,
): Promise<void> {
  // Whether the lock can be written is asked for the whole run.
  await requireWritableFiles(inForce, job);
  for (const path of existing) requireRemovable(path);
}

/** @throws JobFailure `unsupported` for a source that is too large for its lane */
function requireSize(ledger: LedgerView, { project, source, lane }: Job): void {
  const stat = ledger.get('sources', sourceId(project, source))?.stat;
  const bytes = stat === undefined ? 0 : Number(parseStat(stat).size);
  const most = LARGEST_SOURCE[lane];
  if (bytes <= most) return;
  const [found, limit] = [bytes, most].map((each) => inEnglish(each));
  throw new JobFailure({
    kind: 'unsupported',
    what: `${source} has ${found} bytes, more than the limit of the ${lane} lane (${limit})`,
    advice: 'Split the file, or exclude it from the route.',
  });
}

/** @throws JobFailure `unsupported` for a language that lacks something on the service: nothing is sent, and other languages go on */
function requireLanguage({ planner }: Pick<InForce, 'planner'>, job: Job): void {
  const lack = planner.lackOf(job);
  if (lack === undefined) return;
  const [first = '', ...rest] = lack.advice;
  const advice = `${first.toUpperCase()}${rest.join('')}.`;
  throw new JobFailure({ kind: 'unsupported', what: lack.what, advice });
}

interface ClaimedAttempt extends ClaimedJob {
  readonly signal: AbortSignal;
  /** Has the lock of `publications`, from the first target until the job is settled. */
  readonly publication: DisposableStack;
}

function laneRun(options: ExecutionOptions, claimed: ClaimedAttempt): LaneRun {
  const { ledger, publications } = options;
  const { claim, record, signal, publication } = claimed;
  let begun: PublishingStep | undefined;
  return {
    job: record,
    resumeFrom: stepOf(record),
    signal,
    ...(options.sharesJobs && { leaves: signal }),
    step: async (next) => {
      // The lane repeats the step when `mayPublish` was false: then the target is recorded already.
      if (next.kind === 'publishing' && !isSameTarget(next, begun)) {
        await options.lock?.publishing(record);
        await recordReplaced(options, record, next);
        if (begun === undefined) publication.use(await publications.take(record.id));
        begun = next;
      }
      await ledger.step(claim, next);
    },
    mayPublish: () => ledger.mayPublish(claim),
    record: (decide) => commitDecision(ledger, decide),
    replan: (source) => options.replan(source),
  };
}

type PublishingStep = Extract<Step, { kind: 'publishing' }>;

function isSameTarget({ path, hash }: PublishingStep, known: PublishingStep | undefined): boolean {
  return path === known?.path && hash === known.hash;
}

/** @throws JobFailure when undo could not bring the target back later: then the target is not replaced */
async function recordReplaced(
  { inForce, undo }: ExecutionOptions,
  job: JobRecord,
  step: PublishingStep,
): Promise<void> {
  const root = inForce.planner.project(job.project)?.root;
  if (root !== undefined) await undo.record({ job, root, step });
}

function isStop(failure: Failure): failure is Stop {
  return (
    failure.kind === 'key-missing' ||
    failure.kind === 'key-refused' ||
    (failure.kind === 'quota-exceeded' && failure.scope === 'account') ||
    (failure.kind === 'team-state' && failure.problem !== 'away')
  );
}
