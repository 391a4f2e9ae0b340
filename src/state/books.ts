/** The contract of the books: what was billed, and what may be billed next. */
import type { JobId } from '../job.ts';
import type { Charge, OpenRequest } from '../ledger.ts';

export interface LaneSum {
  readonly labels: { readonly project: string; readonly lane: string; readonly language: string };
  /** Characters (Unicode code points). */
  value: number;
}

export interface Books {
  /** Charges, oldest first. @param of only those of these jobs; absent: all */
  charges(of?: ReadonlySet<JobId>): Promise<Iterable<Charge>>;
  /** Requests whose answer is not known yet. */
  requests(): Promise<Iterable<OpenRequest>>;
  /** The present sums. The page asks for them twice a second. */
  sums(): Promise<Sums>;
}

/**
 * Sums of billed characters (Unicode code points). Characters that were possibly billed twice have a sum of their own, because
 * it is unknown.
 */
export class Sums {
  readonly #byDay = new Map<string, number>();
  readonly #byJob = new Map<JobId, number>();
  readonly #byLane = new Map<string, LaneSum>();
  #billed = 0;
  #doubted = 0;

  billed(): number {
    return this.#billed;
  }

  /** Characters that may have been billed twice. */
  doubted(): number {
    return this.#doubted;
  }

  /** @param day UTC date */
  onDay(day: string): number {
    return this.#byDay.get(day) ?? 0;
  }

  /** From the UTC day of that time on. @param time milliseconds since the epoch */
  since(time: number): number {
    const first = new Date(time).toISOString().slice(0, 10);
    let sum = 0;
    for (const [day, billed] of this.#byDay) if (day >= first) sum += billed;
    return sum;
  }

  forJob(job: JobId): number {
    return this.#byJob.get(job) ?? 0;
  }

  byLane(): Iterable<LaneSum> {
    return this.#byLane.values();
  }

  add({ job, project, lane, language, at, kind, characters }: Charge): void {
    if (characters === null) return;
    if (kind === 'possibly-twice') {
      this.#doubted += characters;
      return;
    }
    this.#billed += characters;
    increase(this.#byDay, at.slice(0, 10), characters);
    if (job !== null) increase(this.#byJob, job, characters);
    const key = `${project}\n${lane}\n${language}`;
    const sum = this.#byLane.get(key);
    if (sum !== undefined) sum.value += characters;
    else this.#byLane.set(key, { labels: { project, lane, language }, value: characters });
  }
}

function increase<Key>(sums: Map<Key, number>, key: Key, amount: number): void {
  sums.set(key, (sums.get(key) ?? 0) + amount);
}

/** For a state whose charges are all in other books. */
export const NO_BOOKS: Books = {
  charges: async () => [],
  requests: async () => [],
  sums: async () => new Sums(),
};
