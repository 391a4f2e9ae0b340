/** `/metrics`: counts events, reads the ledger, and answers in the text format of Prometheus. Labels have few values: never file names. */
import type { Clock } from '../clock.ts';
import type { DaemonCondition } from '../control/daemon-condition.ts';
import type { ReviewProgress } from '../control/review-report.ts';
import { teamReport } from '../control/team-report.ts';
import { treeReport } from '../control/tree-report.ts';
import type { AccountUsage } from '../control/usage.ts';
import type { Event, Listener } from '../event.ts';
import type { JobId } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Books } from '../state/books.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';
import type { RemoteGlossaries } from '../sync/glossaries.ts';
import { exposition, type Family, type Labels, type Sample } from './metrics/exposition.ts';
import { billedFamily, type LedgerFigures, ledgerFamilies } from './metrics/from-ledger.ts';
import { teamFamilies } from './metrics/from-team.ts';
import { treeFamilies } from './metrics/from-tree.ts';
import { ProcessFigures } from './metrics/process.ts';

/** Seconds. A text job takes less than one, a large document or a recording minutes. */
const JOB_BOUNDS = [0.1, 0.5, 1, 5, 15, 60, 300, 900, 3600];
const REQUEST_BOUNDS = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

const RESULTS = ['delivered', 'held', 'failed', 'superseded'] as const;

/** The daemon, as its metrics show it. */
export interface MeasuredDaemon {
  readonly answers: Pick<LedgerFigures, 'isReported'>;
  readonly ledger: LedgerView;
  readonly books: Books;
  /** Absent when the config names no database. */
  readonly team?: Team | undefined;
  /** Absent when the config names no tree. */
  readonly tree?: Pick<Tree, 'name' | 'task' | 'daemons'> | undefined;
  readonly terminology: {
    readonly remote: { readonly glossaries: Pick<RemoteGlossaries, 'compared'> };
  };
  readonly condition: Pick<DaemonCondition, 'configFaults'>;
}

export interface MetricsOptions {
  readonly daemon: MeasuredDaemon;
  readonly clock: Clock;
  readonly version: string;
  /** The last known figures of the account; null when there are none. */
  readonly account: { look(): AccountUsage | null };
  /** The last known progress of reviews. */
  readonly reviews: { look(): readonly ReviewProgress[] };
}

type JobEvent = Extract<Event, { job: JobId }>;

export class Metrics implements Disposable {
  readonly #options: MetricsOptions;
  readonly #process: ProcessFigures;
  readonly #queuedAt = new Map<JobId, number>();
  readonly #completed = new Counter();
  readonly #jobSeconds = new Histogram(JOB_BOUNDS);
  readonly #requests = new Counter();
  readonly #requestSeconds = new Histogram(REQUEST_BOUNDS);
  readonly #retries = new Counter();
  #throttledSeconds = 0;

  constructor(options: MetricsOptions) {
    this.#options = options;
    this.#process = new ProcessFigures(options.clock);
  }

  readonly listener: Listener = (event) => {
    if ('job' in event) this.#hearJob(event);
    else this.#receive(event);
  };

  /** @returns the body of the answer */
  async render(): Promise<string> {
    const { clock, daemon } = this.#options;
    const { ledger, books, tree, answers } = daemon;
    const sums = await books.sums();
    const team = await teamReport(daemon.team, sums);
    const isReported = (job: JobRecord) => answers.isReported(job);
    const figures = { now: clock.now(), queuedAt: this.#queuedAt, sums, isReported };
    return exposition([
      // A worker leaves the counts of jobs to its leader, which also counts the jobs of the worker.
      ...(tree?.task === 'works' ? [billedFamily(sums)] : ledgerFamilies(ledger, figures)),
      ...this.#work(),
      ...(team === null ? [] : teamFamilies(team)),
      ...(tree === undefined ? [] : treeFamilies(await treeReport(tree))),
      ...this.#service(),
      ...this.#condition(),
      ...this.#process.families(),
    ]);
  }

  [Symbol.dispose](): void {
    this.#process[Symbol.dispose]();
  }

  #hearJob(event: JobEvent): void {
    const { job, project, lane, language } = event;
    const complete = (result: (typeof RESULTS)[number]) =>
      this.#completed.add({ project, lane, language, result });
    if (event.kind !== 'job-queued') this.#queuedAt.delete(job);
    switch (event.kind) {
      case 'job-queued':
        if (!this.#queuedAt.has(job)) this.#queuedAt.set(job, this.#options.clock.now());
        // Each series begins at 0: one that begins at 1 shows no first increase (Prometheus, "Avoid missing metrics").
        for (const result of RESULTS) this.#completed.add({ project, lane, language, result }, 0);
        break;
      case 'job-delivered':
        complete('delivered');
        this.#jobSeconds.observe({ lane }, event.durationMs / 1000);
        break;
      case 'job-held':
        complete('held');
        break;
      case 'job-failed':
        complete('failed');
        break;
      case 'job-superseded':
        complete('superseded');
        break;
      case 'job-retried':
        this.#retries.add({ reason: event.failure.kind });
        break;
      case 'job-started':
      case 'terms-missing':
      case 'result-doubted':
      case 'source-damaged':
      case 'translations-removed':
        break;
    }
  }

  #receive(event: Exclude<Event, JobEvent>): void {
    switch (event.kind) {
      case 'request': {
        const { operation, status, durationMs } = event;
        this.#requests.add({ operation, status: String(status) });
        this.#requestSeconds.observe({ operation }, durationMs / 1000);
        break;
      }
      case 'request-repeated':
        this.#retries.add({ reason: event.failure.kind });
        break;
      case 'throttled':
        this.#throttledSeconds += event.waitMs / 1000;
        break;
      default:
        break;
    }
  }

  #work(): Family[] {
    return [
      {
        name: 'dragoman_jobs_completed_total',
        help: 'Runs of jobs that ended, by result; a job that is delivered and held for some segments counts for both.',
        type: 'counter',
        samples: this.#completed.samples(),
      },
      {
        name: 'dragoman_job_duration_seconds',
        help: 'Seconds that the runs of delivered jobs took.',
        type: 'histogram',
        samples: this.#jobSeconds.samples(),
      },
    ];
  }

  #service(): Family[] {
    return [
      {
        name: 'dragoman_api_requests_total',
        help: 'Requests to the service by operation and status; "lost" when no answer came.',
        type: 'counter',
        samples: this.#requests.samples(),
      },
      {
        name: 'dragoman_api_request_duration_seconds',
        help: 'How long requests to the service took, seconds.',
        type: 'histogram',
        samples: this.#requestSeconds.samples(),
      },
      {
        name: 'dragoman_api_retries_total',
        help: 'Requests and jobs that were tried again, by reason.',
        type: 'counter',
        samples: this.#retries.samples(),
      },
      total('dragoman_throttled_seconds_total', {
        help: 'How long the service asked to wait, in sum, seconds.',
        value: this.#throttledSeconds,
      }),
      {
        name: 'dragoman_quota_characters',
        help: 'Characters of the account in its period: used, and the limit where there is one.',
        type: 'gauge',
        samples: quotaSamples(this.#options.account.look()),
      },
      {
        name: 'dragoman_segments',
        help: 'Texts by how far they have come, each in one state, of projects whose config wants reviews.',
        type: 'gauge',
        samples: this.#options.reviews.look().flatMap(segmentSamples),
      },
    ];
  }

  #condition(): Family[] {
    const { version, daemon } = this.#options;
    return [
      {
        name: 'dragoman_glossary_drift',
        help: '1 when a glossary pair differs between file and service.',
        type: 'gauge',
        samples: daemon.terminology.remote.glossaries.compared.map(({ project, pair, differs }) =>
          one({ project, pair }, differs ? 1 : 0),
        ),
      },
      gauge('dragoman_config_reload_success', {
        help: 'Whether the last reload of the config was accepted; 1 before the first.',
        samples: [one({}, daemon.condition.configFaults.length === 0 ? 1 : 0)],
      }),
      gauge('dragoman_build_info', {
        help: 'Always 1; the versions are in the labels.',
        samples: [one({ version, node: process.versions.node })],
      }),
    ];
  }
}

function segmentSamples({ project, language, counts }: ReviewProgress): Sample[] {
  return Object.entries(counts).map(([state, value]) => one({ project, language, state }, value));
}

function quotaSamples(account: AccountUsage | null): Sample[] {
  if (account === null) return [];
  const { character_count, character_limit } = account;
  const limit = character_limit === null ? [] : [one({ type: 'limit' }, character_limit)];
  return [one({ type: 'used' }, character_count), ...limit];
}

function one(labels: Labels, value = 1): Sample {
  return { labels, value };
}

function gauge(name: string, rest: Pick<Family, 'help' | 'samples'>): Family {
  return { name, type: 'gauge', ...rest };
}

function total(name: string, { help, value }: { help: string; value: number }): Family {
  return { name, type: 'counter', help, samples: [one({}, value)] };
}

/** A counter of this process, with one sum for each set of label values. */
class Counter {
  readonly #sums = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, amount = 1): void {
    const key = JSON.stringify(labels);
    const known = this.#sums.get(key);
    if (known === undefined) this.#sums.set(key, { labels, value: amount });
    else known.value += amount;
  }

  samples(): Sample[] {
    return [...this.#sums.values()].map(({ labels, value }) => ({ labels, value }));
  }
}

interface HistogramCounts {
  readonly labels: Labels;
  readonly counts: number[];
  sum: number;
  count: number;
}

class Histogram {
  readonly #bounds: readonly number[];
  readonly #observed = new Map<string, HistogramCounts>();

  /** @param bounds upper bounds of the buckets, rising; a last bucket without a bound is added */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
  }

  observe(labels: Labels, value: number): void {
    const key = JSON.stringify(labels);
    const fresh = { labels, counts: this.#bounds.map(() => 0), sum: 0, count: 0 };
    const observed = this.#observed.get(key) ?? fresh;
    this.#observed.set(key, observed);
    observed.sum += value;
    observed.count += 1;
    this.#bounds.forEach((bound, nth) => {
      if (value <= bound) observed.counts[nth] = (observed.counts[nth] ?? 0) + 1;
    });
  }

  samples(): Sample[] {
    return [...this.#observed.values()].flatMap(({ labels, counts, sum, count }) => [
      ...this.#bounds.map((bound, nth) => ({
        suffix: '_bucket',
        labels: { ...labels, le: String(bound) },
        value: counts[nth] ?? 0,
      })),
      { suffix: '_bucket', labels: { ...labels, le: '+Inf' }, value: count },
      { suffix: '_sum', labels, value: sum },
      { suffix: '_count', labels, value: count },
    ]);
  }
}
