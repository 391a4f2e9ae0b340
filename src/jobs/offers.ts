/**
 * Writes planned jobs to the ledger and offers them to the queue. Checks at intervals that every open job is offered, and that
 * jobs make progress.
 */
import { type Clock, OnwardTime, turnsOf } from '../clock.ts';
import { type Events, ofJob } from '../event.ts';
import type { JobId } from '../job.ts';
import { priorityOf } from '../lanes/voice/priority.ts';
import { plural } from '../language.ts';
import type { JobRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { Spending } from '../plan/spending.ts';
import { type EntriesOptions, writeDown } from './entries.ts';
import type { Queue } from './queue.ts';

/** Milliseconds between two looks. A job that two looks find without an offer is offered: so within a minute. */
export const LOOK_MS = 30_000;
/** When no queued job makes progress for so many milliseconds, that is reported. */
const STANDSTILL_MS = 60_000;
/** Jobs that are written together: with 50,000 in one line of the journal, the process grew by 60 MB more. */
const PORTION = 1000;
/** 50,000 jobs that were offered together blocked the event loop for 0.2 s. */
const TURN_MS = 8;

export interface OffersOptions extends EntriesOptions {
  readonly queue: Pick<Queue, 'offer' | 'has'>;
  readonly inForce: Pick<InForce, 'planner'>;
  readonly spending: Pick<Spending, 'bills'>;
  readonly events: Events;
  readonly clock: Clock;
}

/** Jobs are queued, and none has made progress for a minute or longer. */
export interface Standstill {
  readonly jobs: number;
  readonly seconds: number;
}

export function describeStandstill({ jobs, seconds }: Standstill): string {
  const are = jobs === 1 ? 'is' : 'are';
  return `${plural(jobs, 'job')} ${are} queued, and none has made progress for ${seconds} s`;
}

export class Offers {
  readonly #options: OffersOptions;
  readonly #time: OnwardTime;
  /** Open jobs that were not offered at the last look. */
  #suspects: ReadonlySet<JobRecord> = new Set();
  #hasMoved = false;
  /** Bills at the last look. A large file is bought in many requests: each one is progress. */
  #bills = 0;
  /** Since when no queued job has made progress ; `jobs`: how many to report, 0 before a minute. */
  #still: { readonly since: number; readonly jobs: number } | undefined;

  constructor(options: OffersOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
  }

  /** Writes planned jobs to the ledger and offers them. */
  async enter(work: readonly PlannedJob[]): Promise<void> {
    const { ledger, events } = this.#options;
    // All are written before the first is offered: a request that could take more texts would go out without them.
    for (let from = 0; from < work.length; from += PORTION) {
      const portion = work.slice(from, from + PORTION).map((planned) => ({ planned }));
      await writeDown(portion, this.#options);
    }
    const turns = turnsOf(TURN_MS);
    for (const { job } of work) {
      if (turns.over()) await turns.next();
      events.emit({ kind: 'job-queued', ...ofJob(job) });
      this.#options.queue.offer({ id: job.id, lane: job.lane, ...priorityOf(job.id, ledger) });
    }
  }

  /** Offers jobs that are in the ledger already. */
  offer(ids: readonly JobId[]): void {
    const { ledger, queue } = this.#options;
    for (const id of ids) {
      const job = ledger.get('jobs', id);
      if (job !== undefined) queue.offer({ id, lane: job.lane, ...priorityOf(id, ledger) });
    }
  }

  /** A job was taken up, made a step or ended. */
  progressed(): void {
    this.#hasMoved = true;
  }

  /** Called instead of `look` while jobs wait for a person, for git or for paid work to resume. */
  rest(): void {
    this.#suspects = new Set();
    this.#still = undefined;
  }

  /**
   * Called every `LOOK_MS`.
   * @returns open jobs that were not offered at this look and at the last one. One look is not enough: a job that has just been
   * written is offered a moment later
   */
  look(): readonly PlannedJob[] {
    const { lost, queued } = this.#openJobs();
    this.#still = this.#stillOf(queued);
    this.#hasMoved = false;
    this.#bills = this.#options.spending.bills;
    const forgotten = lost.filter((job) => this.#suspects.has(job));
    this.#suspects = new Set(lost);
    return forgotten.length === 0 ? [] : this.#options.inForce.planner.workOn(forgotten);
  }

  get #hasProgress(): boolean {
    return this.#hasMoved || this.#options.spending.bills !== this.#bills;
  }

  get standstill(): Standstill | undefined {
    if (this.#hasProgress || this.#still === undefined || this.#still.jobs === 0) return undefined;
    const { jobs, since } = this.#still;
    return { jobs, seconds: Math.round((this.#time.now() - since) / 1000) };
  }

  #openJobs() {
    const { ledger, queue } = this.#options;
    const lost: JobRecord[] = [];
    const queued: JobRecord[] = [];
    for (const job of ledger.all('jobs')) {
      const { kind } = job.state;
      const isOpen = kind === 'queued' || kind === 'running' || job.release !== undefined;
      if (isOpen && !queue.has(job.id)) lost.push(job);
      if (kind === 'queued') queued.push(job);
    }
    return { lost, queued };
  }

  #stillOf(queued: readonly JobRecord[]): { since: number; jobs: number } | undefined {
    if (queued.length === 0) return undefined;
    const { inForce } = this.#options;
    const now = this.#time.now();
    const since = (this.#hasProgress ? undefined : this.#still?.since) ?? now;
    // Counted only when it is reported. A job that the config no longer asks for stays queued and is not work.
    const jobs = now - since < STANDSTILL_MS ? 0 : inForce.planner.workOn(queued).length;
    return { since, jobs };
  }
}
