/** The files that change at each try of their jobs, since a person or a program writes them all the time. */
import { type Clock, OnwardTime } from '../clock.ts';
import type { JobId } from '../job.ts';

/** Milliseconds after the last try at which its job is tried no more: its source left, or another daemon has done it. */
const LEFT_MS = 2 * 60_000;

/** A file that had other content at each try of a job. */
export interface ChangingFile {
  readonly file: string;
  /** When the first try ended, in milliseconds since the epoch, and how many milliseconds ago. */
  readonly since: number;
  readonly ago: number;
}

/** The tries of a job whose file changed at each of them. */
interface ChangingTries {
  readonly file: string;
  readonly since: number;
  /** Of the first and of the last try, in the time for waits. */
  readonly first: number;
  readonly last: number;
}

export class ChangingFiles {
  readonly #clock: Clock;
  readonly #time: OnwardTime;
  readonly #tries = new Map<JobId, ChangingTries>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#time = new OnwardTime(clock);
  }

  /** A try of the job failed because the file changed meanwhile. */
  changed(job: JobId, file: string): void {
    const now = this.#time.now();
    const before = this.#tries.get(job);
    const isSame = before !== undefined && now - before.last <= LEFT_MS;
    const { since, first } = isSame ? before : { since: this.#clock.now(), first: now };
    this.#tries.set(job, { file, since, first, last: now });
  }

  /** A try of the job ended in another way. */
  ended(job: JobId): void {
    this.#tries.delete(job);
  }

  *[Symbol.iterator](): Generator<ChangingFile> {
    const now = this.#time.now();
    for (const [job, { file, since, first, last }] of this.#tries) {
      if (now - last > LEFT_MS) this.#tries.delete(job);
      else yield { file, since, ago: now - first };
    }
  }
}
