/** Everything that can happen, as data. Log, metrics, hooks and page listen to events and change nothing. */
import type { Failure } from './failure.ts';
import type { Hold, Job, JobId, Lane } from './job.ts';
import type { LanguageTag } from './language.ts';

interface OfJob {
  readonly job: JobId;
  readonly project: string;
  readonly lane: Lane;
  readonly source: string;
  readonly language: LanguageTag;
}

/** The fields of a job in an event. */
export function ofJob({ id, project, lane, source, language }: Job): OfJob {
  return { job: id, project, lane, source, language };
}

export type Event =
  // the daemon
  // `follows`: the tree that another daemon leads; this one works for it, or waits to lead
  | { kind: 'started'; projects: number; address?: string; follows?: string; waits?: boolean }
  | { kind: 'config-reloaded'; changed: readonly string[] }
  | { kind: 'config-refused'; faults: readonly string[] }
  // the config is loaded, but the service no longer supports a language of it
  | { kind: 'config-doubted'; faults: readonly string[] }
  | { kind: 'stopping'; signal: string }
  // `wanted`: the port of the config, where another program uses it
  | { kind: 'page-served'; address: string; wanted?: number }
  | { kind: 'page-broken'; path: string; message: string }
  | { kind: 'watcher-degraded'; reason: string }
  | { kind: 'root-offline'; project: string; root: string; reason: string }
  | { kind: 'root-online'; project: string; root: string }
  | { kind: 'scanned'; files: number; durationMs: number }
  | { kind: 'state-recovered'; file: string; message: string }
  // `on`: the file system of the folder, which other machines may reach
  | { kind: 'state-doubted'; folder: string; on: string }
  | { kind: 'housekeeping-failed'; what: string; message: string }
  // the team's database
  | { kind: 'team-state-away'; host: string; reason: string }
  | { kind: 'team-state-back'; host: string }
  | { kind: 'runner-given-up'; runner: string; requests: number; characters: number }
  | { kind: 'team-state-refuses'; message: string }
  | { kind: 'tree-taken'; tree: string; by: string }
  // `epoch`: how often a daemon has begun to lead it
  | { kind: 'tree-led'; tree: string; epoch: number }
  // the reasons why this daemon cannot do its part now; empty: it can again
  | { kind: 'tree-troubles'; tree: string; troubles: readonly string[] }
  // glossaries and style lists
  | { kind: 'rules-changed'; files: readonly string[] }
  | { kind: 'rules-refused'; faults: readonly string[] }
  | ({ kind: 'terms-missing'; findings: readonly string[] } & OfJob)
  | { kind: 'rules-synced'; what: 'glossary' | 'style'; name: string; calls: number }
  // files
  | { kind: 'source-changed'; project: string; path: string; change: 'new' | 'edited' | 'gone' }
  | { kind: 'source-moved'; project: string; from: string; to: string }
  /** `isReported`: `status` and the report of a run name it as well. */
  | { kind: 'source-skipped'; path: string; reason: string; isReported: boolean }
  // `saved`: a person saved texts into it with dragoman; absent: somebody else wrote it
  | { kind: 'target-edited'; project: string; path: string; saved?: 'page' | 'import' | 'mark' }
  | { kind: 'mass-deletion'; project: string; files: number; of: number }
  | { kind: 'trashed'; project: string; path: string; into: string }
  | { kind: 'deleted'; project: string; path: string }
  // jobs
  // queued jobs that were in no queue: an error of dragoman; they are in the queue again when this is emitted
  | { kind: 'jobs-not-offered'; jobs: number; first: JobId }
  | ({ kind: 'job-queued' } & OfJob)
  | ({ kind: 'job-started'; attempt: number } & OfJob)
  | ({ kind: 'job-delivered'; wrote: readonly string[]; durationMs: number } & OfJob)
  | ({ kind: 'job-held'; hold: Hold } & OfJob)
  | ({ kind: 'job-failed'; failure: Failure; traceId?: string } & OfJob)
  | ({ kind: 'job-retried'; failure: Failure; inMs: number } & OfJob)
  | ({ kind: 'job-superseded' } & OfJob)
  // the folder is one of targets; jobs that write there wait
  | { kind: 'disk-full'; folder: string; failure: Failure }
  // the job is delivered; a text that cannot be read in the source is missing in every target
  | ({ kind: 'source-damaged'; findings: readonly string[] } & OfJob)
  // the job is delivered; the target lost translations of people, because the source lost their texts
  | ({ kind: 'translations-removed'; findings: readonly string[] } & OfJob)
  // the job is delivered, because a setting allows it, or because only a person can tell whether the result is right
  | ({ kind: 'result-doubted'; finding: string } & OfJob)
  // money
  | {
      kind: 'billed';
      /** How many texts were bought; absent where files are bought whole. */
      texts?: number;
      project: string;
      language: LanguageTag;
      lane: Lane;
      characters: number;
      estimated: number;
    }
  /** It may have been billed. The books count such characters separately. */
  | { kind: 'answer-lost'; project: string; characters: number }
  | {
      kind: 'budget-warning';
      scope: 'month' | 'project' | 'runner' | 'run' | 'file' | 'key' | 'account';
      /** The project of the budget; absent for a budget of all projects, and for the limits of key and account. */
      project?: string;
      unit: 'characters' | 'minutes';
      used: number;
      limit: number;
    }
  | { kind: 'paid-work-stopped'; failure: Failure }
  | { kind: 'paid-work-resumed' }
  // `pair` as in en-de
  | { kind: 'glossary-compared'; project: string; pair: string; differs: boolean }
  // `file` relative to the config's folder
  | { kind: 'style-compared'; file: string; differs: boolean }
  // hooks
  | { kind: 'hook-failed'; hook: string; reason: string }
  // the service
  | {
      kind: 'request';
      operation: string;
      status: number | 'lost';
      durationMs: number;
      traceId?: string;
    }
  | { kind: 'throttled'; operation: string; waitMs: number }
  | { kind: 'request-repeated'; operation: string; failure: Failure; inMs: number };

export type Listener = (event: Event) => void;

/** Calls all listeners for each event, in the order in which they subscribed. */
export class Events {
  readonly #listeners = new Set<Listener>();

  emit(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** @returns a function that ends the subscription */
  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
