/** Answers commands in the process that does the work. */
import { describeFailure, failureOf } from '../failure.ts';
import { describeHold, type Hold } from '../job.ts';
import { inBatches } from '../parsing/within.ts';
import type { PlannedJob } from '../plan/plan.ts';
import { askAccount } from './account.ts';
import { planReport } from './answer-plan.ts';
import { usageReport } from './answer-usage.ts';
import { changeOf } from './change.ts';
import type { Control, Scope } from './control.ts';
import { explainFile } from './explain.ts';
import { frozenReport } from './frozen.ts';
import { glossaryReports } from './glossaries.ts';
import type { LocalControlOptions } from './options.ts';
import { release } from './release.ts';
import { conflictsAtRest, resolveConflicts } from './resolve.ts';
import { reviewImport } from './review/import.ts';
import { reviewLinks } from './review/links.ts';
import { reviewList } from './review/list.ts';
import { reviewMark } from './review/mark.ts';
import { reviewSave, WaitingSaves } from './review/page-saves.ts';
import { reviewPortion } from './review/portion.ts';
import { reviewProgress } from './review/progress.ts';
import { ReviewTexts } from './review/texts.ts';
import { reviewUndo } from './review/undo-save.ts';
import { inScope } from './scope.ts';
import type { OpenWork, UnreadFile } from './since.ts';
import { overview, statusReport } from './status.ts';
import { styleReports } from './styles.ts';
import { suggestGlossary } from './suggest-terms.ts';
import { teamReport } from './team-report.ts';
import { treeReport } from './tree-report.ts';
import { undo } from './undo.ts';

export function createLocalControl(options: LocalControlOptions): Control {
  const { books, spending } = options;
  const reviews = new ReviewTexts(options);
  const saves = new WaitingSaves();
  const figures = async () => {
    await options.condition.lookAtConfig();
    const sums = await books.sums();
    const team = await teamReport(options.team, sums);
    const tree = options.tree === undefined ? null : await treeReport(options.tree);
    const reports = { teamReport: team, treeReport: tree };
    return { sums, ...reports, budget: await spending.budgets(), reviews };
  };
  return {
    plan: async (scope) => planReport(await withConfigLook(options), scope),
    status: async (scope) => statusReport({ ...options, ...(await figures()) }, scope),
    frozen: async (scope) => frozenReport(await withConfigLook(options), scope),
    lock: ({ orphans }) => options.bringLock(orphans),
    reviewList: (query) => reviewList(reviews, query),
    reviewProgress: (scope) => reviewProgress(reviews, scope),
    reviewMark: (request) => reviewMark(reviews, request),
    reviewImport: (request) => reviewImport(reviews, request),
    reviewPortion: (query) => reviewPortion(reviews, query),
    reviewLinks: (request) => reviewLinks(options, request),
    reviewSave: (request) => reviewSave(reviews, { request, saves }),
    reviewUndo: (request) => reviewUndo(reviews, { request, saves }),
    openWork: (scope) => openWork(options, scope),
    explain: (file, at) => explainFile(options, file, at),
    release: (request) => release(options, request),
    conflicts: (request) => conflictsAtRest(options, request),
    resolve: (request) => resolveConflicts(options, request),
    undo: (request) => undo(options, request),
    usage: (scope) => usageReport(options, scope),
    account: async () => {
      const { account } = await askAccount(options);
      if (account !== null) await options.learnAccount(account);
      return account;
    },
    rules: (request) =>
      request.kind === 'glossary'
        ? glossaryReports(options, request)
        : styleReports(options, request),
    suggestTerms: (scope) => suggestGlossary(reviews, scope),
    change: (request) => changeOf(options, request),
    visit: async () => ({ page: options.condition.visit(), address: options.condition.page }),
    overview: async () => overview({ ...options, ...(await figures()) }),
    pause: () => options.pause(),
    resume: () => options.resume(),
  };
}

/** The options, after a look whether the config file is still the one in force. */
async function withConfigLook(options: LocalControlOptions): Promise<LocalControlOptions> {
  await options.condition.lookAtConfig();
  return options;
}

/** The open work of a checkout, text by text: a later checkout is compared with it. */
async function openWork(options: LocalControlOptions, scope: Scope): Promise<OpenWork> {
  await options.scan();
  const { planner } = options.inForce;
  const rootOf = (project: string) => planner.project(project)?.root;
  const counted = new Set<string>();
  const jobs: Record<string, readonly string[]> = {};
  const unread = unreadBlockers(options);
  const work = (await options.plan()).work.filter(({ job }) => inScope(scope, job, rootOf));
  const openIn = async ({ job }: PlannedJob, before: Promise<void>) => {
    const { project, source: path } = job;
    const inTurn = before.then(() => counted);
    const estimate = await options.estimate(job, inTurn, 'texts').catch(reasonOfUnread);
    await before;
    if (typeof estimate === 'string') unread.push({ project, path, reason: estimate });
    else if (estimate.isUpToDate !== true || (estimate.states?.edited ?? 0) > 0) {
      jobs[job.id] = (estimate.open ?? []).map(({ unit }) => unit);
      const { hold } = estimate;
      if (hold !== undefined && isUnread(hold)) {
        unread.push({ project, path, reason: describeHold(hold) });
      }
    }
  };
  await Array.fromAsync(inBatches(work, openIn));
  const files = Map.groupBy(unread, ({ project, path }) => `${project}\n${path}`);
  return {
    counted: [...counted],
    jobs,
    unread: [...files.values()].flatMap(([first]) => first ?? []),
  };
}

function unreadBlockers(options: LocalControlOptions): UnreadFile[] {
  return options
    .blockers()
    .flatMap((blocker) =>
      blocker.kind === 'unreadable' || blocker.kind === 'incomplete' || blocker.kind === 'changing'
        ? [{ project: blocker.project, path: blocker.path, reason: blocker.reason }]
        : [],
    );
}

function isUnread({ kind }: Hold): boolean {
  return kind === 'conflict-markers' || kind === 'not-fetched' || kind === 'incomplete';
}

/** A file that could not be read then has nothing to compare; a lock that cannot be read says nothing about any file. */
function reasonOfUnread(error: unknown): string {
  const failure = failureOf(error);
  if (failure.kind === 'damaged-state' || failure.kind === 'stopped') throw error;
  return describeFailure(failure);
}
