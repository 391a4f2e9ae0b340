import { expect, test } from 'vitest';
import type { Fingerprint, JobId, JobState } from '../../src/job.ts';
import type { JobRecord } from '../../src/ledger.ts';
import type { PlannedJob, PlanReason } from '../../src/plan/plan.ts';
import { queuedRecord } from '../../src/plan/queued.ts';

const JOB = {
  id: 'app/de/a.json' as JobId,
  project: 'app',
  lane: 'document',
  source: 'a.docx',
  language: 'de',
  targets: 'de/a.docx',
  fingerprint: 'f.r' as Fingerprint,
} as unknown as PlannedJob['job'];

function queued(state: JobState, reason: PlanReason, more: Partial<JobRecord> = {}) {
  const record: JobRecord = {
    ...JOB,
    wrote: [],
    delivered: null,
    estimate: 0,
    fence: 1,
    state,
    ...more,
  };
  const get = (table: string) => (table === 'jobs' ? record : undefined);
  const ledger = { get, all: () => [], size: () => 0 } as unknown as Parameters<
    typeof queuedRecord
  >[1];
  return queuedRecord({ job: JOB, reason }, ledger)?.state.kind;
}

const RUNNING = {
  kind: 'running',
  attempt: 1,
  step: { kind: 'voice', voiceJob: 'v1' },
} as const satisfies JobState;
const DONE = { kind: 'done', at: 'now' } as const satisfies JobState;

test('a plan that is older than what was done since takes nothing back', () => {
  for (const reason of ['new', 'waits', 'tried again', 'source changed'] as const) {
    expect([reason, queued(DONE, reason)]).toEqual([reason, undefined]);
  }
  expect(queued({ kind: 'queued' }, 'new')).toBe('queued');
  expect(queued(DONE, 'target missing')).toBe('queued');
});

test('a job that runs keeps the step that it has reached, also when a person released it', () => {
  const release = { kind: 'approve', fingerprint: JOB.fingerprint, at: 'now' } as const;
  for (const reason of ['new', 'released', 'target missing', 'interrupted'] as const) {
    expect([reason, queued(RUNNING, reason, { release })]).toEqual([reason, undefined]);
  }
});
