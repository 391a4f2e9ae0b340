/** Figures from the ledger, read for each request: they survive a restart. Pure. */

import type { JobId } from '../../job.ts';
import type { JobRecord, LedgerView } from '../../ledger.ts';
import type { Sums } from '../../state/books.ts';
import type { Family, Sample } from './exposition.ts';

export interface LedgerFigures {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Times at which waiting jobs were queued, milliseconds since the epoch. */
  readonly queuedAt: ReadonlyMap<JobId, number>;
  readonly sums: Sums;
  /** Whether `status` counts a job. */
  isReported(job: JobRecord): boolean;
}

export function ledgerFamilies(ledger: LedgerView, figures: LedgerFigures): Family[] {
  const { now, sums } = figures;
  const { jobs, oldest, lastSuccess } = walk(ledger, figures);
  return [
    {
      name: 'dragoman_jobs',
      help: 'Jobs by state.',
      type: 'gauge',
      samples: [...jobs.values()].flatMap(jobSamples),
    },
    {
      name: 'dragoman_queue_oldest_age_seconds',
      help: 'How long the oldest queued job has waited since it was queued in this process, seconds.',
      type: 'gauge',
      samples: [{ labels: {}, value: (now - Math.min(now, oldest)) / 1000 }],
    },
    {
      name: 'dragoman_last_success_timestamp_seconds',
      help: 'When a job was last done, seconds since the epoch.',
      type: 'gauge',
      samples: lastSuccess === '' ? [] : [{ labels: {}, value: Date.parse(lastSuccess) / 1000 }],
    },
    billedFamily(sums),
  ];
}

export function billedFamily(sums: Sums): Family {
  return {
    name: 'dragoman_billed_characters_total',
    help: 'Characters (Unicode code points) that were billed, from the ledger.',
    type: 'counter',
    samples: [...sums.byLane()],
  };
}

interface JobCounts {
  readonly project: string;
  readonly lane: string;
  readonly states: Record<JobRecord['state']['kind'], number>;
}

function walk(ledger: LedgerView, { queuedAt, isReported }: LedgerFigures) {
  const jobs = new Map<string, JobCounts>();
  let oldest = Number.POSITIVE_INFINITY;
  let lastSuccess = '';
  for (const job of ledger.all('jobs')) {
    const { id, project, lane, state } = job;
    const key = `${project}\n${lane}`;
    const counts = jobs.get(key) ?? { project, lane, states: noJobs() };
    jobs.set(key, counts);
    if (!isReported(job)) continue;
    counts.states[state.kind] += 1;
    if (state.kind === 'queued') oldest = Math.min(oldest, queuedAt.get(id) ?? oldest);
    if (state.kind === 'done' && state.at > lastSuccess) lastSuccess = state.at;
  }
  return { jobs, oldest, lastSuccess };
}

// Every state has a value: a series that disappears at 0 breaks alerts.
function noJobs(): JobCounts['states'] {
  return { queued: 0, running: 0, done: 0, held: 0, failed: 0 };
}

function jobSamples({ project, lane, states }: JobCounts): Sample[] {
  return Object.entries(states).map(([state, value]) => ({
    labels: { project, lane, state },
    value,
  }));
}
