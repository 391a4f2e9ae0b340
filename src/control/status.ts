/** The state of the work: jobs in progress, costs, and everything that needs a person. `status` shows all of it, the page a part. */
import { relative } from 'node:path';
import type { Config } from '../config.ts';
import type { JobState } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { Project } from '../project.ts';
import type { Sums } from '../state/books.ts';
import type { JobCount } from '../state/tree.ts';
import { attentionOf } from './attention.ts';
import { notesOfBlockers } from './blocker-words.ts';
import { type Blocker, blockersIn } from './blockers.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import { billedByDay } from './period.ts';
import type {
  LanguageLine,
  Overview,
  ProjectLine,
  StatusReport,
  TeamReport,
  TerminologyLine,
  TreeReport,
} from './report.ts';
import { conflictsOf } from './resolve.ts';
import { reviewProgress } from './review/progress.ts';
import type { ReviewTexts } from './review/texts.ts';
import { inScope, isNamed } from './scope.ts';
import { filmLines } from './subtitles.ts';
import { tasksOf } from './tasks.ts';
import { teamNotes } from './team-report.ts';
import { isAway, whileAnswered } from './tree-control.ts';
import { treeNotes } from './tree-report.ts';
import { foreseeLock, NOTHING_FORESEEN, withUnwritten } from './unwritten-lock.ts';
import { deliveredLines, workLines } from './work-lines.ts';

export interface StatusOptions extends LocalControlOptions {
  readonly sums: Sums;
  readonly budget: Overview['budget'];
  readonly reviews: ReviewTexts;
  readonly teamReport: TeamReport | null;
  readonly treeReport: TreeReport | null;
}

export async function statusReport(options: StatusOptions, scope: Scope): Promise<StatusReport> {
  const condition = conditionOf(options);
  // A running daemon knows the disk already. When only a part of the jobs was read, there was a leader a moment ago.
  const isPart = options.tree?.counted !== undefined;
  const isAsked = condition.state === 'not running' && !isPart;
  if (isAsked) await options.scan();
  const { jobs, projects, all, open, ...work } = workIn(options, scope);
  const isPlanned = isAsked && options.tree === undefined;
  const planned = isPlanned ? await plannedIn(options, scope) : [];
  const foreseen = isPlanned ? await foreseeLock(options, scope, planned) : NOTHING_FORESEEN;
  const blockers = withUnwritten(work.blockers, 0, foreseen);
  return {
    ...condition,
    to_do: isPlanned ? planned.length + options.followUps(scope).length : null,
    conflicts: await ofTree(options, () => conflictsOf(options, open)),
    jobs,
    projects,
    attention: attentionOf(open, blockers),
    tasks: tasksOf(options, { open, blockers }, Number.POSITIVE_INFINITY).lines,
    subtitles: await ofTree(options, () => filmLines(options, all)),
    notes: [...notesOf(options, blockers), ...notesWithoutTree(options)],
    billed_characters: options.sums.billed(),
    review: await reviewProgress(options.reviews, scope),
    team: options.teamReport,
    tree: options.treeReport,
  };
}

async function plannedIn(options: StatusOptions, scope: Scope): Promise<PlannedJob[]> {
  const rootOf = (project: string) => options.inForce.planner.project(project)?.root;
  const { work } = await options.plan();
  return work.filter(({ job }) => inScope(scope, job, rootOf));
}

/** An answer from the baselines of a tree, which are in the database. While it is away, the answer is empty. */
async function ofTree<T>(
  { team, tree, clock }: StatusOptions,
  ask: () => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (team === undefined || tree === undefined) return await ask();
  return await whileAnswered({ team, clock }, ask).catch((error: unknown) => {
    if (isAway(team)) return [];
    throw error;
  });
}

function notesWithoutTree({ team, tree }: StatusOptions): string[] {
  return tree !== undefined && isAway(team)
    ? ['conflicts of texts and reports on subtitles are in that database: they are not shown now']
    : [];
}

/** The state of a tree is that of the daemon that leads it. */
function conditionOf({ condition, tree, treeReport }: StatusOptions) {
  const own = condition.report;
  const isLed = tree?.task === 'looks' && treeReport?.leader !== null;
  return isLed ? { ...own, state: 'running' as const } : own;
}

function notesOf(options: StatusOptions, blockers: readonly Blocker[]): string[] {
  const { team, tree, treeReport } = options;
  return [
    ...notesOfBlockers(blockers),
    ...options.condition.delays,
    ...teamNotes(team),
    ...(treeReport === null
      ? []
      : treeNotes(treeReport, { task: tree?.task, isAway: isAway(team) })),
  ];
}

const DAYS = 30;
const WHOLE_SCOPE: Scope = { projects: [], languages: [], paths: [] };

/** Called twice a second, so it reads no texts of files and cuts long lists. */
export function overview(options: StatusOptions): Overview {
  const { budget, clock, sums } = options;
  const { state, stopped_by } = options.condition.report;
  const { jobs, projects, all, open, blockers } = workIn(options, WHOLE_SCOPE);
  const { planner } = options.inForce;
  return {
    state,
    stopped_by,
    jobs,
    projects,
    attention: tasksOf(options, { open, blockers }),
    work: workLines(all),
    delivered: deliveredLines(all, (project) => planner.project(project)?.root),
    billed_characters: sums.billed(),
    days: billedByDay((day) => sums.onDay(day), { days: DAYS, now: clock.now() }),
    budget,
    rules: terminologyLines(options.inForce.config),
    notes: notesOf(options, blockers),
    team: options.teamReport,
    tree: options.treeReport,
  };
}

interface Work {
  readonly jobs: Record<JobState['kind'], number>;
  readonly projects: readonly ProjectLine[];
  readonly all: readonly JobRecord[];
  /** Held and failed jobs. */
  readonly open: readonly JobRecord[];
  readonly blockers: readonly Blocker[];
}

/** Collects everything in a single pass over the jobs. */
function workIn(options: LocalControlOptions, scope: Scope): Work {
  const { ledger, inForce } = options;
  const rootOf = (project: string) => inForce.planner.project(project)?.root;
  const counts = { queued: 0, running: 0, done: 0, held: 0, failed: 0 };
  // A worker knows only its own jobs.
  const isWhole = options.tree?.task !== 'works';
  const progress = new Progress(inForce.config, scope);
  const all: JobRecord[] = [];
  for (const job of ledger.all('jobs')) {
    if (!inScope(scope, job, rootOf) || !inForce.planner.isReported(job)) continue;
    all.push(job);
    counts[job.state.kind] += 1;
    progress.count({ ...job, state: job.state.kind, jobs: 1 });
  }
  for (const alike of options.tree?.counted ?? []) {
    if (!isNamed(scope, alike.project, alike.language)) continue;
    if (alike.state === 'done' && !inForce.planner.hasLanguage(alike)) continue;
    counts[alike.state] += alike.jobs;
    progress.count(alike);
  }
  return {
    jobs: counts,
    projects: isWhole ? progress.lines() : [],
    all,
    open: all.filter(({ state }) => state.kind === 'held' || state.kind === 'failed'),
    blockers: blockersIn(scope, options.blockers(), rootOf),
  };
}

type CountedLanguage = { -readonly [Name in keyof LanguageLine]: LanguageLine[Name] };

/** The progress of each language of each project. */
class Progress {
  readonly #projects: Map<string, Map<string, CountedLanguage>>;

  /** Includes projects whose patterns match no file. */
  constructor({ projects }: Pick<Config, 'projects'>, scope: Scope) {
    const configured = scope.paths.length > 0 ? [] : projects;
    this.#projects = new Map();
    for (const { name, targets } of configured) {
      for (const language of targets)
        if (isNamed(scope, name, language)) this.#line(name, language);
    }
  }

  count({ project, language, state, jobs }: JobCount): void {
    const line = this.#line(project, language);
    line.total += jobs;
    if (state === 'done' || state === 'held' || state === 'failed') line[state] += jobs;
  }

  lines(): ProjectLine[] {
    return [...this.#projects].map(([name, languages]) => ({
      name,
      languages: [...languages.values()].sort((a, b) => (a.language < b.language ? -1 : 1)),
    }));
  }

  #line(project: string, language: string): CountedLanguage {
    const languages = this.#projects.get(project) ?? new Map<string, CountedLanguage>();
    this.#projects.set(project, languages);
    const line = languages.get(language) ?? { language, done: 0, held: 0, failed: 0, total: 0 };
    languages.set(language, line);
    return line;
  }
}

function terminologyLines({
  projects,
  base,
}: Pick<Config, 'projects' | 'base'>): TerminologyLine[] {
  return projects.flatMap((project) => [...glossaryLine(project), ...styleLines(project, base)]);
}

function glossaryLine({ name, rules, targets }: Project): TerminologyLine[] {
  const { glossary } = rules;
  if (glossary === undefined) return [];
  const common = { kind: 'glossary', project: name, languages: targets } as const;
  return 'id' in glossary
    ? [{ ...common, name: glossary.id, file: null }]
    : [{ ...common, name: glossary.name, file: glossary.csv }];
}

function styleLines({ name: project, rules }: Project, base: string): TerminologyLine[] {
  return [...rules.styles].map(([language, style]) => {
    const common = { kind: 'style', project, languages: [language] } as const;
    if ('id' in style) return { ...common, name: style.id, file: null };
    const file = relative(base, style.file);
    return { ...common, name: file, file };
  });
}
