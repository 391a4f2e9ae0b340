/** Runs claimed jobs through their lanes and settles what came of them: the only place where an outcome becomes a job's state. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, isoTime } from '../clock.ts';
import type { Events } from '../event.ts';
import {
  type Failure,
  failureOf,
  fullFolder,
  isPassing,
  JobFailure,
  MAX_ATTEMPTS,
  retryDelay,
} from '../failure.ts';
import { parseStat } from '../files/disk.ts';
import type { Mutex } from '../files/mutex.ts';
import { notePlaced } from '../intake/placed.ts';
import {
  type Hold,
  type Job,
  type JobId,
  type JobState,
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
import {
  type Claim,
  commitDecision,
  type JobRecord,
  type Ledger,
  type LedgerView,
  type SourceRecord,
  StaleClaim,
} from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { LockFiles } from '../state/lock-file.ts';
import { asStateFailure } from '../state/state-disk.ts';
import type { UndoLog } from '../state/undo-log.ts';
import type { LockKeeper } from './lock-keeper.ts';
import type { Offer, Outcome, Worker } from './queue.ts';
import { leftOutTarget, markersOf, unfetchedSource, unfetchedTarget } from './unmerged.ts';

export interface ExecutionOptions {
  readonly ledger: Ledger;
  readonly lanes: readonly LaneWorker[];
  readonly events: Events;
  readonly clock: Clock;
  /** In [0, 1); for the jitter of retries. */
  random(): number;
  /** Whether git changes files of a project, and a daemon waits for that. */
  isGitBusy(): boolean;
  /** Whether jobs that failed for passing reasons come again by themselves: a daemon has time, one run gives its answer. */
  readonly later: () => boolean;
  readonly inForce: InForce;
  /** The settings of `service` that requests are sent with; see `serviceMark`. */
  serviceMark(): string;
  /** Turns by job: while one publishes, nobody moves or removes its targets. */
  readonly publications: Mutex;
  /** Notes what a target replaces before it is put in place. */
  readonly undo: Pick<UndoLog, 'note'>;
  /** Where a job's source was before it was moved, as the lock knows it; absent: there is no lock. */
  readonly formerPlace?: LockFiles['formerPlace'];
  /** Notes whose lines of the lock are to be written; absent: there is none. */
  readonly lock?: Pick<LockKeeper, 'publishing' | 'settled'>;
  /** A source has something else to do than was planned. */
  replan(source: SourceRecord): void;
  /** The targets of a job stand as the ledger says now. */
  delivered(job: JobId): void;
}

/** A run brings the targets of a moved source after it; who only looks sees them at their old place. */
async function whereItStands(
  { formerPlace, inForce, ledger }: ExecutionOptions,
  job: Job,
): Promise<Job> {
  const root = inForce.planner.project(job.project)?.root;
  if (root === undefined || ledger.get('jobs', job.id)?.delivered) return job;
  const former = await formerPlace?.(job);
  if (former === undefined) return job;
  const isThere = ({ targets }: Pick<Job, 'targets'>) =>
    targetList(targets).some((path) => existsSync(join(root, path)));
  return isThere(former) && !isThere(job) ? { ...job, targets: former.targets } : job;
}

/** Why no paid work is done now; jobs that meet it go back unharmed. */
export type Stop = Extract<
  Failure,
  { kind: 'key-missing' | 'key-refused' | 'quota-exceeded' | 'team-state' }
>;

export interface Execution {
  readonly work: Worker;
  /** Asks the job's lane what it would bill; see `LaneWorker.estimate`. */
  estimate(...asked: Parameters<LaneWorker['estimate']>): Promise<Estimate>;
  readonly stop: Stop | undefined;
  readonly paused: boolean;
  /** Takes up no more jobs; those that run go on. */
  pause(): void;
  /** Forgets the stop and the pause. @returns the jobs that waited. */
  resume(): JobId[];
  /** @returns the jobs that waited, where nothing keeps them any more */
  unpark(): JobId[];
}

export function createExecution(options: ExecutionOptions): Execution {
  const { ledger, events } = options;
  const workers = new Map<Lane, LaneWorker>(options.lanes.map((lane) => [lane.lane, lane]));
  const parked = new Set<JobId>();
  /** Folders on whose disk something did not fit. */
  const full = new Set<string>();
  let stop: Stop | undefined;
  let paused = false;

  const work: Worker = async (offer, signal) => {
    if (paused || stop !== undefined || options.isGitBusy()) return park(offer);
    const claim = await ledger.claim(offer.id);
    const record = ledger.get('jobs', offer.id);
    // While the claim became durable, another writer may have taken the job over: it is offered anew then.
    if (claim === undefined || record?.fence !== claim.fence) return { kind: 'over' };
    using publication = new DisposableStack();
    try {
      return await attempt({ claim, record, signal, publication });
    } catch (error) {
      if (error instanceof StaleClaim) return { kind: 'over' };
      throw error;
    }
  };

  const attempt = async (turn: ClaimedJob): Promise<Outcome> => {
    const started = options.clock.now();
    const attempt = attemptOf(turn.record);
    // A job that only looks whether its document is done has begun long ago.
    if (attempt > 0) events.emit({ kind: 'job-started', attempt, ...ofJob(turn.record) });
    try {
      requireSize(ledger, turn.record);
      requireLanguage(options.inForce, turn.record);
      const result =
        (await waits(turn.record)) ?? (await workerOf(turn.record).run(laneRun(options, turn)));
      const outcome = await settleResult(options, { ...turn, result, started });
      if (result.kind === 'delivered') hasRoom(turn.record, result.changed);
      return outcome;
    } catch (error) {
      if (error instanceof StaleClaim) throw error;
      await notePlacedBy(turn);
      return await settleError(turn, error);
    }
  };

  const waits = async (job: JobRecord): Promise<LaneResult | undefined> => {
    const hold = await unmergedHold(job);
    if (hold === undefined) return undefined;
    return { kind: 'held', state: { kind: 'held', at: isoTime(options.clock), hold } };
  };

  /** Without its content a job can only take note of what stands there. */
  const unmergedHold = async (job: Job): Promise<Hold | undefined> => {
    const markers = await markersOf(options, job);
    if (markers !== undefined) return markers;
    const absent = (await leftOutTarget(options, job)) ?? (await unfetchedTarget(options, job));
    if (absent !== undefined) return absent;
    const unfetched = await unfetchedSource(options, job);
    if (unfetched === undefined) return undefined;
    const estimate = await workerOf(job)
      .estimate(job, new Set())
      .catch(() => undefined);
    return estimate?.stands === true ? undefined : unfetched;
  };

  /** What it put in place before it failed stands there, and is ours. */
  const notePlacedBy = async ({ claim }: ClaimedJob): Promise<void> => {
    const job = ledger.get('jobs', claim.id);
    if (job?.placed === undefined) return;
    const rootOf = (project: string) => options.inForce.planner.project(project)?.root;
    // A disk that refuses it is told by the settlement.
    await notePlaced(ledger, [job], rootOf).catch(() => {});
  };

  const workerOf = (job: Job): LaneWorker => {
    const worker = workers.get(job.lane);
    if (worker === undefined) throw new RangeError(`nobody works in the ${job.lane} lane`);
    return worker;
  };

  const settleError = async (turn: ClaimedJob, thrown: unknown): Promise<Outcome> => {
    const error = asStateFailure(thrown, options.inForce.config.state);
    const failure = failureOf(error);
    if (failure.kind === 'stopped') return { kind: 'over' };
    // No job is at fault, and nothing that it became could be written down.
    if (failure.kind === 'state-unwritable') throw error;
    if (failure.kind === 'disk-full') return await waitForRoom(turn, failure);
    if (isStop(failure)) {
      // Requests that were on their way meanwhile are refused as well: it is said once.
      if (stop === undefined) events.emit({ kind: 'paid-work-stopped', failure });
      stop ??= failure;
      await ledger.settle(turn.claim, { state: { kind: 'queued' } });
      return park(turn.claim);
    }
    return await settleFailure(options, { ...turn, failure, error });
  };

  /** Jobs that wait for room have no slot; it is said once for each folder. */
  const waitForRoom = async (turn: ClaimedJob, failure: DiskFull): Promise<Outcome> => {
    const folder = fullFolder(failure);
    if (!full.has(folder)) events.emit({ kind: 'disk-full', folder, failure });
    full.add(folder);
    const attempts = attemptOf(turn.record);
    if (!options.later() && attempts >= ROOM_TRIES) {
      return await settleFailure(options, { ...turn, failure, error: undefined });
    }
    const notBefore = options.clock.now() + (options.later() ? ROOM_LATER_MS : ROOM_SOON_MS);
    const step = stepOf(ledger.get('jobs', turn.claim.id) ?? turn.record);
    const attempt = options.later() ? attempts : attempts + 1;
    const state: JobState = { kind: 'running', attempt, step, notBefore, waitsFor: failure };
    await ledger.settle(turn.claim, { state });
    return { kind: 'again', notBefore };
  };

  /** A folder that is full again is told again. */
  const hasRoom = ({ project }: Job, changed: readonly string[]): void => {
    const root = options.inForce.planner.project(project)?.root ?? '';
    for (const path of changed) full.delete(dirname(join(root, path)));
  };

  const park = ({ id }: Pick<Offer, 'id'>): Outcome => {
    parked.add(id);
    return { kind: 'over' };
  };

  return {
    work,
    async estimate(job, ...asked) {
      requireSize(ledger, job);
      requireLanguage(options.inForce, job);
      const hold = await unmergedHold(job);
      if (hold !== undefined) return { job, characters: 0, atLeast: false, hold };
      const placed = await whereItStands(options, job);
      const estimate = await workerOf(job).estimate(placed, ...asked);
      // A run has its targets to bring.
      return placed === job ? estimate : { ...estimate, job, stands: false };
    },
    get stop() {
      return stop;
    },
    get paused() {
      return paused;
    },
    pause() {
      paused = true;
    },
    resume() {
      if (stop !== undefined) events.emit({ kind: 'paid-work-resumed' });
      stop = undefined;
      paused = false;
      return this.unpark();
    },
    unpark() {
      if (paused || stop !== undefined || options.isGitBusy()) return [];
      const waiting = [...parked];
      parked.clear();
      return waiting;
    },
  };
}

/** @throws JobFailure `unsupported` for a source that no lane may read, whatever it holds */
function requireSize(ledger: LedgerView, { project, source, lane }: Job): void {
  const stat = ledger.get('sources', sourceId(project, source))?.stat;
  const bytes = stat === undefined ? 0 : Number(parseStat(stat).size);
  const most = LARGEST_SOURCE[lane];
  if (bytes <= most) return;
  const [found, limit] = [bytes, most].map((each) => each.toLocaleString('en-US'));
  throw new JobFailure({
    kind: 'unsupported',
    what: `${source} has ${found} bytes, more than the limit of the ${lane} lane (${limit})`,
    advice: 'Split the file, or exclude it from the route.',
  });
}

/** @throws JobFailure `unsupported` for a language that the service said it lacks: nothing is sent, and others go on */
function requireLanguage({ planner }: Pick<InForce, 'planner'>, job: Job): void {
  const what = planner.lackOf(job);
  if (what === undefined) return;
  throw new JobFailure({ kind: 'unsupported', what, advice: LACK_ADVICE });
}

const LACK_ADVICE =
  'Take the language out of "targets"; "dragoman check --online" asks the service again.';

interface ClaimedJob {
  readonly claim: Claim;
  readonly record: JobRecord;
  readonly signal: AbortSignal;
  /** Holds the turn to publish, from the first target on until the job is settled. */
  readonly publication: DisposableStack;
}

function laneRun(options: ExecutionOptions, turn: ClaimedJob): LaneRun {
  const { ledger, publications } = options;
  const { claim, record, signal, publication } = turn;
  let isPublishing = false;
  return {
    job: record,
    resumeFrom: stepOf(record),
    signal,
    step: async (next) => {
      if (next.kind === 'publishing') {
        await options.lock?.publishing(record);
        await noteReplaced(options, record, next);
        if (!isPublishing) publication.use(await publications.take(record.id));
        isPublishing = true;
      }
      await ledger.step(claim, next);
    },
    record: (decide) => commitDecision(ledger, decide),
    replan: (source) => options.replan(source),
  };
}

/** @throws JobFailure when the target could not be taken back later: then it is not replaced */
async function noteReplaced(
  { inForce, undo }: ExecutionOptions,
  job: JobRecord,
  step: Extract<Step, { kind: 'publishing' }>,
): Promise<void> {
  const root = inForce.planner.project(job.project)?.root;
  if (root !== undefined) await undo.note({ job, root, step });
}

async function settleResult(
  { ledger, events, clock, delivered, lock }: ExecutionOptions,
  { claim, record, result, started }: ClaimedJob & { result: LaneResult; started: number },
): Promise<Outcome> {
  switch (result.kind) {
    case 'delivered':
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
      const step = stepOf(ledger.get('jobs', claim.id) ?? record);
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

async function settleFailure(
  options: ExecutionOptions,
  { claim, record, failure, error }: ClaimedJob & { failure: Failure; error: unknown },
): Promise<Outcome> {
  const { ledger, events, clock, random } = options;
  const attempts = attemptOf(record);
  const soon = isOurs(failure) && attempts < MAX_ATTEMPTS;
  const delay = soon ? retryDelay(failure, attempts, random()) : undefined;
  if (delay !== undefined) {
    const notBefore = clock.now() + delay;
    const step = stepOf(ledger.get('jobs', claim.id) ?? record);
    await ledger.settle(claim, {
      state: { kind: 'running', attempt: attempts + 1, step, notBefore },
    });
    events.emit({ kind: 'job-retried', failure, inMs: delay, ...ofJob(record) });
    return { kind: 'again', notBefore };
  }
  const failed = { kind: 'failed', at: isoTime(clock), failure, attempts } as const;
  await ledger.settle(claim, { state: { ...failed, service: options.serviceMark() } });
  const traceId = error instanceof JobFailure ? error.traceId : undefined;
  events.emit({
    kind: 'job-failed',
    failure,
    ...(traceId === undefined ? {} : { traceId }),
    ...ofJob(record),
  });
  if (!options.later() || !isPassing(failure)) return { kind: 'over' };
  return { kind: 'again', notBefore: clock.now() + laterDelay(attempts) };
}

/** The service client has tried its failures again already; those of files nobody has. */
function isOurs({ kind }: Failure): boolean {
  return kind === 'changed-meanwhile';
}

type DiskFull = Extract<Failure, { kind: 'disk-full' }>;

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

function isStop(failure: Failure): failure is Stop {
  return (
    failure.kind === 'key-missing' ||
    failure.kind === 'key-refused' ||
    (failure.kind === 'quota-exceeded' && failure.scope === 'account') ||
    (failure.kind === 'team-state' && failure.problem !== 'away')
  );
}

function attemptOf(record: JobRecord): number {
  return record.state.kind === 'running' ? record.state.attempt : 1;
}

function stepOf(record: JobRecord): Step {
  return record.state.kind === 'running' ? record.state.step : { kind: 'started' };
}

function ofJob({ id, project, lane, source, language }: JobRecord) {
  return { job: id, project, lane, source, language };
}
