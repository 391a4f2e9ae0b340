/** The contract of the books: the charges, and the requests whose answer is not known yet. */
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

/** The characters of charges that are alike. */
export interface DaySum extends Pick<Charge, 'project' | 'lane' | 'language' | 'kind'> {
  /** UTC date. */
  readonly day: string;
  readonly characters: number;
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

  add({ job, at, ...charge }: Charge): void {
    const { characters, kind } = charge;
    if (characters === null) return;
    this.addDay({ ...charge, characters, day: at.slice(0, 10) });
    if (job !== null && kind !== 'possibly-twice') this.addJob(job, characters);
  }

  /** Adds the charges of a day, without their jobs. */
  addDay({ project, lane, language, kind, day, characters }: DaySum): void {
    if (kind === 'possibly-twice') {
      this.#doubted += characters;
      return;
    }
    this.#billed += characters;
    increase(this.#byDay, day, characters);
    const key = `${project}\n${lane}\n${language}`;
    const sum = this.#byLane.get(key);
    if (sum !== undefined) sum.value += characters;
    else this.#byLane.set(key, { labels: { project, lane, language }, value: characters });
  }

  /** Adds to the sum of a job alone. */
  addJob(job: JobId, characters: number): void {
    increase(this.#byJob, job, characters);
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
