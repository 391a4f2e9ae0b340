/** How claims, steps and settlements change the record of a job. Pure. Every ledger uses these functions. */
import { isPassing } from '../failure.ts';
import { type Fingerprint, type JobState, type Step, sourceHashOf } from '../job.ts';
import type { JobRecord, PlacedTarget, Settlement } from '../ledger.ts';

/** Done or held, and without the release of a person: nothing to claim. */
export function isOver({ state, release }: JobRecord): boolean {
  return (state.kind === 'done' || state.kind === 'held') && release === undefined;
}

export function claimed(job: JobRecord): JobRecord {
  return { ...job, fence: job.fence + 1, state: claimedState(job.state) };
}

function claimedState(state: JobState): JobState {
  const step: Step = { kind: 'started' };
  switch (state.kind) {
    case 'running':
      return { kind: 'running', attempt: state.attempt, step: state.step };
    case 'failed':
      return { kind: 'running', attempt: state.attempts + 1, step };
    case 'queued':
    case 'done':
    case 'held':
      return { kind: 'running', attempt: 1, step };
  }
}

/** @returns undefined when the job is not running */
export function stepped(job: JobRecord, step: Step): JobRecord | undefined {
  if (job.state.kind !== 'running') return undefined;
  const state: JobState = { kind: 'running', attempt: job.state.attempt, step };
  const next = placedBy(job, step);
  if (next === undefined) return { ...job, state };
  const others = (job.placed ?? []).filter(
    ({ path, hash }) => path !== next.path || hash !== next.hash,
  );
  return { ...job, state, placed: [...others, next] };
}

/** Undefined for lanes with segments: their baseline has the same for each segment. */
export function placedBy(
  { lane, fingerprint, placed }: JobRecord,
  step: Step,
): PlacedTarget | undefined {
  if (step.kind !== 'publishing' || (lane !== 'document' && lane !== 'voice')) return undefined;
  const wasFirst = placed?.some(({ path, isFirst }) => path === step.path && isFirst);
  return { ...placedTargetOf(step, fingerprint), ...(wasFirst && { isFirst: true }) };
}

export function placedTargetOf(
  { path, hash, expectedOld }: Extract<Step, { kind: 'publishing' }>,
  fingerprint: Fingerprint,
): PlacedTarget {
  const from = sourceHashOf(fingerprint);
  return { path, hash, from, ...(expectedOld === null && { isFirst: true }) };
}

export function settled(
  { release, placed, formerIds, ...job }: JobRecord,
  settlement: Settlement,
): JobRecord {
  const { state, wrote, delivered, reading } = settlement;
  return {
    ...job,
    ...(formerIds && state.kind !== 'done' && { formerIds }),
    ...(release && isStillMeant(state) && { release }),
    ...(reading && { reading }),
    ...(placed && wrote === undefined && { placed }),
    state,
    wrote: wrote ?? job.wrote,
    delivered: delivered ?? job.delivered,
  };
}

/** The record of a job that has written something since a leader wrote the lock; see `JobRecord.lockLacks`. */
export function lackedByLock(job: JobRecord): JobRecord {
  return job.wrote.length > 0 ? { ...job, lockLacks: true } : job;
}

/** Whether a release stays. It counts for one try: it ends with the job, unless the job is tried again by itself. */
export function isStillMeant(state: JobState): boolean {
  switch (state.kind) {
    case 'queued':
    case 'running':
      return true;
    case 'failed':
      return isPassing(state.failure);
    case 'done':
    case 'held':
      return false;
  }
}
