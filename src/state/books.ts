/** The books contract: what was billed, and what may be billed next. */
import type { JobId } from '../job.ts';
import type { Charge, OpenRequest } from '../ledger.ts';

export interface LaneSum {
  readonly labels: { readonly project: string; readonly lane: string; readonly language: string };
  /** Characters (Unicode code points). */
  value: number;
}

export interface Books {
  /** Every charge, oldest first. */
  charges(): Promise<Iterable<Charge>>;
  /** Requests whose answer is not known yet. */
  requests(): Promise<Iterable<OpenRequest>>;
  /** The running sums; asked for twice a second. */
  sums(): Promise<Sums>;
}

/** Characters (Unicode code points); what was possibly billed twice is not in them, because nobody can tell. */
export class Sums {
  readonly #byDay = new Map<string, number>();
  readonly #byJob = new Map<JobId, number>();
  readonly #byLane = new Map<string, LaneSum>();
  #billed = 0;
  #doubted = 0;

  billed(): number {
    return this.#billed;
  }

  /** What may have been billed twice. */
  doubted(): number {
    return this.#doubted;
  }

  /** @param day UTC date */
  onDay(day: string): number {
    return this.#byDay.get(day) ?? 0;
  }

  /** Of the day of that time and of later ones. */
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

/** Of a state whose charges are all elsewhere. */
export const NO_BOOKS: Books = {
  charges: async () => [],
  requests: async () => [],
  sums: async () => new Sums(),
};
