/** What the page shows: counted in one walk over the jobs, because it is asked for twice a second. */
import { relative } from 'node:path';
import type { Config, Project } from '../config.ts';
import type { JobRecord, LedgerView } from '../ledger.ts';
import type { Sums } from './books.ts';
import type { LocalControlOptions } from './options.ts';
import { billedByDay } from './period.ts';
import type {
  LanguageLine,
  Overview,
  ProjectLine,
  RuleLine,
  RunningLine,
  StatusReport,
} from './report.ts';
import { tasksOf } from './tasks.ts';

const RUNNING = 20;
const DAYS = 30;

export interface OverviewOptions extends LocalControlOptions {
  readonly books: Sums;
}

export function overview(options: OverviewOptions): Overview {
  const { ledger, spending, clock, books } = options;
  const { state, stopped_by } = options.condition();
  const { config } = options.inForce;
  const { jobs, projects, open, running } = walk(ledger, config);
  return {
    state,
    stopped_by,
    jobs,
    projects,
    attention: tasksOf(options, open),
    running: { lines: running.slice(0, RUNNING).map(runningLine), total: running.length },
    billed_characters: books.billed(),
    days: billedByDay((day) => books.onDay(day), { days: DAYS, now: clock.now() }),
    budget: spending.budgets(),
    rules: ruleLines(config),
  };
}

interface Walked {
  readonly jobs: StatusReport['jobs'];
  readonly projects: ProjectLine[];
  /** Held and failed. */
  readonly open: readonly JobRecord[];
  readonly running: readonly JobRecord[];
}

function walk(ledger: LedgerView, { projects: configured }: Pick<Config, 'projects'>): Walked {
  const jobs = { queued: 0, running: 0, done: 0, held: 0, failed: 0 };
  // A project whose pattern finds nothing is seen as well.
  const projects = new Map(
    configured.map(({ name, targets }) => [
      name,
      new Map(targets.map((language) => [language as string, noJobs(language)])),
    ]),
  );
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
  const line = languages.get(language) ?? noJobs(language);
  languages.set(language, line);
  line.total += 1;
  if (kind === 'done' || kind === 'held' || kind === 'failed') line[kind] += 1;
}

function noJobs(language: string): Counted {
  return { language, done: 0, held: 0, failed: 0, total: 0 };
}

function projectLine([name, languages]: [string, Map<string, Counted>]): ProjectLine {
  const lines = [...languages.values()].sort((a, b) => (a.language < b.language ? -1 : 1));
  return { name, languages: lines };
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

function ruleLines({ projects, base }: Pick<Config, 'projects' | 'base'>): RuleLine[] {
  return projects.flatMap((project) => [...glossaryLine(project), ...styleLines(project, base)]);
}

function glossaryLine({ name, rules, targets }: Project): RuleLine[] {
  const { glossary } = rules;
  if (glossary === undefined) return [];
  const common = { kind: 'glossary', project: name, languages: targets } as const;
  return 'id' in glossary
    ? [{ ...common, name: glossary.id, file: null }]
    : [{ ...common, name: glossary.name, file: glossary.csv }];
}

function styleLines({ name: project, rules }: Project, base: string): RuleLine[] {
  return [...rules.styles].map(([language, style]) => {
    const common = { kind: 'style', project, languages: [language] } as const;
    if ('id' in style) return { ...common, name: style.id, file: null };
    const file = relative(base, style.file);
    return { ...common, name: file, file };
  });
}
