/** `plan`: every job that `run` would execute, and what it would bill, without paying. */
import { join } from 'node:path';
import { describeFailure, failureOf } from '../failure.ts';
import type { FollowUp } from '../intake/leaving.ts';
import { describeHold, targetList } from '../job.ts';
import { unwrittenIn } from '../jobs/lock-tidying.ts';
import { requireWritableTargets } from '../jobs/where-writable.ts';
import { type Estimate, nothingCounted, type OpenCounts, type TextCounts } from '../lane.ts';
import type { JobRecord } from '../ledger.ts';
import { inBatches } from '../parsing/within.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { Forecast } from '../plan/spending.ts';
import type { LockName } from '../state/lock-file.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import { attentionOf } from './attention.ts';
import { describeBlocker, linesOfBlockers, notesOfBlockers } from './blocker-words.ts';
import { type Blocker, blockersIn, isWorkOfRun } from './blockers.ts';
import type { Scope } from './control.ts';
import { areTargetsThere, takesTexts } from './frozen.ts';
import { newTexts } from './new-texts.ts';
import type { LocalControlOptions } from './options.ts';
import { PlanRefusals } from './plan-refusals.ts';
import type { PlanLine, PlanReport } from './plan-report.ts';
import { billedBy, largestSources, planLanguages, planProjects } from './plan-sums.ts';
import { inScope } from './scope.ts';
import { isChanged, type NewWork, newWork, type Since } from './since.ts';
import { teamPlanNotes } from './team-report.ts';
import { driftOf } from './terminology-drift.ts';
import { treeReport } from './tree-report.ts';
import { firstLockNotes, foreseeLock, sortUnwritten, withUnwritten } from './unwritten-lock.ts';

export async function planReport(options: LocalControlOptions, scope: Scope): Promise<PlanReport> {
  const { skipped } = await options.scan();
  const drift = await driftOf(options, options);
  const rootOf = (project: string) => options.inForce.planner.project(project)?.root;
  const plan = await options.plan();
  const shared = await sharedInputs(options, scope, drift);
  const { counted, notes } = shared;
  const jobs: PlanLine[] = [];
  for (const followUp of options.followUps(scope)) {
    const isEdited = followUp.reason === 'source moved and edited';
    const line = isEdited
      ? await planLine(options, followUp, shared)
      : { ...aboutJob(followUp), estimated_characters: 0 };
    if (line !== undefined && line !== 'up-to-date') jobs.push(line);
  }
  const work = plan.work.filter(({ job }) => inScope(scope, job, rootOf));
  const lines = await planLines(options, work, shared);
  const current = lines.filter((line) => line === 'up-to-date').length;
  for (const line of lines) if (line !== undefined && line !== 'up-to-date') jobs.push(line);
  const busy = new Set(plan.work.map(({ job }) => job.id));
  // A plan for a branch leaves these texts out: an earlier version left them, so they are not work of the branch.
  const unseen = scope.since ? [] : await newTexts(options, { scope, busy, counted });
  for (const note of shared.refusals.notes) notes.add(note);
  for (const note of await staleTermNotes(options, scope)) notes.add(note);
  const unwritten = await sortUnwritten(options.inForce.config, shared.unwritten);
  for (const note of firstLockNotes(unwritten)) notes.add(note);
  const known = blockersIn(scope, [...options.blockers(), ...drift.blockers], rootOf);
  const lock = await foreseeLock(options, scope, work);
  const putBack = lock.putBack + shared.unsaid.length;
  const all = withUnwritten(known, unwritten.behind, { ...lock, putBack });
  const [due, blockers] = [all.filter(isWorkOfRun), all.filter((each) => !isWorkOfRun(each))];
  for (const { reason, next_step } of due.map(describeBlocker))
    notes.add(`${reason}; ${next_step}`);
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

async function sharedInputs(
  options: LocalControlOptions,
  { since }: Scope,
  drift: Awaited<ReturnType<typeof driftOf>>,
): Promise<Shared> {
  return {
    ...{ counted: new Set(since?.before.counted), notes: new Set() },
    forecast: await options.spending.forecast(),
    refusals: new PlanRefusals(options, drift),
    isUnwritten: unwrittenIn(options.lock),
    ...{ unwritten: [], unsaid: [] },
    ...(since === undefined ? {} : { since }),
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
  readonly refusals: PlanRefusals;
  /** Whether a language has no lock although the config names one. */
  readonly isUnwritten: ReturnType<typeof unwrittenIn>;
  /** For each job whose targets are up to date and whose language has no lock, the name of that lock. */
  readonly unwritten: LockName[];
  /** The same where there is a lock, and it says nothing about texts of the targets. */
  readonly unsaid: LockName[];
  readonly since?: Since;
  /** Resolves when the line before is complete: of equal texts, the first job has the price. Absent: it is. */
  readonly before?: Promise<void>;
}

/** Reads the files of many jobs together, and prices them one after the other. */
async function planLines(
  options: LocalControlOptions,
  work: readonly PlannedJob[],
  shared: Shared,
): Promise<Awaited<ReturnType<typeof planLine>>[]> {
  const lineOf = (planned: PlannedJob, before: Promise<void>) =>
    planLine(options, planned, { ...shared, before });
  return (await Array.fromAsync(inBatches(work, lineOf))).flat();
}

/**
 * @returns undefined for work that was also open at the earlier commit. `up-to-date` when the lock says that the target is up to date, so
 * that a run would only record that
 */
async function planLine(
  options: LocalControlOptions,
  planned: PlannedJob | FollowUp,
  shared: Shared,
): Promise<PlanLine | 'up-to-date' | undefined> {
  const { counted, notes, forecast, refusals, since, before } = shared;
  const { job } = planned;
  const line = aboutJob(planned);
  try {
    const own = new Tentative(counted);
    const detail = since ? 'texts' : options.lock && 'records';
    const estimate = await options.estimate(job, before?.then(() => own) ?? own, detail);
    await before;
    const work = workSince(options, estimate, since);
    if (work.kind === 'none') return undefined;
    for (const note of estimate.notes ?? []) notes.add(note);
    const isTaken = estimate.isUpToDate === true && takesTexts(estimate);
    const isStanding = estimate.isUpToDate === true && areTargetsThere(options, job);
    if (isTaken && isStanding && shared.isUnwritten(job)) shared.unwritten.push(job);
    if (isStanding && since === undefined && (await options.isUnsaid(estimate)))
      shared.unsaid.push(job);
    if (options.inForce.config.lock !== undefined && isOnlyNoted(estimate)) return 'up-to-date';
    const { characters, atLeast, seconds } = estimate;
    if (estimate.isUpToDate !== true && estimate.hold === undefined) {
      await requireWritableTargets(options.inForce, job);
    }
    const refusal = await refusals.of(estimate);
    if (refusal !== undefined) {
      return { ...line, estimated_characters: 0, would_fail: refusal };
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
  const older = [...ledger.all('jobs')].filter(
    (job) => isOlderThanTerms(options, job) && inScope(scope, job, rootOf),
  );
  const notesOf = async (job: JobRecord, before: Promise<void>) => {
    const estimate = await options.estimate(job, nothingCounted(before)).catch((error: unknown) => {
      // A missing or unreadable file has its own line in the plan; damaged state has none.
      if (failureOf(error).kind === 'damaged-state') throw error;
    });
    return estimate?.notes ?? [];
  };
  return (await Array.fromAsync(inBatches(older, notesOf))).flat(2);
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
