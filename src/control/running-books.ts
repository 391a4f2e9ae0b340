/** The books, kept up with the ledger: charges are facts that are put once, so each look reads only the new ones, and all of them when old ones were folded. */
import type { JobId } from '../job.ts';
import type { Charge, LedgerView } from '../ledger.ts';

export interface LaneSum {
  readonly labels: { readonly project: string; readonly lane: string; readonly language: string };
  /** Characters (Unicode code points). */
  value: number;
}

export class RunningBooks {
  readonly #ledger: LedgerView;
  #sums = new Sums();
  #seen = 0;
  #last: Charge | undefined;

  constructor(ledger: LedgerView) {
    this.#ledger = ledger;
  }

  /** What the books say now. Going to the end of all charges takes time: look once, and ask that for everything. */
  look(): Sums {
    // Whoever folds takes earlier ones out: then another one stands where the last one stood, or none.
    const [standing] = this.#from(this.#seen - 1).take(1);
    if (this.#seen > 0 && standing !== this.#last) {
      this.#sums = new Sums();
      this.#seen = 0;
    }
    for (const charge of this.#from(this.#seen)) {
      this.#sums.add(charge);
      this.#seen += 1;
      this.#last = charge;
    }
    return this.#sums;
  }

  #from(nth: number): IteratorObject<Charge> {
    return Iterator.from(this.#ledger.all('charges')).drop(Math.max(0, nth));
  }
}

/** Characters (Unicode code points); what was possibly billed twice is not in them, because nobody can tell. */
export class Sums {
  readonly #byDay = new Map<string, number>();
  readonly #byJob = new Map<JobId, number>();
  readonly #byLane = new Map<string, LaneSum>();
  #billed = 0;

  billed(): number {
    return this.#billed;
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
    if (kind === 'possibly-twice' || characters === null) return;
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
