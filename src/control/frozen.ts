/**
 * `once --frozen`: the changes that a run would make, and everything that is missing in any case. Nothing is done and nothing is sent.
 */

import { join } from 'node:path';
import type { Config } from '../config.ts';
import { failureOf } from '../failure.ts';
import { sizeOfFile } from '../files/disk.ts';
import { findWorkTree } from '../files/work-tree.ts';
import type { FollowUp } from '../intake/leaving.ts';
import {
  adviceForHold,
  describeHold,
  type Hold,
  type Job,
  shellWords,
  shortList,
  targetList,
} from '../job.ts';
import { unwrittenIn } from '../jobs/lock-tidying.ts';
import { type Estimate, nothingCounted, type OpenText } from '../lane.ts';
import { inBatches } from '../parsing/within.ts';
import type { PlannedJob } from '../plan/plan.ts';
import type { Forecast } from '../plan/spending.ts';
import { attentionOf, priceOfHold } from './attention.ts';
import { notesOfBlockers } from './blocker-words.ts';
import { blockersIn } from './blockers.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { FrozenReport } from './plan-report.ts';
import type { AttentionLine } from './report.ts';
import { inScope } from './scope.ts';
import { foreseeLock, withUnwritten } from './unwritten-lock.ts';

export async function frozenReport(
  options: LocalControlOptions,
  scope: Scope,
): Promise<FrozenReport> {
  await options.scan();
  const { ledger, inForce } = options;
  const rootOf = (project: string) => inForce.planner.project(project)?.root;
  const { work } = await options.plan();
  const wanted = work.filter(({ job }) => inScope(scope, job, rootOf));
  const forecast = await options.spending.forecast();
  const inspect = (planned: PlannedJob, before: Promise<void>) =>
    inspectPlanned({ ...options, forecast }, planned, before);
  const looked = (await Array.fromAsync(inBatches(wanted, inspect))).flat();
  // Failed jobs are planned again. Their failure is reported in `attention`, as in every other report.
  const isInAttention = ({ kind, reason }: InspectedJob) =>
    kind === 'up-to-date' || (kind === 'open' && reason === 'tried again');
  const busy = new Set(looked.flatMap((each) => (isInAttention(each) ? [] : [each.job.id])));
  const decided = work.filter(({ reason }) => reason === 'decided elsewhere');
  const over = new Set([...busy, ...decided.map(({ job }) => job.id)]);
  const others = [...ledger.all('jobs')].filter(
    (job) => !over.has(job.id) && inScope(scope, job, rootOf) && inForce.planner.isReported(job),
  );
  const isUnwritten = unwrittenIn(options.lock);
  const unwritten = looked.filter(
    ({ kind, isAdopted, job }) => kind === 'up-to-date' && isAdopted === true && isUnwritten(job),
  );
  const lock = await foreseeLock(options, scope, looked);
  const unsaid = looked.filter(({ isUnsaid }) => isUnsaid === true).length;
  const known = blockersIn(scope, options.blockers(), rootOf);
  const blockers = withUnwritten(known, unwritten.length, {
    ...lock,
    putBack: lock.putBack + unsaid,
  });
  const edits = looked.flatMap(({ job, named }) => editNote(job, named));
  return {
    jobs: [...options.followUps(scope), ...looked.filter(({ kind }) => kind === 'open')].map(
      frozenJob,
    ),
    attention: [...attentionOf(others, blockers), ...looked.flatMap(attentionIn)],
    notes: [...notesOfBlockers(blockers), ...noLockNotes(inForce.config), ...edits],
    is_lock_behind:
      edits.length > 0 ||
      blockers.some(({ kind }) => kind === 'lock-lost' || kind === 'lock-behind'),
  };
}

/** A planned job, and whether it has work. `waits`: only for people. */
interface InspectedJob extends PlannedJob {
  readonly kind: 'open' | 'waits' | 'up-to-date';
  readonly named: readonly OpenText[];
  readonly hold?: Hold;
  /** Its targets are there with texts, of which this machine knows nothing. */
  readonly isAdopted?: boolean;
  /** They are up to date, and a lock that is there says nothing about texts of them. */
  readonly isUnsaid?: boolean;
}

function frozenJob(planned: PlannedJob | FollowUp | InspectedJob): FrozenReport['jobs'][number] {
  const { project, source, language } = planned.job;
  const texts = 'named' in planned ? planned.named.filter(({ is }) => is !== 'edited') : [];
  const line = { project, source, language, reason: planned.reason };
  return texts.length === 0 ? line : { ...line, texts };
}

function attentionIn({ kind, job, hold }: InspectedJob): AttentionLine[] {
  if (kind !== 'waits' || hold === undefined) return [];
  const { project, source, language } = job;
  const target = targetList(job.targets)[0] ?? source;
  const reportedJob = {
    code: hold.kind,
    reason: describeHold(hold),
    next_step: adviceForHold(hold, shellWords(target)),
  };
  const price = priceOfHold(hold, 0);
  return [{ project, source, target, language, state: 'held', ...reportedJob, ...price }];
}

/** People may edit translations without dragoman: the next run writes the edits into the lock. */
function editNote({ source, language }: Job, named: readonly OpenText[]): string[] {
  const edits = named.filter(({ is }) => is === 'edited').map(({ key }) => key);
  if (edits.length === 0) return [];
  return [
    `${source} -> ${language}: edited by a person and not in the lock yet: ${shortList(edits)}`,
  ];
}

/** Without a lock, only the state of this machine is known. Outside of git there are no other checkouts, so it does not matter there. */
export function noLockNotes({ lock, base }: Config): string[] {
  return lock === undefined && findWorkTree(base) !== undefined ? [NO_LOCK] : [];
}

const NO_LOCK =
  'the config names no lock: in a fresh checkout a stale translation cannot be distinguished from one that is up to date; set "lock: dragoman.lock" to record it in the repository';

/** Such a run would only record that it knows the existing texts, and that they are up to date. */
async function inspectPlanned(
  options: LocalControlOptions & { readonly forecast: Forecast },
  planned: PlannedJob,
  before: Promise<void>,
): Promise<InspectedJob> {
  const { job, reason } = planned;
  const { inForce } = options;
  const isLocked = inForce.config.lock !== undefined;
  const isNews = DECIDED_BY_LOCK.has(reason);
  // A run has asked a person already, and the files may still be as they were then.
  const isHeld = options.ledger.get('jobs', job.id)?.state.kind === 'held';
  if (reason !== 'new' && !isHeld && !(isLocked && isNews)) {
    return { ...planned, kind: 'open', named: [] };
  }
  const detail = isLocked ? 'records' : undefined;
  const estimate = await options
    .estimate(job, nothingCounted(before), detail)
    .catch(withoutEstimate);
  const { named = [], hold = holdOf(named) } = estimate ?? {};
  const isStanding = areTargetsThere(options, job);
  // A source without any text has no target.
  const isComplete = isStanding || job.lane === 'text';
  if (estimate?.isUpToDate === true && hold === undefined && isComplete) {
    const isAdopted = isStanding && takesTexts(estimate);
    const isUnsaid = isStanding && (await options.isUnsaid(estimate));
    return { ...planned, kind: 'up-to-date', named, isAdopted, isUnsaid };
  }
  if ((isLocked || isHeld) && hold !== undefined) return { ...planned, kind: 'waits', named, hold };
  const limited =
    estimate && options.forecast.wouldHold(job, estimate.characters, estimate.seconds);
  if (limited !== undefined) return { ...planned, kind: 'waits', named, hold: limited };
  const isStale = isLocked && isStanding && !named.some(({ is }) => is === 'missing');
  return { ...planned, kind: 'open', named, reason: isStale ? whyStale(named, reason) : reason };
}

/** Whether a run would take texts of the target for up to date. A file without any text has no line in the lock. */
export function takesTexts({ texts }: Pick<Estimate, 'texts'>): boolean {
  return texts === undefined || texts.adopted > 0;
}

/** A file that cannot be read counts as work; a lock that cannot be read says nothing about any file. */
function withoutEstimate(error: unknown): undefined {
  if (failureOf(error).kind === 'damaged-state') throw error;
}

/** For a translation that may be new to this machine: whether its source or only its recipe has changed. */
function whyStale(named: readonly OpenText[], planned: PlannedJob['reason']): PlannedJob['reason'] {
  const reasons = named.flatMap(({ because = [] }) => because);
  if (reasons.includes('source')) return 'source changed';
  // A document has no texts that could name a reason: the record of this machine knows it.
  return reasons.length > 0 || planned === 'recipe changed' ? 'recipe changed' : 'source changed';
}

/** Reasons that do not count when the lock states whether the target is up to date. */
const DECIDED_BY_LOCK: ReadonlySet<string> = new Set([
  'new',
  'source changed',
  'recipe changed',
  'target edited',
  'waits',
  'decided elsewhere',
] satisfies PlannedJob['reason'][]);

/**
 * The hold when only people can end the open work: conflicts, or held texts. Undefined when a run has something to do, or nothing is
 * open.
 */
function holdOf(named: readonly OpenText[]): Hold | undefined {
  if (named.some(({ is }) => is === 'missing' || is === 'stale')) return undefined;
  const of = (...kinds: OpenText['is'][]) => named.filter(({ is }) => kinds.includes(is));
  const place = ({ key, line }: OpenText) => `${key} (line ${line})`;
  const conflicts = of('conflict', 'unknown');
  if (conflicts.length > 0) return { kind: 'conflict', keys: conflicts.map(place) };
  const held = of('held');
  if (held.length === 0) return undefined;
  const message = 'no answer was fit to be written when it was bought';
  return {
    kind: 'damaged-segments',
    problems: held.map(({ key, line }) => ({ key, line, message })),
  };
}

/** Whether all targets of a job are files. An empty document has no translation. */
export function areTargetsThere({ inForce }: LocalControlOptions, job: Job): boolean {
  const root = inForce.planner.project(job.project)?.root;
  if (root === undefined) return false;
  const least = job.lane === 'document' ? 1 : 0;
  return targetList(job.targets).every((path) => (sizeOfFile(join(root, path)) ?? -1) >= least);
}
