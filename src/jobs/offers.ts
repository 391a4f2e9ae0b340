/**
 * Writes planned jobs down and offers them to the queue, and looks now and then whether all that is to be done is offered and
 * moves.
 */
import type { Clock } from '../clock.ts';
import type { Events } from '../event.ts';
import type { JobId } from '../job.ts';
import { priorityOf } from '../lanes/voice/priority.ts';
import { plural } from '../language.ts';
import type { JobRecord } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { type EntriesOptions, writeDown } from './entries.ts';
import type { Queue } from './queue.ts';

/** Milliseconds between two looks; a job that both find without an offer is offered, so within a minute. */
export const LOOK_MS = 30_000;
/** Queued jobs of which none moves for so long are told. */
const STANDSTILL_MS = 60_000;

export interface OffersOptions extends EntriesOptions {
  readonly queue: Pick<Queue, 'offer' | 'has'>;
  readonly inForce: Pick<InForce, 'planner'>;
  readonly events: Events;
  readonly clock: Clock;
}

/** Work is queued, and no job has moved for a minute or longer. */
export interface Standstill {
  readonly jobs: number;
  readonly seconds: number;
}

export function describeStandstill({ jobs, seconds }: Standstill): string {
  const are = jobs === 1 ? 'is' : 'are';
  return `${plural(jobs, 'job')} ${are} queued, and none has moved for ${seconds} s`;
}

export class Offers {
  readonly #options: OffersOptions;
  /** What the last look found open and not offered. */
  #suspects: ReadonlySet<JobRecord> = new Set();
  #hasProgress = false;
  /** Since when jobs are queued of which none has moved; how many, where they are told. */
  #still: { readonly since: number; readonly jobs: number } | undefined;

  constructor(options: OffersOptions) {
    this.#options = options;
  }

  /** Writes planned jobs down and offers them. */
  async enter(work: readonly PlannedJob[]): Promise<void> {
    const { ledger, events } = this.#options;
    await writeDown(
      work.map((planned) => ({ planned })),
      this.#options,
    );
    for (const { id, project, lane, source, language } of work.map(({ job }) => job)) {
      events.emit({ kind: 'job-queued', job: id, project, lane, source, language });
      this.#options.queue.offer({ id, lane, ...priorityOf(id, ledger) });
    }
  }

  /** Offers jobs that are written down already. */
  offer(ids: readonly JobId[]): void {
    const { ledger, queue } = this.#options;
    for (const id of ids) {
      const job = ledger.get('jobs', id);
      if (job !== undefined) queue.offer({ id, lane: job.lane, ...priorityOf(id, ledger) });
    }
  }

  /** A job was taken up, made a step or ended. */
  progressed(): void {
    this.#hasProgress = true;
  }

  /** Called instead of a look while jobs wait for a person or for paid work to go on. */
  rest(): void {
    this.#suspects = new Set();
    this.#still = undefined;
  }

  /**
   * Called every `LOOK_MS`.
   * @returns what is to be done and is not offered, as it was at the last look: what was written down a moment ago is about to be
   * offered
   */
  look(): readonly PlannedJob[] {
    const { lost, queued } = this.#openJobs();
    this.#still = this.#stillOf(queued);
    this.#hasProgress = false;
    const forgotten = lost.filter((job) => this.#suspects.has(job));
    this.#suspects = new Set(lost);
    return forgotten.length === 0 ? [] : this.#options.inForce.planner.workOn(forgotten);
  }

  get standstill(): Standstill | undefined {
    if (this.#hasProgress || this.#still === undefined || this.#still.jobs === 0) return undefined;
    const { jobs, since } = this.#still;
    return { jobs, seconds: Math.round((this.#options.clock.now() - since) / 1000) };
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
    const { clock, inForce } = this.#options;
    const now = clock.now();
    const since = (this.#hasProgress ? undefined : this.#still?.since) ?? now;
    // Counted only where it is told. A job that stays queued because nothing asks for it any more is no work.
    const jobs = now - since < STANDSTILL_MS ? 0 : inForce.planner.workOn(queued).length;
    return { since, jobs };
  }
}
