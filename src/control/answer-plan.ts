/** `plan`: every job that `run` would execute, and what it would bill, without paying. */
import { join } from 'node:path';
import { describeFailure, failureOf } from '../failure.ts';
import type { FollowUp } from '../intake/leaving.ts';
import { describeHold, targetList } from '../job.ts';
import { requireWritableTargets } from '../jobs/where-writable.ts';
import type { Estimate, OpenCounts, TextCounts } from '../lane.ts';
import type { JobRecord } from '../ledger.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { Forecast } from '../plan/spending.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import { attentionOf } from './attention.ts';
import { describeBlocker, linesOfBlockers, notesOfBlockers } from './blocker-words.ts';
import { type Blocker, blockersIn } from './blockers.ts';
import type { Scope } from './control.ts';
import { askForStyles } from './forbidden-styles.ts';
import { areTargetsThere } from './frozen.ts';
import { glossaryReports, type TerminologyControl } from './glossaries.ts';
import { newTexts } from './new-texts.ts';
import type { LocalControlOptions } from './options.ts';
import type {
  DriftLine,
  PlanLanguage,
  PlanLine,
  PlanProject,
  PlanReport,
  PlanSource,
} from './plan-report.ts';
import type { TerminologyReport } from './report.ts';
import { inScope } from './scope.ts';
import { isChanged, type NewWork, newWork, type Since } from './since.ts';
import { styleReports } from './styles.ts';
import { teamPlanNotes } from './team-report.ts';
import { treeReport } from './tree-report.ts';

export async function planReport(options: LocalControlOptions, scope: Scope): Promise<PlanReport> {
  const { skipped } = await options.look();
  const drift = await driftOf(options, options);
  const planner = options.inForce.planner;
  const rootOf = (project: string) => planner.project(project)?.root;
  const plan = await options.plan();
  const counted = new Set<string>(scope.since?.before.counted);
  const notes = new Set<string>();
  const shared: Shared = {
    ...{ counted, notes, forecast: await options.spending.forecast() },
    refusedStyles: drift.blockers,
    ...(scope.since === undefined ? {} : { since: scope.since }),
  };
  const jobs: PlanLine[] = [];
  for (const followUp of options.followUps(scope)) {
    const isEdited = followUp.reason === 'source moved and edited';
    const line = isEdited
      ? await planLine(options, followUp, shared)
      : { ...aboutJob(followUp), estimated_characters: 0 };
    if (line !== undefined && line !== 'up-to-date') jobs.push(line);
  }
  let current = 0;
  for (const planned of plan.work) {
    if (!inScope(scope, planned.job, rootOf)) continue;
    const line = await planLine(options, planned, shared);
    if (line === 'up-to-date') current += 1;
    else if (line !== undefined) jobs.push(line);
  }
  const busy = new Set(plan.work.map(({ job }) => job.id));
  // A plan for a branch leaves these texts out: an earlier version left them, so they are not work of the branch.
  const unseen = scope.since ? [] : await newTexts(options, { scope, busy, counted });
  for (const note of await staleTermNotes(options, scope)) notes.add(note);
  const blockers = blockersIn(scope, [...options.blockers(), ...drift.blockers], rootOf);
  const waiting = [...plan.held, ...plan.failed].filter((job) => inScope(scope, job, rootOf));
  return {
    state: await stateOfWork(options),
    jobs,
    languages: planLanguages(jobs),
    projects: planProjects(jobs),
    largest: largestSources(jobs),
    drift: drift.lines,
    held: attentionOf(waiting),
    new_texts: unseen.map(({ line }) => line),
    attention: linesOfBlockers(blockers),
    skipped: [...skipped, ...vanished(blockers, rootOf)],
    notes: [...notes, ...drift.notes, ...notesOfBlockers(blockers), ...teamPlanNotes(options.team)],
    unchanged: plan.unchanged + current,
    estimated_characters: billedBy(jobs),
  };
}

/** A reader of a tree does not work, but the leader of the tree may. */
async function stateOfWork({
  condition,
  tree,
}: Pick<LocalControlOptions, 'condition' | 'tree'>): Promise<PlanReport['state']> {
  const isLed = tree?.task === 'looks' && (await treeReport(tree)).leader !== null;
  return isLed ? 'running' : condition.state;
}

/** Sums up jobs by language. */
export function planLanguages(jobs: readonly PlanLine[]): PlanLanguage[] {
  return [...Map.groupBy(jobs, ({ language }) => language)]
    .map(([language, own]) => {
      const parts = own.map(lineCounts);
      const sum = (of: (part: PlanCounts) => number) =>
        parts.reduce((all, each) => all + of(each), 0);
      return {
        language,
        adopted: sum(({ adopted }) => adopted),
        bought: sum(({ bought }) => bought),
        from_memory: sum((part) => part.from_memory),
        held: sum(({ held }) => held),
        would_fail: own.filter(({ would_fail }) => would_fail !== undefined).length,
        estimated_characters: billedBy(own),
      };
    })
    .sort((a, b) => (a.language < b.language ? -1 : 1));
}

/** Sums up jobs by project, in the order of the jobs. */
function planProjects(jobs: readonly PlanLine[]): PlanProject[] {
  return [...Map.groupBy(jobs, ({ project }) => project)].flatMap(([project, own]) =>
    planLanguages(own).map((language) => ({ project, ...language })),
  );
}

/** How many of the most expensive sources are listed. */
const LISTED_SOURCES = 10;

function largestSources(jobs: readonly PlanLine[]): PlanSource[] {
  return [...Map.groupBy(jobs, ({ project, source }) => `${project}\n${source}`).values()]
    .flatMap((own) => {
      const [first] = own;
      if (first === undefined) return [];
      const { project, source } = first;
      const languages = own.map(({ language }) => language);
      return [{ project, source, languages, estimated_characters: billedBy(own) }];
    })
    .filter(({ estimated_characters }) => estimated_characters > 0)
    .toSorted((a, b) => b.estimated_characters - a.estimated_characters)
    .slice(0, LISTED_SOURCES);
}

type PlanCounts = Pick<PlanLanguage, 'adopted' | 'bought' | 'from_memory' | 'held'>;

function lineCounts({ texts, would_hold, would_fail, estimated_characters }: PlanLine): PlanCounts {
  if (would_fail !== undefined) return NO_COUNTS;
  const isHeld = would_hold !== undefined;
  const buys = estimated_characters > 0;
  const { adopted, bought, from_memory, held, conflicts } = texts ?? {
    ...{ ...NO_COUNTS, conflicts: 0 },
    bought: buys || isHeld ? 1 : 0,
  };
  return isHeld
    ? { adopted, bought: 0, from_memory: 0, held: bought + from_memory + held + conflicts }
    : { adopted, bought, from_memory, held: held + conflicts };
}

const NO_COUNTS: PlanCounts = { adopted: 0, bought: 0, from_memory: 0, held: 0 };

/** Without jobs that a run would hold. */
function billedBy(jobs: readonly PlanLine[]): number {
  return jobs
    .filter(({ would_hold }) => would_hold === undefined)
    .reduce((sum, job) => sum + job.estimated_characters, 0);
}

/** Skipped sources that the watch does not list, because they are on record. */
function vanished(
  blockers: readonly Blocker[],
  rootOf: (project: string) => string | undefined,
): PlanReport['skipped'] {
  const unlisted = blockers.filter(({ kind }) => kind === 'collision' || kind === 'mass-deletion');
  return linesOfBlockers(unlisted).map(({ project, source, reason }) => ({
    path: join(rootOf(project) ?? '', source),
    reason,
  }));
}

/** The common inputs of all lines of a plan. */
interface Shared {
  readonly counted: Set<string>;
  readonly notes: Set<string>;
  readonly forecast: Forecast;
  /** Blockers of style lists that the service refuses to this key. */
  readonly refusedStyles: readonly Blocker[];
  readonly since?: Since;
}

/**
 * @returns undefined for work that was also open at the earlier commit. `up-to-date` when the lock says that the target is up to date, so
 * that a run would only record that
 */
async function planLine(
  options: LocalControlOptions,
  planned: PlannedJob | FollowUp,
  { counted, notes, forecast, refusedStyles, since }: Shared,
): Promise<PlanLine | 'up-to-date' | undefined> {
  const { job } = planned;
  const line = aboutJob(planned);
  try {
    const own = new Tentative(counted);
    const estimate = await options.estimate(job, own, since && 'texts');
    const work = workSince(options, estimate, since);
    if (work.kind === 'none') return undefined;
    for (const note of estimate.notes ?? []) notes.add(note);
    if (options.inForce.config.lock !== undefined && isOnlyNoted(estimate)) return 'up-to-date';
    const { characters, atLeast, seconds } = estimate;
    if (estimate.isUpToDate !== true && estimate.hold === undefined) {
      await requireWritableTargets(options.inForce.planner.project(job.project)?.root ?? '', job);
    }
    const refused = refusedStyles.find((blocker) => isRefused(options, blocker, estimate));
    if (refused !== undefined) {
      return { ...line, estimated_characters: 0, would_fail: describeBlocker(refused).reason };
    }
    const { texts = estimate.texts, states = estimate.states } = work;
    const hold = estimate.hold ?? forecast.wouldHold(job, characters, seconds);
    // A held job buys nothing for other jobs: they pay for the texts that they share with it.
    if (hold === undefined) for (const name of own) counted.add(name);
    return {
      ...line,
      estimated_characters: characters,
      ...(texts === undefined ? {} : { texts: countsIn(texts) }),
      states: states ?? stateOfWhole(options, estimate),
      ...(atLeast ? { at_least: true } : {}),
      ...(seconds === undefined ? {} : { estimated_seconds: seconds }),
      ...(hold === undefined ? {} : { would_hold: describeHold(hold) }),
    };
  } catch (error) {
    // An error of one job does not end a run, so it does not end a plan.
    const failure = failureOf(error);
    if (failure.kind === 'stopped' || failure.kind === 'damaged-state') throw error;
    return { ...line, estimated_characters: 0, would_fail: describeFailure(failure) };
  }
}

/** Whether a run would use a style list that this key may not use. */
function isRefused(
  { inForce }: LocalControlOptions,
  blocker: Blocker,
  { job, characters }: Estimate,
): boolean {
  if (blocker.kind !== 'styles-forbidden' || characters === 0) return false;
  const takesStyle =
    job.lane === 'text' ||
    job.lane === 'subtitle' ||
    (job.lane === 'document' && inForce.config.service.capabilities.includes('document_style'));
  return (
    takesStyle &&
    blocker.projects.includes(job.project) &&
    blocker.languages.some((language) => language === job.language)
  );
}

function isOnlyNoted({ isUpToDate, hold, texts, states }: Estimate): boolean {
  const isTaken = (texts?.adopted ?? 0) + (states?.edited ?? 0) > 0;
  return isUpToDate === true && hold === undefined && !isTaken;
}

/** The states of a file that is translated whole. */
function stateOfWhole(
  options: LocalControlOptions,
  { job, characters, seconds = 0, isUpToDate }: Estimate,
): OpenCounts {
  if (isUpToDate === true || characters + seconds === 0) return {};
  return areTargetsThere(options, job) ? { stale: 1 } : { missing: 1 };
}

function countsIn({ fromMemory, ...texts }: TextCounts): NonNullable<PlanLine['texts']> {
  return { ...texts, from_memory: fromMemory };
}

function workSince(
  { inForce }: LocalControlOptions,
  estimate: Estimate,
  since: Since | undefined,
): NewWork {
  if (since === undefined) return { kind: 'new' };
  const { project, source } = estimate.job;
  const root = inForce.planner.project(project)?.root;
  const isSourceChanged = root === undefined || isChanged(since, root, source);
  return newWork(since, estimate, isSourceChanged);
}

/** The texts that one job would buy in addition to those that are already counted. */
class Tentative extends Set<string> {
  readonly #counted: ReadonlySet<string>;

  constructor(counted: ReadonlySet<string>) {
    super();
    this.#counted = counted;
  }

  override has(name: string): boolean {
    return super.has(name) || this.#counted.has(name);
  }
}

function aboutJob({ job, reason }: PlannedJob | FollowUp): Omit<PlanLine, 'estimated_characters'> {
  const { project, lane, source, language } = job;
  return { project, lane, source, target: targetList(job.targets)[0] ?? '', language, reason };
}

/**
 * Texts with a changed term that are not bought again: a sentence for each file and language. Jobs that are due anyway report theirs with
 * their price.
 */
async function staleTermNotes(options: LocalControlOptions, scope: Scope): Promise<string[]> {
  const { ledger } = options;
  const rootOf = (project: string) => options.inForce.planner.project(project)?.root;
  const notes: string[] = [];
  for (const job of ledger.all('jobs')) {
    if (!isOlderThanTerms(options, job) || !inScope(scope, job, rootOf)) continue;
    const estimate = await options.estimate(job, new Set()).catch((error: unknown) => {
      // A missing or unreadable file has its own line in the plan; damaged state has none.
      if (failureOf(error).kind === 'damaged-state') throw error;
    });
    notes.push(...(estimate?.notes ?? []));
  }
  return notes;
}

function isOlderThanTerms(options: LocalControlOptions, job: JobRecord): boolean {
  if (job.state.kind !== 'done' || (job.lane !== 'text' && job.lane !== 'subtitle')) return false;
  const glossary = glossaryOf(options, job);
  const route = options.inForce.planner.routeOf(job.project, job.source);
  if (glossary === undefined || route === undefined) return false;
  if (route.policies.retranslateOn.has('glossary')) return false;
  const settled = Date.parse(job.state.at);
  return options.terminology.remote.glossaries.changedSince(glossary, settled);
}

function glossaryOf(
  { inForce, terminology }: LocalControlOptions,
  { project }: JobRecord,
): LoadedGlossary | undefined {
  const rule = inForce.planner.project(project)?.rules.glossary;
  if (rule === undefined || 'id' in rule) return undefined;
  return terminology.files.glossaries.get(rule.name);
}

interface Drift {
  readonly lines: readonly DriftLine[];
  /** Questions without an answer, and faults of the files. */
  readonly notes: readonly string[];
  readonly blockers: readonly Blocker[];
}

/** Milliseconds that a plan waits for a service that does not answer; without a connection it does not wait. */
const SERVICE_PATIENCE_MS = 3000;

async function driftOf(
  rules: TerminologyControl,
  { clock, inForce }: Pick<LocalControlOptions, 'clock' | 'inForce'>,
): Promise<Drift> {
  const { glossaries, styles } = rules.terminology.files;
  const { config } = inForce;
  const usesStyles = config.projects.some((project) => project.rules.styles.size > 0);
  if (glossaries.size + styles.size === 0 && !usesStyles) return NO_DRIFT;
  const done = new AbortController();
  const asked = {
    names: [],
    act: 'diff',
    options: { signal: done.signal, patienceMs: 0 },
  } as const;
  const patience = clock.sleep(SERVICE_PATIENCE_MS, done.signal).then(
    () => 'silent' as const,
    () => 'silent' as const,
  );
  try {
    const reports = (async () => {
      const blockers = await askForStyles(rules.service, config, asked.options);
      const of = blockers.length > 0 ? [] : [styleReports(rules, asked)];
      const all = await Promise.all([glossaryReports(rules, asked), ...of]);
      return { blockers, all: all.flat() };
    })();
    reports.catch(() => {}); // after the patience is over nobody waits for it any more
    const answer = await Promise.race([reports, patience]);
    if (answer === 'silent') return { ...NO_DRIFT, notes: [UNASKED] };
    const { all, blockers } = answer;
    const faults = all.flatMap((report) => [...report.faults, ...report.warnings]);
    return { lines: all.flatMap(driftLines), notes: faults, blockers };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'internal') throw error;
    const reason = describeFailure(failure);
    return { ...NO_DRIFT, notes: [`glossaries and styles were not compared: ${reason}`] };
  } finally {
    done.abort();
  }
}

const NO_DRIFT: Drift = { lines: [], notes: [], blockers: [] };
const UNASKED = 'glossaries and styles were not compared: the service does not answer';

function driftLines({ kind, name, id, differences }: TerminologyReport): DriftLine[] {
  if (id === null && differences.length > 0) {
    return [{ kind, name, pair: '', difference: 'is not on the service yet' }];
  }
  const byPair = Map.groupBy(differences, ({ where }) => where);
  return [...byPair].map(([pair, all]) => ({ kind, name, pair, difference: counted(all) }));
}

function counted(differences: TerminologyReport['differences']): string {
  const of = (change: string) => differences.filter((each) => each.change === change).length;
  const parts = [
    [of('+'), 'only in the file'],
    [of('~'), 'different'],
    [of('-'), 'only on the service'],
  ] as const;
  return parts.flatMap(([count, what]) => (count === 0 ? [] : [`${count} ${what}`])).join(', ');
}
