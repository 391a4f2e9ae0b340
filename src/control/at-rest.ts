/** Waits until the jobs of a file are at rest: a command decides on what they leave, not on what they are about to replace. */
import { join } from 'node:path';
import { OnwardTime } from '../clock.ts';
import { type Job, type JobId, targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { LocalControlOptions } from './options.ts';
import type { BusyFile } from './report.ts';

/** Milliseconds that a command waits for running jobs, and between two looks. */
const MOST_WAIT_MS = 10_000;
const LOOK_MS = 50;

/** About a file whose job has not ended in time. */
export const BUSY = 'its job is queued or running: try again when it has ended';

type AtRestOptions = Pick<LocalControlOptions, 'ledger' | 'clock' | 'runState'>;

/** One for each command: all its files wait together. */
export class AtRest {
  readonly #options: AtRestOptions;
  readonly #time: OnwardTime;
  #end: number | undefined;

  constructor(options: AtRestOptions) {
    this.#options = options;
    this.#time = new OnwardTime(options.clock);
  }

  /**
   * A job that inspects a changed target ends at once; a job that waits for the service may take minutes.
   * @returns those that still work after the patience of the command; none when all are at rest
   */
  async wait(jobs: readonly JobId[]): Promise<readonly JobRecord[]> {
    const { ledger, clock, runState } = this.#options;
    for (;;) {
      const present = jobs.flatMap((id) => ledger.get('jobs', id) ?? []);
      const busy = present.filter((job) => runState.isBusy(job));
      if (busy.length === 0) return busy;
      this.#end ??= this.#time.now() + MOST_WAIT_MS;
      if (this.#time.now() >= this.#end) return busy;
      await clock.sleep(LOOK_MS);
    }
  }
}

export function busyFile(options: Pick<LocalControlOptions, 'inForce'>, job: Job): BusyFile {
  const { project, language } = job;
  return { project, language, file: targetFileOf(options, job) };
}

/** @returns the first target of a job, absolute; its source when it has none */
export function targetFileOf(
  { inForce }: Pick<LocalControlOptions, 'inForce'>,
  { project, targets, source }: Job,
): string {
  const { root = '' } = inForce.planner.project(project) ?? {};
  return join(root, targetList(targets)[0] ?? source);
}
