/** The books: what was billed, by project, language, lane, job and day. Pure. */
import type { JobId } from '../job.ts';
import type { Charge, LedgerView } from '../ledger.ts';
import type { UsageLine } from './usage.ts';

export interface LaneSum {
  readonly labels: { readonly project: string; readonly lane: string; readonly language: string };
  /** Characters (Unicode code points). */
  value: number;
}

/** Kept up with the ledger: charges are facts that are put once, so each look reads only the new ones, and all of them when old ones were folded. */
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

export interface Books {
  readonly billed: number;
  readonly estimated: number;
  readonly possiblyTwice: number;
  readonly voiceSeconds: number;
  readonly voiceStorageBytes: number;
  readonly by: readonly UsageLine[];
}

/** Sums the charges that `counts` lets through. Possibly billed twice stands apart: whether it was billed nobody can tell. */
export function readBooks(ledger: LedgerView, counts: (charge: Charge) => boolean): Books {
  const lines = new Map<string, UsageLine>();
  let [billed, estimated, possiblyTwice, voiceSeconds, voiceStorageBytes] = [0, 0, 0, 0, 0];
  for (const charge of ledger.all('charges')) {
    if (!counts(charge)) continue;
    voiceSeconds += charge.seconds ?? 0;
    voiceStorageBytes += charge.storageBytes ?? 0;
    const characters = charge.characters ?? 0;
    if (charge.kind === 'possibly-twice') {
      possiblyTwice += characters;
      continue;
    }
    billed += characters;
    estimated += charge.estimated;
    addTo(lines, charge, characters);
  }
  const by = [...lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  return { billed, estimated, possiblyTwice, voiceSeconds, voiceStorageBytes, by };
}

function addTo(lines: Map<string, UsageLine>, charge: Charge, characters: number): void {
  const { project, language, lane } = charge;
  const day = charge.at.slice(0, 10);
  const key = [day, project, language, lane].join('\n');
  const before = lines.get(key);
  const seconds = (before?.voice_seconds ?? 0) + (charge.seconds ?? 0);
  lines.set(key, {
    project,
    language,
    lane,
    day,
    billed_characters: (before?.billed_characters ?? 0) + characters,
    ...(seconds > 0 ? { voice_seconds: seconds } : {}),
  });
}
