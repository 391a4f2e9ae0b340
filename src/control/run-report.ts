/** What one run did, from its events and the ledger: the object that `once --json` prints. */

import type { Event, Events } from '../event.ts';
import type { JobRecord } from '../ledger.ts';
import { attentionOf } from './attention.ts';
import { notesOfBlockers } from './blocker-words.ts';
import type { Blocker } from './blockers.ts';
import type { AttentionLine } from './report.ts';

export interface RunReport {
  /** Jobs whose target was written. */
  readonly delivered: number;
  /** Jobs that are done and had nothing to write. */
  readonly unchanged: number;
  readonly held: readonly AttentionLine[];
  readonly failed: readonly AttentionLine[];
  /** What is worth knowing and needs nobody. */
  readonly notes: readonly string[];
  readonly estimated_characters: number;
  readonly billed_characters: number;
  /** Requests to the service; the question at the end how near the account's limits are is none of the work. */
  readonly requests: number;
}

const USAGE = 'GET /v2/usage';

/** Counts from now until the report is asked for. */
export class RunTally implements Disposable {
  readonly #delivered = new Set<string>();
  /** What of sources cannot be read: once, however many languages hear of it. */
  readonly #damage = new Set<string>();
  readonly #unsubscribe: () => void;
  #billed = 0;
  #estimated = 0;
  #requests = 0;

  constructor(events: Events) {
    this.#unsubscribe = events.subscribe((event) => this.#count(event));
  }

  /**
   * @param jobs those that the run was about
   * @param blockers what is missing beside the jobs
   */
  report(jobs: readonly JobRecord[], blockers: readonly Blocker[]): RunReport {
    const attention = attentionOf(jobs, blockers);
    const done = jobs.filter(({ state }) => state.kind === 'done');
    return {
      delivered: this.#delivered.size,
      unchanged: done.filter(({ id }) => !this.#delivered.has(id)).length,
      held: attention.filter(({ state }) => state === 'held'),
      failed: attention.filter(({ state }) => state === 'failed'),
      notes: [...notesOfBlockers(blockers), ...this.#damage],
      estimated_characters: this.#estimated,
      billed_characters: this.#billed,
      requests: this.#requests,
    };
  }

  [Symbol.dispose](): void {
    this.#unsubscribe();
  }

  #count(event: Event): void {
    if (event.kind === 'job-delivered' && event.wrote.length > 0) this.#delivered.add(event.job);
    else if (event.kind === 'source-damaged') {
      for (const finding of event.findings) this.#damage.add(finding);
    } else if (event.kind === 'request') this.#requests += event.operation === USAGE ? 0 : 1;
    else if (event.kind === 'billed') {
      this.#billed += event.characters;
      this.#estimated += event.estimated;
    }
  }
}
