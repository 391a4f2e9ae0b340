import { expect, test } from 'vitest';
import {
  type Fingerprint,
  type Hash,
  type Job,
  type JobId,
  type JobState,
  type Stat,
  sourceId,
} from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { JobFact, JobRecord, LedgerTables, LedgerView, TableName } from '../../src/ledger.ts';
import type { PlanReason } from '../../src/plan/plan.ts';
import { entryFact } from '../../src/plan/queued.ts';
import { emptyTables } from '../../src/state/tables.ts';

const JOB: Job = {
  id: 'app/de/a.docx' as JobId,
  project: 'app',
  lane: 'document',
  source: 'a.docx',
  language: 'de' as LanguageTag,
  targets: { file: 'de/a.docx' },
  fingerprint: 'f.r' as Fingerprint,
};

function record(state: JobState, more: Partial<JobRecord> = {}): JobRecord {
  return { ...JOB, wrote: [], delivered: null, estimate: 0, fence: 1, state, ...more };
}

/** A ledger with one job at most, and with one source that has this content, or without a source. */
function viewOf(job: JobRecord | undefined, hash: string | null = 'f'): LedgerView {
  const tables = emptyTables();
  if (job !== undefined) tables.jobs.set(job.id, job);
  const id = sourceId(JOB.project, JOB.source);
  const source = { id, project: JOB.project, path: JOB.source, hash: hash as Hash };
  if (hash !== null) tables.sources.set(id, { ...source, stat: '1:1:1:1' as Stat, since: 'then' });
  return {
    condition: 'intact',
    get: <T extends TableName>(table: T, key: string) =>
      tables[table].get(key) as LedgerTables[T] | undefined,
    all: <T extends TableName>(table: T) =>
      tables[table].values() as IterableIterator<LedgerTables[T]>,
    size: (table) => tables[table].size,
  };
}

function entered(
  known: JobRecord | undefined,
  reason: PlanReason,
  hash?: string | null,
): JobFact | undefined {
  return entryFact({ job: JOB, reason }, viewOf(known, hash));
}

function queued(state: JobState, reason: PlanReason, more: Partial<JobRecord> = {}) {
  const fact = entered(record(state, more), reason);
  return fact !== undefined && 'set' in fact ? fact.set.state?.kind : fact;
}

const RUNNING = {
  kind: 'running',
  attempt: 1,
  step: { kind: 'voice', voiceJob: 'v1' },
} as const satisfies JobState;
const DONE = { kind: 'done', at: 'now' } as const satisfies JobState;
const QUEUED = { kind: 'queued' } as const satisfies JobState;

test('an old plan changes nothing that was done after it', () => {
  for (const reason of ['new', 'waits', 'tried again', 'source changed'] as const) {
    expect([reason, queued(DONE, reason)]).toEqual([reason, undefined]);
  }
  expect(queued(QUEUED, 'new')).toBe('queued');
  expect(queued(DONE, 'target missing')).toBe('queued');
});

test('a job that runs keeps the step that it has reached, also when a person released it', () => {
  const release = { kind: 'approve', fingerprint: JOB.fingerprint, at: 'now' } as const;
  for (const reason of ['new', 'released', 'target missing', 'interrupted'] as const) {
    expect([reason, queued(RUNNING, reason, { release })]).toEqual([reason, undefined]);
  }
});

test('newer content takes the job from its worker and ends the approval of the older content', () => {
  const release = { kind: 'approve', fingerprint: 'e.r' as Fingerprint, at: 'now' } as const;
  const known = record(RUNNING, { fingerprint: 'e.r' as Fingerprint, fence: 4, release });
  expect(entered(known, 'source changed')).toMatchObject({
    from: known,
    set: { fingerprint: 'f.r', state: QUEUED, fence: 5, release: undefined },
  });
});

test('a plan for outdated content does not replace a newer plan', () => {
  const newer = record(QUEUED, { fingerprint: 'g.r' as Fingerprint });
  expect(entered(newer, 'source changed', 'g')).toBeUndefined();
  expect(entered(undefined, 'new', 'g')).toBeUndefined();
});

test('a plan sets only its own fields: the record in a planned job may be older than the ledger', () => {
  const older = record(RUNNING, { wrote: [], fence: 1, estimate: 5 });
  const known = record(DONE, { fence: 7, estimate: 9 });
  const fact = entryFact({ job: older, reason: 'target missing' }, viewOf(known));
  const { id: _id, ...words } = JOB;
  expect(fact).toEqual({ table: 'jobs', from: known, set: { ...words, state: QUEUED } });
});

test('a plan for a source that is gone by now makes no job', () => {
  expect(entered(undefined, 'new', null)).toBeUndefined();
  expect(entered(record(QUEUED), 'new', null)).toBeUndefined();
});
