/** The report on one run, from its events and the ledger: the object that `once --json` prints. */

import type { Event, Events } from '../event.ts';
import { plural } from '../language.ts';
import type { JobRecord } from '../ledger.ts';
import { attentionOf } from './attention.ts';
import { notesOfBlockers } from './blocker-words.ts';
import type { Blocker } from './blockers.ts';
import type { AttentionLine } from './report.ts';

export interface RunReport {
  /** Jobs whose target was written. */
  readonly delivered: number;
  /** Jobs that are done and needed no change. */
  readonly unchanged: number;
  readonly held: readonly AttentionLine[];
  readonly failed: readonly AttentionLine[];
  /** Notes that need no action. */
  readonly notes: readonly string[];
  readonly estimated_characters: number;
  readonly billed_characters: number;
  /** Requests to the service, without the final one that asks how much of the limits is used. */
  readonly requests: number;
}

const USAGE = 'GET /v2/usage';

/**
 * Counts the events from its creation to the report, as metrics do. No decision depends on these counts: the exit code of a run follows
 * from the jobs in the ledger.
 */
export class RunTally implements Disposable {
  readonly #delivered = new Set<string>();
  /** Unreadable parts of sources, each once, although several languages report it. */
  readonly #damage = new Set<string>();
  /** Translations of people that the run removed with their source texts. */
  readonly #removed = new Set<string>();
  readonly #unsubscribe: () => void;
  #billed = 0;
  #perhaps = 0;
  #estimated = 0;
  #requests = 0;

  constructor(events: Events) {
    this.#unsubscribe = events.subscribe((event) => this.#count(event));
  }

  /**
   * @param jobs of the run
   * @param blockers what is missing beside the jobs
   * @param isUnstated whether the lock had no file of a language when the run began
   */
  report(
    jobs: readonly JobRecord[],
    blockers: readonly Blocker[],
    isUnstated: (job: JobRecord) => boolean = () => false,
  ): RunReport {
    const attention = attentionOf(jobs, blockers);
    const done = jobs.filter(({ state }) => state.kind === 'done');
    const unchanged = done.filter(({ id }) => !this.#delivered.has(id));
    return {
      delivered: this.#delivered.size,
      unchanged: unchanged.length,
      held: attention.filter(({ state }) => state === 'held'),
      failed: attention.filter(({ state }) => state === 'failed'),
      notes: [
        ...notesOfBlockers(blockers),
        ...this.#damage,
        ...this.#removed,
        ...lostNote(this.#perhaps),
        ...unstatedNotes(unchanged.filter(isUnstated), blockers),
      ],
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
    } else if (event.kind === 'translations-removed') {
      for (const finding of event.findings) this.#removed.add(finding);
    } else if (event.kind === 'answer-lost') this.#perhaps += event.characters;
    else if (event.kind === 'request') this.#requests += event.operation === USAGE ? 0 : 1;
    else if (event.kind === 'billed') {
      this.#billed += event.characters;
      this.#estimated += event.estimated;
    }
  }
}

function lostNote(characters: number): string[] {
  if (characters === 0) return [];
  return [
    `answers of the service were lost: up to ${plural(characters, 'character')} more may have been billed; "dragoman usage" shows them`,
  ];
}

/** Where the last commit of the lock is used, its lines are known. */
function unstatedNotes(jobs: readonly JobRecord[], blockers: readonly Blocker[]): string[] {
  if (blockers.some(({ kind }) => kind === 'lock-lost')) return [];
  return [...Map.groupBy(jobs, ({ project, language }) => `${project} (${language})`)].map(
    ([name, { length }]) =>
      `${name}: the lock had no file of this language, so nothing says whether ${plural(length, 'translated file')} that stayed ${length === 1 ? 'is' : 'are'} up to date; if the file was removed by mistake, bring it back and give the command again`,
  );
}
