/** What is one thing to decide: jobs that wait for the same word of a person, or failed for the same reason. Pure. */
import { describeFailure } from '../failure.ts';
import { describeHold, type Hold } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import { soundOf } from './audio.ts';
import type { Task } from './report.ts';

/** @returns equal keys for jobs that are decided together; undefined for a job that needs nobody */
export function taskKey(job: JobRecord): string | undefined {
  const { state, project } = job;
  switch (state.kind) {
    case 'failed':
      return keyOf('failed', project, describeFailure(state.failure));
    case 'held':
      return keyOf(state.hold.kind, ...whatIsHeld(job, state.hold));
    case 'queued':
    case 'running':
    case 'done':
      return undefined;
  }
}

function whatIsHeld({ id, project, source }: JobRecord, hold: Hold): string[] {
  switch (hold.kind) {
    case 'budget':
      return [project, hold.scope, hold.unit ?? '', hold.scope === 'file' ? source : ''];
    case 'guard':
      return [describeHold(hold)];
    case 'undone':
      return [project, describeHold(hold)];
    case 'approval':
      return [project, source];
    case 'conflict':
    case 'edited-target':
      return [id];
    case 'damaged-segments':
    case 'doubtful':
    case 'in-doubt':
    case 'incomplete':
    case 'lost-result':
    case 'mass-deletion':
    case 'source-gone':
    case 'state-lost':
    case 'unsuitable':
      return [project, source, describeHold(hold)];
  }
}

function keyOf(...parts: readonly string[]): string {
  return parts.join('\n');
}

export function actionFor({ state }: JobRecord): Task['action'] {
  if (state.kind === 'failed') return 'retry';
  return state.kind === 'held' ? actionForHold(state.hold) : 'none';
}

function actionForHold({ kind }: Hold): Task['action'] {
  switch (kind) {
    case 'approval':
    case 'budget':
    case 'doubtful':
    case 'guard':
    case 'mass-deletion':
      return 'approve';
    case 'conflict':
    case 'edited-target':
      return 'resolve';
    case 'damaged-segments':
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
    case 'undone':
    case 'unsuitable':
      return 'retry';
    case 'incomplete':
    case 'source-gone':
      return 'none';
  }
}

/** Why jobs of one key wait: what each of them needs of a budget is summed up. */
export function reasonOfTask(jobs: readonly JobRecord[], reason: string): string {
  const budgets = jobs.flatMap(({ project, source, state }) =>
    state.kind === 'held' && state.hold.kind === 'budget'
      ? [{ project, source, hold: state.hold, length: state.hold.needs }]
      : [],
  );
  const [first] = budgets;
  if (first === undefined || budgets.length === 1) return reason;
  const needs =
    first.hold.unit === 'minutes'
      ? soundOf(budgets)
      : budgets.reduce((sum, { hold }) => sum + hold.needs, 0);
  const left = Math.min(...budgets.map(({ hold }) => hold.left));
  return describeHold({ ...first.hold, needs, left });
}
