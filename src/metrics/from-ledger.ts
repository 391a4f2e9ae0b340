/** Figures that the ledger knows, read when they are asked for: they survive a restart. Pure. */
import type { JobId } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Family } from './exposition.ts';
import { Counter } from './sums.ts';

const STATES: readonly JobRecord['state']['kind'][] = [
  'queued',
  'running',
  'done',
  'held',
  'failed',
];

/** @param queuedAt when jobs that wait were queued, milliseconds since the epoch */
export function ledgerFamilies(
  ledger: LedgerView,
  { now, queuedAt }: { now: number; queuedAt: ReadonlyMap<JobId, number> },
): Family[] {
  const jobs = new Counter();
  let oldest = now;
  let lastSuccess: string | undefined;
  for (const { id, project, lane, state } of ledger.all('jobs')) {
    // Every state is always there: a series that vanishes at 0 breaks alerts.
    for (const kind of STATES) {
      jobs.add({ project, lane, state: kind }, kind === state.kind ? 1 : 0);
    }
    if (state.kind === 'queued') oldest = Math.min(oldest, queuedAt.get(id) ?? now);
    if (state.kind === 'done' && state.at > (lastSuccess ?? '')) lastSuccess = state.at;
  }
  return [
    {
      name: 'dragoman_jobs',
      help: 'Jobs by state.',
      type: 'gauge',
      samples: jobs.samples(),
    },
    {
      name: 'dragoman_queue_oldest_age_seconds',
      help: 'How long the oldest queued job has waited since it was queued in this process, seconds.',
      type: 'gauge',
      samples: [{ labels: {}, value: (now - oldest) / 1000 }],
    },
    {
      name: 'dragoman_last_success_timestamp_seconds',
      help: 'When a job was last done, seconds since the epoch.',
      type: 'gauge',
      samples:
        lastSuccess === undefined ? [] : [{ labels: {}, value: Date.parse(lastSuccess) / 1000 }],
    },
    billedCharacters(ledger),
  ];
}

function billedCharacters(ledger: LedgerView): Family {
  const billed = new Counter();
  for (const { project, lane, language, kind, characters } of ledger.all('charges')) {
    // Whether a text that was sent twice was billed twice, nobody can tell: it stands apart in `usage`.
    if (kind === 'possibly-twice') continue;
    billed.add({ project, lane, language }, characters ?? 0);
  }
  return {
    name: 'dragoman_billed_characters_total',
    help: 'Characters (Unicode code points) that were billed, from the books.',
    type: 'counter',
    samples: billed.samples(),
  };
}
