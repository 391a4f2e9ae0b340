/** What came of a claimed job becomes its state: the only place where that happens. */
import { dirname, join } from 'node:path';
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import { type Failure, fullFolder, isPassing, JobFailure } from '../failure.ts';
import type { Job, JobId, JobState, Step } from '../job.ts';
import type { LaneResult } from '../lane.ts';
import type { Claim, JobRecord, Ledger } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import { MAX_ATTEMPTS, retryDelay } from '../service/retry.ts';
import type { LockKeeper } from './lock-keeper.ts';
import type { OfferOutcome } from './queue.ts';

export interface SettlementOptions {
  readonly ledger: Ledger;
  readonly events: Events;
  readonly clock: Clock;
  /** In [0, 1); for the jitter of retries. */
  random(): number;
  /** Whether jobs that failed for passing reasons come again by themselves: a daemon has time, one run gives its answer. */
  readonly later: () => boolean;
  readonly inForce: InForce;
  /** The settings of `service` that requests are sent with; see `serviceMark`. */
  serviceMark(): string;
  /** Notes whose lines of the lock are to be written; absent: there is none. */
  readonly lock?: Pick<LockKeeper, 'publishing' | 'settled'>;
  /** The targets of a job stand as the ledger says now. */
  delivered(job: JobId): void;
}

interface Settled {
  readonly claim: Claim;
  /** As it was when it was claimed. */
  readonly record: JobRecord;
}

export type DiskFull = Extract<Failure, { kind: 'disk-full' }>;

export class JobSettlement {
  readonly #options: SettlementOptions;
  /** Folders on whose disk something did not fit. */
  readonly #full = new Set<string>();

  constructor(options: SettlementOptions) {
    this.#options = options;
  }

  /** @param started when its lane began, for the duration that is told */
  async result(turn: Settled, result: LaneResult, started: number): Promise<OfferOutcome> {
    const { claim, record } = turn;
    const { ledger, events, lock } = this.#options;
    switch (result.kind) {
      case 'delivered':
        await this.#delivered(turn, result, started);
        return { kind: 'over' };
      case 'held':
        await ledger.settle(claim, {
          state: result.state,
          ...(result.wrote === undefined ? {} : { wrote: result.wrote }),
        });
        lock?.settled(record);
        events.emit({ kind: 'job-held', hold: result.state.hold, ...ofJob(record) });
        return { kind: 'over' };
      case 'poll': {
        const step = this.#stepNow(turn);
        const state: JobState = { kind: 'running', attempt: 0, step, notBefore: result.at };
        await ledger.settle(claim, { state });
        return { kind: 'again', notBefore: result.at };
      }
      case 'superseded':
        await ledger.settle(claim, { state: { kind: 'queued' } });
        events.emit({ kind: 'job-superseded', ...ofJob(record) });
        return { kind: 'over' };
    }
  }

  async #delivered(
    { claim, record }: Settled,
    result: Extract<LaneResult, { kind: 'delivered' }>,
    started: number,
  ): Promise<void> {
    const { ledger, events, clock, delivered, lock } = this.#options;
    await ledger.settle(claim, {
      state: result.state,
      wrote: result.wrote,
      delivered: record.fingerprint,
      ...(result.reading === undefined ? {} : { reading: result.reading }),
    });
    lock?.settled(record);
    delivered(record.id);
    events.emit({
      kind: 'job-delivered',
      wrote: result.changed,
      durationMs: clock.now() - started,
      ...ofJob(record),
    });
    if (result.state.kind === 'held') {
      events.emit({ kind: 'job-held', hold: result.state.hold, ...ofJob(record) });
    }
    this.#hasRoom(record, result.changed);
  }

  /** @param error what was thrown: it may know the trace of the service */
  async failure(turn: Settled, failure: Failure, error?: unknown): Promise<OfferOutcome> {
    const { ledger, events, clock, random } = this.#options;
    const { claim, record } = turn;
    const attempts = attemptOf(record);
    const soon = isOurs(failure) && attempts < MAX_ATTEMPTS;
    const delay = soon ? retryDelay(failure, attempts, random()) : undefined;
    if (delay !== undefined) {
      const notBefore = clock.now() + delay;
      const step = this.#stepNow(turn);
      await ledger.settle(claim, {
        state: { kind: 'running', attempt: attempts + 1, step, notBefore },
      });
      events.emit({ kind: 'job-retried', failure, inMs: delay, ...ofJob(record) });
      return { kind: 'again', notBefore };
    }
    const failed = { kind: 'failed', at: isoTime(clock), failure, attempts } as const;
    await ledger.settle(claim, { state: { ...failed, service: this.#options.serviceMark() } });
    const traceId = error instanceof JobFailure ? error.traceId : undefined;
    events.emit({
      kind: 'job-failed',
      failure,
      ...(traceId === undefined ? {} : { traceId }),
      ...ofJob(record),
    });
    if (!this.#options.later() || !isPassing(failure)) return { kind: 'over' };
    return { kind: 'again', notBefore: clock.now() + laterDelay(attempts) };
  }

  /** Jobs that wait for room have no slot; it is said once for each folder. */
  async full(turn: Settled, failure: DiskFull): Promise<OfferOutcome> {
    const { ledger, events, clock, later } = this.#options;
    const folder = fullFolder(failure);
    if (!this.#full.has(folder)) events.emit({ kind: 'disk-full', folder, failure });
    this.#full.add(folder);
    const attempts = attemptOf(turn.record);
    if (!later() && attempts >= ROOM_TRIES) return await this.failure(turn, failure);
    const notBefore = clock.now() + (later() ? ROOM_LATER_MS : ROOM_SOON_MS);
    const step = this.#stepNow(turn);
    const attempt = later() ? attempts : attempts + 1;
    const state: JobState = { kind: 'running', attempt, step, notBefore, waitsFor: failure };
    await ledger.settle(turn.claim, { state });
    return { kind: 'again', notBefore };
  }

  /** A folder that is full again is told again. */
  #hasRoom({ project }: Job, changed: readonly string[]): void {
    const root = this.#options.inForce.planner.project(project)?.root ?? '';
    for (const path of changed) this.#full.delete(dirname(join(root, path)));
  }

  /** The last durable step: a later try resumes from it. */
  #stepNow({ claim, record }: Settled): Step {
    return stepOf(this.#options.ledger.get('jobs', claim.id) ?? record);
  }
}

/** The service client has tried its failures again already; those of files nobody has. */
function isOurs({ kind }: Failure): boolean {
  return kind === 'changed-meanwhile';
}

/** Milliseconds until a job looks again whether there is room: in a single run, and in a daemon. */
const ROOM_SOON_MS = 5000;
const ROOM_LATER_MS = 30_000;
/** How often a single run tries: it gives its answer within some 20 seconds. */
const ROOM_TRIES = 5;

const LATER_MS = 15_000;
const LATEST_MS = 15 * 60_000;

function laterDelay(attempts: number): number {
  return Math.min(LATEST_MS, LATER_MS * 2 ** (attempts - 1));
}

/** 0: the job only looks whether something that was sent is done. */
export function attemptOf(record: JobRecord): number {
  return record.state.kind === 'running' ? record.state.attempt : 1;
}

export function stepOf(record: JobRecord): Step {
  return record.state.kind === 'running' ? record.state.step : { kind: 'started' };
}

/** What events say of a job. */
export function ofJob({ id, project, lane, source, language }: JobRecord) {
  return { job: id, project, lane, source, language };
}
