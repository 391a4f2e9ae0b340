/** What the page shows: counted in one walk over the jobs, because it is asked for twice a second. */
import { join } from 'node:path';
import type { AttentionLine, StatusReport } from '../control.ts';
import { type Hold, targetList } from '../job.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Cut, LanguageLine, Overview, ProjectLine, RunningLine, Task } from '../overview.ts';
import type { Setup } from '../planner.ts';
import { attentionFor, attentionOf, isHeldTogether } from '../reports/attention.ts';
import { billedByDay } from '../reports/days.ts';
import type { RunningBooks } from '../reports/running-books.ts';
import type { DeskOptions } from './options.ts';
import { ruleLines } from './rule-lines.ts';

const TASKS = 50;
const RUNNING = 20;
const DAYS = 30;

export interface OverviewOptions extends DeskOptions {
  readonly books: RunningBooks;
  setup(): Setup;
}

export function overview(options: OverviewOptions): Overview {
  const { ledger, spending, clock, books } = options;
  const { state, stopped_by } = options.condition();
  const { jobs, projects, open, running } = walk(ledger);
  return {
    state,
    stopped_by,
    jobs,
    projects,
    attention: tasks(options, open),
    running: { lines: running.slice(0, RUNNING).map(runningLine), total: running.length },
    billed_characters: books.billed(),
    days: billedByDay((day) => books.onDay(day), { days: DAYS, now: clock.now() }),
    budget: spending.budgets(),
    rules: ruleLines(options.setup().config),
  };
}

interface Walked {
  readonly jobs: StatusReport['jobs'];
  readonly projects: ProjectLine[];
  /** Held and failed. */
  readonly open: readonly JobRecord[];
  readonly running: readonly JobRecord[];
}

function walk(ledger: LedgerView): Walked {
  const jobs = { queued: 0, running: 0, done: 0, held: 0, failed: 0 };
  const projects = new Map<string, Map<string, Counted>>();
  const open: JobRecord[] = [];
  const running: JobRecord[] = [];
  for (const job of ledger.all('jobs')) {
    const { kind } = job.state;
    jobs[kind] += 1;
    count(projects, job);
    if (kind === 'running') running.push(job);
    if (kind === 'held' || kind === 'failed') open.push(job);
  }
  return { jobs, projects: [...projects].map(projectLine), open, running };
}

type Counted = { -readonly [Name in keyof LanguageLine]: LanguageLine[Name] };

function count(
  projects: Map<string, Map<string, Counted>>,
  { project, language, state: { kind } }: JobRecord,
): void {
  const languages = projects.get(project) ?? new Map<string, Counted>();
  projects.set(project, languages);
  const line = languages.get(language) ?? { language, done: 0, held: 0, failed: 0, total: 0 };
  languages.set(language, line);
  line.total += 1;
  if (kind === 'done' || kind === 'held' || kind === 'failed') line[kind] += 1;
}

function projectLine([name, languages]: [string, Map<string, Counted>]): ProjectLine {
  const lines = [...languages.values()].sort((a, b) => (a.language < b.language ? -1 : 1));
  return { name, languages: lines };
}

function tasks(options: OverviewOptions, open: readonly JobRecord[]): Cut<Task> {
  // What is held together is one thing to decide, in the terminal.
  const [together, single] = [
    open.filter(isHeldTogether),
    open.filter((job) => !isHeldTogether(job)),
  ];
  const whole = [...options.obstacles(), ...attentionOf(together)];
  const lines: Task[] = whole
    .slice(0, TASKS)
    .map((line) => ({ ...line, file: '', action: 'none', attempts: 0, billed_characters: 0 }));
  for (const job of single.slice(0, TASKS - lines.length)) {
    const line = attentionFor(job);
    if (line !== undefined) lines.push({ ...line, ...detailsOf(options, job) });
  }
  return { lines, total: whole.length + single.length };
}

function detailsOf(
  { planner, books }: OverviewOptions,
  job: JobRecord,
): Omit<Task, keyof AttentionLine> {
  const root = planner().project(job.project)?.root ?? '';
  return {
    file: join(root, targetList(job.targets)[0] ?? job.source),
    action: actionFor(job),
    attempts: job.state.kind === 'failed' ? job.state.attempts : 1,
    billed_characters: books.forJob(job.id),
  };
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
    case 'undone':
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
