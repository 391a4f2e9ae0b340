/** `plan`: every job that `run` would execute, and what it would bill, found without paying. */

import { describeFailure, failureOf } from '../failure.ts';
import type { FollowUp } from '../intake/leaving.ts';
import { describeHold, targetList } from '../job.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { Forecast } from '../plan/spending.ts';
import { unconvertedVariants, variantsOfTexts } from '../translate/variants.ts';
import { attentionOf } from './attention.ts';
import type { Scope } from './control.ts';
import { driftOf } from './drift.ts';
import type { LocalControlOptions } from './options.ts';
import type { PlanLine, PlanReport } from './report.ts';
import { inScope } from './scope.ts';
import { staleTermNotes } from './stale-terms.ts';

export async function planReport(options: LocalControlOptions, scope: Scope): Promise<PlanReport> {
  const { skipped } = await options.look();
  const drift = await driftOf(options, options.clock);
  const planner = options.inForce.planner;
  const rootOf = (project: string) => planner.project(project)?.root;
  const plan = planner.plan('passing');
  const counted = new Set<string>();
  const notes = new Set<string>();
  const forecast = options.spending.forecast();
  const jobs: PlanLine[] = [];
  for (const followUp of options.followUps(scope)) {
    jobs.push(
      followUp.reason === 'source moved and edited'
        ? await planLine(options, followUp, { counted, notes, forecast })
        : { ...aboutJob(followUp), estimated_characters: 0 },
    );
  }
  for (const planned of plan.work) {
    if (!inScope(scope, planned.job, rootOf)) continue;
    jobs.push(await planLine(options, planned, { counted, notes, forecast }));
  }
  for (const note of await staleTermNotes(options, scope)) notes.add(note);
  return {
    jobs,
    drift: drift.lines,
    held: attentionOf([...plan.held, ...plan.failed]),
    skipped,
    notes: [
      ...notes,
      ...drift.notes,
      ...unconvertedVariants(options.terminology.config),
      ...[...planner.onlyForTexts()].map(({ project, languages }) =>
        variantsOfTexts(project, languages),
      ),
    ],
    unchanged: plan.unchanged,
    estimated_characters: jobs
      .filter(({ would_hold }) => would_hold === undefined)
      .reduce((sum, job) => sum + job.estimated_characters, 0),
  };
}

/** What the lines of one plan share. */
interface Shared {
  readonly counted: Set<string>;
  readonly notes: Set<string>;
  readonly forecast: Forecast;
}

async function planLine(
  options: LocalControlOptions,
  planned: PlannedJob | FollowUp,
  { counted, notes, forecast }: Shared,
): Promise<PlanLine> {
  const { job } = planned;
  const line = aboutJob(planned);
  try {
    const own = new Tentative(counted);
    const estimate = await options.estimate(job, own);
    const { characters, atLeast, seconds } = estimate;
    for (const note of estimate.notes ?? []) notes.add(note);
    const hold = estimate.hold ?? forecast.wouldHold(job, characters, seconds);
    // What waits buys nothing for others: they pay for the texts that they share with it.
    if (hold === undefined) for (const name of own) counted.add(name);
    return {
      ...line,
      estimated_characters: characters,
      ...(atLeast ? { at_least: true } : {}),
      ...(seconds === undefined ? {} : { estimated_seconds: seconds }),
      ...(hold === undefined ? {} : { would_hold: describeHold(hold) }),
    };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind === 'internal') throw error;
    return { ...line, estimated_characters: 0, would_fail: describeFailure(failure) };
  }
}

/** What one job would buy on top of what is counted already. */
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
