/** What the page shows: counted in one walk over jobs and charges, because it is asked for again and again. */
import { join } from 'node:path';
import type { StatusReport } from '../control.ts';
import { type Hold, type JobId, targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { Cut, LanguageLine, Overview, ProjectLine, RunningLine, Task } from '../overview.ts';
import type { Setup } from '../planner.ts';
import { attentionFor } from '../reports/attention.ts';
import { billedByDay } from '../reports/days.ts';
import { readBooks } from '../reports/usage.ts';
import type { DeskOptions } from './options.ts';
import { ruleLines } from './rule-lines.ts';

const TASKS = 50;
const RUNNING = 20;
const DAYS = 30;

export function overview(options: DeskOptions & { setup(): Setup }): Overview {
  const { ledger, spending, clock } = options;
  const { state, stopped_by } = options.condition();
  const jobs = [...ledger.all('jobs')];
  const books = readBooks(ledger, () => true);
  return {
    state,
    stopped_by,
    jobs: countStates(jobs),
    projects: projectLines(jobs),
    attention: tasks(options, jobs),
    running: cut(jobs.filter(({ state }) => state.kind === 'running').map(runningLine), RUNNING),
    billed_characters: books.billed,
    days: billedByDay(books.by, { days: DAYS, now: clock.now() }),
    budget: spending.budgets(),
    rules: ruleLines(options.setup().config.projects),
  };
}

function countStates(jobs: readonly JobRecord[]): StatusReport['jobs'] {
  const counts = { queued: 0, running: 0, done: 0, held: 0, failed: 0 };
  for (const { state } of jobs) counts[state.kind] += 1;
  return counts;
}

function projectLines(jobs: readonly JobRecord[]): ProjectLine[] {
  return [...Map.groupBy(jobs, ({ project }) => project)].map(([name, own]) => ({
    name,
    languages: [...Map.groupBy(own, ({ language }) => language)]
      .map(([language, all]) => languageLine(language, all))
      .sort((a, b) => (a.language < b.language ? -1 : 1)),
  }));
}

function languageLine(language: string, jobs: readonly JobRecord[]): LanguageLine {
  const { done, held, failed } = countStates(jobs);
  return { language, done, held, failed, total: jobs.length };
}

function tasks(options: DeskOptions, jobs: readonly JobRecord[]): Cut<Task> {
  const open = jobs.filter(({ state }) => state.kind === 'held' || state.kind === 'failed');
  const obstacles = options.obstacles();
  const shown = open.slice(0, Math.max(0, TASKS - obstacles.length));
  const billed = billedFor(options, new Set(shown.map(({ id }) => id)));
  const lines: Task[] = obstacles
    .slice(0, TASKS)
    .map((line) => ({ ...line, file: '', action: 'none', attempts: 0, billed_characters: 0 }));
  for (const job of shown) {
    const line = attentionFor(job);
    if (line === undefined) continue;
    const root = options.planner().project(job.project)?.root ?? '';
    lines.push({
      ...line,
      file: join(root, targetList(job.targets)[0] ?? job.source),
      action: actionFor(job),
      attempts: job.state.kind === 'failed' ? job.state.attempts : 1,
      billed_characters: billed.get(job.id) ?? 0,
    });
  }
  return { lines, total: obstacles.length + open.length };
}

function billedFor({ ledger }: DeskOptions, jobs: ReadonlySet<JobId>): Map<JobId, number> {
  const sums = new Map<JobId, number>();
  for (const { job, kind, characters } of ledger.all('charges')) {
    if (job === null || kind === 'possibly-twice' || !jobs.has(job)) continue;
    sums.set(job, (sums.get(job) ?? 0) + (characters ?? 0));
  }
  return sums;
}

function actionFor({ state }: JobRecord): Task['action'] {
  if (state.kind === 'failed') return 'retry';
  return state.kind === 'held' ? actionForHold(state.hold) : 'none';
}

function actionForHold({ kind }: Hold): Task['action'] {
  switch (kind) {
    case 'budget':
    case 'approval':
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
    case 'unsuitable':
      return 'retry';
    case 'incomplete':
      return 'none';
  }
}

function runningLine({ project, source, language, lane, state }: JobRecord): RunningLine {
  const attempt = state.kind === 'running' ? Math.max(1, state.attempt) : 1;
  return { project, source, language, lane, phase: phaseOf(state), attempt };
}

function phaseOf(state: JobRecord['state']): RunningLine['phase'] {
  if (state.kind !== 'running') return 'working';
  if (state.notBefore !== undefined) return 'waiting';
  return state.step.kind === 'publishing' ? 'publishing' : 'working';
}

function cut<T>(lines: readonly T[], length: number): Cut<T> {
  return { lines: lines.slice(0, length), total: lines.length };
}
