/**
 * Offers jobs again that failed by an outage, of the service, of the team's database or of a disk, when it is over. Without this, each of
 * them waits for its next try: after a long outage up to a quarter of an hour.
 */
import type { Clock } from '../clock.ts';
import { type Failure, failureOf, isPassing } from '../failure.ts';
import type { JobId } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Service } from '../service/client.ts';
import type { RunState } from './run-state.ts';
import type { JobRunner } from './runner.ts';
import type { Workspace } from './workspace.ts';

/** Milliseconds between two looks. */
export const OUTAGE_LOOK_MS = 15_000;
/** Milliseconds between two waves, the size of the first one, and how many times as large each next one is. */
const WAVE_MS = 1000;
const FIRST_WAVE = 20;
const GROWTH = 4;

/** What was away. */
type Cause = 'service' | 'database' | 'disk';

export interface OutagesOptions {
  readonly ledger: LedgerView;
  readonly clock: Clock;
  /** Asks the service something that bills nothing. @returns whether it answered */
  isServiceThere(signal: AbortSignal): Promise<boolean>;
  /** Whether the database of the team answered the last time. */
  isDatabaseThere(): boolean;
  /** False: no job may begin now. */
  isWorking(): boolean;
  offer(ids: readonly JobId[]): void;
}

/** A job and the time of its failure (milliseconds since the epoch). */
interface FailedJob {
  readonly id: JobId;
  readonly at: number;
}

export class Outages {
  readonly #options: OutagesOptions;
  /** The jobs that had failed at the last looks and were not seen at their end since. */
  #before: ReadonlyMap<JobId, Cause> = new Map();
  /** What did not answer at the last look. */
  readonly #away = new Set<Cause>();
  /** When an outage was over, as far as that was seen last (milliseconds since the epoch). */
  readonly #over = new Map<Cause, number>();
  /** The failures whose jobs were offered again, by the time of the failure. */
  #offered: ReadonlyMap<JobId, number> = new Map();

  constructor(options: OutagesOptions) {
    this.#options = options;
  }

  /** Until the signal. */
  async watch(signal: AbortSignal): Promise<void> {
    const { clock, isWorking } = this.#options;
    while (!signal.aborted) {
      await clock.sleep(OUTAGE_LOOK_MS, signal).catch(() => {});
      if (signal.aborted || !isWorking()) continue;
      await this.#offerInWaves(await this.look(signal), signal);
    }
  }

  /** @returns the jobs to offer again, the earliest failure first */
  async look(signal: AbortSignal): Promise<readonly JobId[]> {
    const failed = this.#failedJobs();
    for (const cause of await this.#ended(failed, signal)) {
      this.#over.set(cause, this.#options.clock.now());
    }
    const due = [...failed].flatMap(([cause, jobs]) => {
      // A request that was sent during the outage may have failed since.
      const until = (this.#over.get(cause) ?? Number.NEGATIVE_INFINITY) + OUTAGE_LOOK_MS;
      return jobs.filter(({ id, at }) => at <= until && this.#offered.get(id) !== at);
    });
    const all = [...failed].flatMap(([, jobs]) => jobs);
    const known = all.filter(({ id, at }) => this.#offered.get(id) === at);
    this.#offered = new Map([...known, ...due].map(({ id, at }) => [id, at]));
    return due.toSorted((a, b) => a.at - b.at).map(({ id }) => id);
  }

  /** The jobs that failed by an outage, by its cause. */
  #failedJobs(): ReadonlyMap<Cause, readonly FailedJob[]> {
    const failed = new Map<Cause, FailedJob[]>();
    for (const { id, state } of this.#options.ledger.all('jobs')) {
      if (state.kind !== 'failed') continue;
      const cause = causeOf(state.failure);
      if (cause === undefined) continue;
      const jobs = failed.get(cause) ?? [];
      jobs.push({ id, at: Date.parse(state.at) });
      failed.set(cause, jobs);
    }
    return failed;
  }

  /** The outages that are over since the last look. */
  async #ended(
    failed: ReadonlyMap<Cause, readonly FailedJob[]>,
    signal: AbortSignal,
  ): Promise<readonly Cause[]> {
    const { isDatabaseThere, isServiceThere } = this.#options;
    const ended = new Set(this.#causesOfDone());
    this.#before = this.#jobsInMind(failed);
    if (failed.has('database') && this.#isBack('database', isDatabaseThere())) {
      ended.add('database');
    }
    if (failed.has('service') && this.#isBack('service', await isServiceThere(signal))) {
      ended.add('service');
    }
    return [...ended];
  }

  #isBack(cause: Cause, isThere: boolean): boolean {
    if (!isThere) this.#away.add(cause);
    return isThere && this.#away.delete(cause);
  }

  /** Failed jobs are kept in mind until they end: a job that is done later shows that the outage is over. */
  #jobsInMind(failed: ReadonlyMap<Cause, readonly FailedJob[]>): ReadonlyMap<JobId, Cause> {
    const now = [...failed].flatMap(([cause, jobs]) => jobs.map(({ id }) => [id, cause] as const));
    const undecided = [...this.#before].filter(([id]) => isUndecided(this.#jobOf(id)));
    return new Map([...undecided, ...now]);
  }

  /** What let jobs fail that are done or held now. */
  *#causesOfDone(): Generator<Cause> {
    for (const [id, cause] of this.#before) {
      const kind = this.#jobOf(id)?.state.kind;
      if (kind === 'done' || kind === 'held') yield cause;
    }
  }

  #jobOf(id: JobId): JobRecord | undefined {
    return this.#options.ledger.get('jobs', id);
  }

  /** All at once would be a burst for a service that has just come back. */
  async #offerInWaves(ids: readonly JobId[], signal: AbortSignal): Promise<void> {
    const { clock, offer } = this.#options;
    for (let from = 0, size = FIRST_WAVE; from < ids.length; from += size, size *= GROWTH) {
      if (from > 0) await clock.sleep(WAVE_MS, signal).catch(() => {});
      if (signal.aborted) return;
      const wave = ids.slice(from, from + size);
      offer(wave.filter((id) => this.#jobOf(id)?.state.kind === 'failed'));
    }
  }
}

function isUndecided(job: JobRecord | undefined): boolean {
  return job?.state.kind === 'queued' || job?.state.kind === 'running';
}

/** What was away when a job failed; undefined: nothing was, or a person must do something. */
function causeOf(failure: Failure): Cause | undefined {
  if (!isPassing(failure)) return undefined;
  switch (failure.kind) {
    case 'throttled':
    case 'server-error':
    case 'unreachable':
    case 'unanswered':
    case 'bad-answer':
      return 'service';
    case 'team-state':
      return failure.problem === 'away' ? 'database' : undefined;
    case 'unreadable':
    case 'unwritable':
      return 'disk';
    default:
      return undefined;
  }
}

/** Milliseconds that a look waits for the service. */
const SERVICE_PATIENCE_MS = 5000;

export interface WatchedOutages {
  readonly workspace: Pick<Workspace, 'ledger' | 'service' | 'team' | 'tree'>;
  readonly runner: Pick<JobRunner, 'offer'>;
  readonly runState: Pick<RunState, 'takesJobs'>;
  readonly clock: Clock;
}

/** Until the signal. Where daemons share a tree, only the leader does this: it knows all jobs. */
export async function watchOutages(
  { workspace, runner, runState, clock }: WatchedOutages,
  signal: AbortSignal,
): Promise<void> {
  const { ledger, service, team, tree } = workspace;
  const outages = new Outages({
    ...{ ledger, clock },
    isServiceThere: (ending) => answers(service, clock, ending),
    isDatabaseThere: () => team?.status().away === undefined,
    // Other daemons of a tree may work while this one does not.
    isWorking: () => tree !== undefined || runState.takesJobs,
    offer: (ids) => runner.offer(ids),
  });
  await outages.watch(signal);
}

async function answers(
  { account }: Pick<Service, 'account'>,
  clock: Clock,
  signal: AbortSignal,
): Promise<boolean> {
  const over = new AbortController();
  const ending = AbortSignal.any([signal, over.signal]);
  const answered = account.usage({ signal: ending, patienceMs: 0 }).then(
    () => true,
    (error: unknown) => causeOf(failureOf(error)) !== 'service',
  );
  const silent = clock.sleep(SERVICE_PATIENCE_MS, ending).then(
    () => false,
    () => false,
  );
  const isThere = await Promise.race([answered, silent]);
  over.abort();
  return isThere;
}
