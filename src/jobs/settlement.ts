/** Turns the result or the failure of a claimed job into its state. This happens nowhere else. */
import { dirname, join } from 'node:path';
import { type Clock, isoTime } from '../clock.ts';
import { type Events, ofJob } from '../event.ts';
import { type Failure, fullFolder, isPassing, JobFailure } from '../failure.ts';
import type { Job, JobId, JobState, Step } from '../job.ts';
import type { LaneResult } from '../lane.ts';
import type { Claim, JobRecord, Ledger } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import { backoff, MAX_ATTEMPTS } from '../service/retry.ts';
import { type ChangingFile, ChangingFiles } from './changing-files.ts';
import type { LockKeeper } from './lock-keeper.ts';
import type { OfferOutcome } from './queue.ts';
import type { RunState, Stop } from './run-state.ts';

export interface SettlementOptions {
  readonly ledger: Ledger;
  readonly events: Events;
  readonly clock: Clock;
  /** In [0, 1); for the jitter of retries. */
  random(): number;
  readonly runState: RunState;
  readonly inForce: InForce;
  /** Name of this daemon; absent: it shares no tree with others. */
  readonly daemon?: string;
  /** Learns which jobs change the lock; absent: there is no lock. */
  readonly lock?: Pick<LockKeeper, 'publishing' | 'settled'>;
  /** Called when the targets of a job are as the ledger says now. */
  delivered(job: JobId): void;
}

export interface ClaimedJob {
  readonly claim: Claim;
  /** The job when it was claimed. */
  readonly record: JobRecord;
}

export type DiskFull = Extract<Failure, { kind: 'disk-full' }>;

export class JobSettlement {
  readonly #options: SettlementOptions;
  /** Folders that were reported because their disk is full. */
  readonly #full = new Set<string>();
  readonly #changing: ChangingFiles;
  #settled = 0;

  constructor(options: SettlementOptions) {
    this.#options = options;
    this.#changing = new ChangingFiles(options.clock);
  }

  /** The files that have changed at each try of their jobs. */
  get changingFiles(): Iterable<ChangingFile> {
    return this.#changing;
  }

  /** How many jobs it has delivered, held or failed. */
  get settled(): number {
    return this.#settled;
  }

  /** @param started when the lane began, in milliseconds since the epoch: for the duration in the event */
  async result(job: ClaimedJob, result: LaneResult, started: number): Promise<OfferOutcome> {
    const { claim, record } = job;
    const { ledger, events, lock } = this.#options;
    if (result.kind !== 'poll') this.#changing.ended(record.id);
    switch (result.kind) {
      case 'delivered':
        await this.#delivered(job, result, started);
        return { kind: 'over' };
      case 'held':
        await lock?.publishing(record);
        await ledger.settle(
          claim,
          {
            state: result.state,
            ...(result.wrote === undefined ? {} : { wrote: result.wrote }),
          },
          'over',
        );
        lock?.settled(record);
        this.#settled += 1;
        events.emit({ kind: 'job-held', hold: result.state.hold, ...ofJob(record) });
        return { kind: 'over' };
      case 'poll': {
        const step = this.#stepNow(job);
        const state: JobState = { kind: 'running', attempt: 0, step, notBefore: result.at };
        await ledger.settle(claim, { state }, { againAt: result.at });
        return { kind: 'again', notBefore: result.at };
      }
      case 'superseded':
        await ledger.settle(claim, { state: { kind: 'queued' } }, 'over');
        events.emit({ kind: 'job-superseded', ...ofJob(record) });
        return { kind: 'over' };
    }
  }

  /** The job is no work now: the config does not ask for it, or its source is missing. A change of that plans it again. */
  async waits({ claim }: ClaimedJob): Promise<OfferOutcome> {
    await this.#options.ledger.settle(claim, { state: { kind: 'queued' } }, 'over');
    return { kind: 'over' };
  }

  /** No paid work begins now, whatever the job. It is queued until the cause is mended. */
  async stopped({ claim }: ClaimedJob, failure: Stop): Promise<void> {
    const { ledger, clock } = this.#options;
    const state: JobState = { kind: 'queued', stoppedBy: failure };
    await ledger.settle(claim, { state }, { againAt: clock.now() });
  }

  async #delivered(
    { claim, record }: ClaimedJob,
    result: Extract<LaneResult, { kind: 'delivered' }>,
    started: number,
  ): Promise<void> {
    const { ledger, events, clock, delivered, lock } = this.#options;
    await lock?.publishing(record);
    await ledger.settle(
      claim,
      {
        state: result.state,
        wrote: result.wrote,
        delivered: record.fingerprint,
        ...(result.reading === undefined ? {} : { reading: result.reading }),
      },
      'over',
    );
    lock?.settled(record);
    delivered(record.id);
    this.#settled += 1;
    events.emit({
      kind: 'job-delivered',
      wrote: result.changed,
      durationMs: clock.now() - started,
      ...ofJob(record),
    });
    if (result.state.kind === 'held') {
      events.emit({ kind: 'job-held', hold: result.state.hold, ...ofJob(record) });
    }
    this.#hasSpace(record, result.changed);
  }

  /** The job is tried again in a moment. */
  async soon(job: ClaimedJob, failure: Failure): Promise<OfferOutcome> {
    const { ledger, events, clock, random } = this.#options;
    const { claim, record } = job;
    const attempts = attemptOf(record);
    const delay = backoff(attempts, random());
    this.#tried(record.id, failure);
    const notBefore = clock.now() + delay;
    const step = this.#stepNow(job);
    const state: JobState = { kind: 'running', attempt: attempts + 1, step, notBefore };
    await ledger.settle(claim, { state }, { againAt: notBefore });
    events.emit({ kind: 'job-retried', failure, inMs: delay, ...ofJob(record) });
    return { kind: 'again', notBefore };
  }

  /** @param error what was thrown: it may have the trace id of the service */
  async failure(job: ClaimedJob, failure: Failure, error?: unknown): Promise<OfferOutcome> {
    const { ledger, events, clock, random, runState } = this.#options;
    const { claim, record } = job;
    const attempts = attemptOf(record);
    // A daemon has time: people who save into a file without a pause do not make its job fail.
    const isSoon = isTriedHere(failure) && (runState.isWatching || attempts < MAX_ATTEMPTS);
    if (isSoon) return await this.soon(job, failure);
    this.#changing.ended(record.id);
    const failed = { kind: 'failed', at: isoTime(clock), failure, attempts } as const;
    const isOver = !runState.isWatching || !isPassing(failure);
    const againAt = clock.now() + laterDelay(attempts, random());
    const { daemon } = this.#options;
    const where = daemon === undefined ? {} : { daemon };
    const state = { ...failed, service: this.#options.inForce.serviceDigest, ...where };
    await ledger.settle(claim, { state }, isOver ? 'over' : { againAt });
    this.#settled += 1;
    const traceId = error instanceof JobFailure ? error.traceId : undefined;
    events.emit({
      kind: 'job-failed',
      failure,
      ...(traceId === undefined ? {} : { traceId }),
      ...ofJob(record),
    });
    return isOver ? { kind: 'over' } : { kind: 'again', notBefore: againAt };
  }

  /** Another daemon of the tree may try the job at once. It costs no attempt. */
  async leave(job: ClaimedJob, failure: Failure): Promise<OfferOutcome> {
    const { ledger, events, clock } = this.#options;
    const { claim, record } = job;
    this.#tried(record.id, failure);
    const notBefore = clock.now();
    const step = this.#stepNow(job);
    const state: JobState = { kind: 'running', attempt: attemptOf(record), step, notBefore };
    await ledger.settle(claim, { state }, { againAt: notBefore });
    events.emit({ kind: 'job-retried', failure, inMs: 0, ...ofJob(record) });
    return { kind: 'again', notBefore };
  }

  /** The disk is full: the job gives its slot back and is tried again. The event is emitted once for each folder. */
  async full(job: ClaimedJob, failure: DiskFull): Promise<OfferOutcome> {
    const { ledger, events, clock, runState } = this.#options;
    this.#tried(job.record.id, failure);
    const folder = fullFolder(failure);
    if (!this.#full.has(folder)) events.emit({ kind: 'disk-full', folder, failure });
    this.#full.add(folder);
    const attempts = attemptOf(job.record);
    if (!runState.isWatching && attempts >= SPACE_TRIES) return await this.failure(job, failure);
    const notBefore = clock.now() + (runState.isWatching ? SPACE_LATER_MS : SPACE_SOON_MS);
    const step = this.#stepNow(job);
    const attempt = runState.isWatching ? attempts : attempts + 1;
    const state: JobState = { kind: 'running', attempt, step, notBefore, waitsFor: failure };
    await ledger.settle(job.claim, { state }, { againAt: notBefore });
    return { kind: 'again', notBefore };
  }

  #tried(job: JobId, failure: Failure): void {
    if (failure.kind === 'changed-meanwhile') this.#changing.changed(job, failure.file);
    else this.#changing.ended(job);
  }

  /** A file was written there: when the disk is full again, that is reported again. */
  #hasSpace({ project }: Job, changed: readonly string[]): void {
    const root = this.#options.inForce.planner.project(project)?.root ?? '';
    for (const path of changed) this.#full.delete(dirname(join(root, path)));
  }

  /** The last durable step: the next try resumes from it. */
  #stepNow({ claim, record }: ClaimedJob): Step {
    return stepOf(this.#options.ledger.get('jobs', claim.id) ?? record);
  }
}

/** The client has already tried failures of the service again. Failures of files are tried again here. */
function isTriedHere({ kind }: Failure): boolean {
  return kind === 'changed-meanwhile';
}

/** Milliseconds until a job looks again whether the disk has space: in a single run, and in a daemon. */
const SPACE_SOON_MS = 5000;
const SPACE_LATER_MS = 30_000;
/** How often a single run tries: it ends within about 20 seconds. */
const SPACE_TRIES = 5;

/** Milliseconds until a daemon tries a failed job again, about: at first, and at most. `outages.ts` may offer it earlier. */
const LATER_MS = 15_000;
const LATEST_MS = 10 * 60_000;

/**
 * Random, from half of the time to one and a half. So jobs that failed together are tried one after the other, and the first success lets
 * the others follow.
 */
function laterDelay(attempts: number, random: number): number {
  return Math.min(LATEST_MS, LATER_MS * 2 ** (attempts - 1)) * (0.5 + random);
}

/** The number of the try, from 1. 0: the job only asks whether a result is ready. */
export function attemptOf(record: JobRecord): number {
  return record.state.kind === 'running' ? record.state.attempt : 1;
}

export function stepOf(record: JobRecord): Step {
  return record.state.kind === 'running' ? record.state.step : { kind: 'started' };
}
