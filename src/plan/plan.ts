/** The plan: which jobs follow from sources, config and ledger. Pure. The command `plan` prints the same plan that `run` executes. */
import { isDeepStrictEqual } from 'node:util';
import type { StepwiseWork } from '../clock.ts';
import { isFreeToRetry, isPassing } from '../failure.ts';
import type { Fingerprint, Job, JobState, Lane, TargetPaths } from '../job.ts';
import { freesItself, jobId, targetList } from '../job.ts';
import type { LanguageTag } from '../language.ts';
import type { JobRecord, SourceRecord, Written } from '../ledger.ts';
import { editionByEarlierVersion } from './edition.ts';
import { hasOtherSettings, isOtherService } from './service-digest.ts';

/** The targets of a job on the disk, compared with what dragoman left there. */
export type TargetState = 'as-left' | 'edited' | 'missing';

/** Why a job is to be done. */
export type PlanReason =
  | 'new'
  | 'source changed'
  | 'recipe changed'
  | 'target missing'
  | 'target edited'
  | 'interrupted'
  | 'tried again'
  | 'released'
  | 'waits'
  /** The lock of the team has a decision that a person should make here, or contradicts a text that was adopted here. */
  | 'decided elsewhere';

export interface PlannedJob {
  readonly job: Job;
  readonly reason: PlanReason;
}

/** A source with everything that the config says about it. */
export interface RoutedSource {
  readonly source: SourceRecord;
  readonly languages: readonly LanguageTag[];
  lane(language: LanguageTag): Lane;
  targets(language: LanguageTag): TargetPaths;
  fingerprint(language: LanguageTag): Fingerprint;
}

export interface PlanInput {
  readonly sources: Iterable<RoutedSource>;
  job(source: SourceRecord, language: LanguageTag): JobRecord | undefined;
  targetState(project: string, written: readonly Written[]): TargetState;
  /**
   * Which failed jobs to try now. `passing`: at the start and in `once`. `none`: in a running daemon, whose queue tries them
   * again later.
   */
  readonly retries: 'passing' | 'none';
  /** The present digest of the settings of `service`; see `serviceDigest`. */
  readonly service: string;
}

export interface Plan {
  readonly work: readonly PlannedJob[];
  readonly held: readonly JobRecord[];
  readonly failed: readonly JobRecord[];
  readonly unchanged: number;
}

/** A step for each source. */
export function* makePlan(input: PlanInput): StepwiseWork<Plan> {
  const work: PlannedJob[] = [];
  const held: JobRecord[] = [];
  const failed: JobRecord[] = [];
  let unchanged = 0;
  for (const routed of input.sources) {
    for (const language of routed.languages) {
      const record = input.job(routed.source, language);
      const verdict = planJob(routed, language, { record, input });
      if (verdict.kind === 'work') {
        // The source cannot be read. Its jobs wait until it is back, or until a person confirms that it is gone.
        if (routed.source.vanished !== true) work.push(workOf(verdict));
      } else if (verdict.kind === 'held') held.push(verdict.record);
      else if (verdict.kind === 'failed') failed.push(verdict.record);
      else unchanged += 1;
    }
    yield;
  }
  return { work, held, failed, unchanged };
}

function workOf({ job, reason }: PlannedJob): PlannedJob {
  return { job, reason };
}

type PlanVerdict =
  | { readonly kind: 'work'; readonly job: Job; readonly reason: PlanReason }
  | { readonly kind: 'held'; readonly record: JobRecord }
  | { readonly kind: 'failed'; readonly record: JobRecord }
  | { readonly kind: 'unchanged' };

interface JudgedJob {
  readonly record: JobRecord | undefined;
  readonly input: PlanInput;
}

function planJob(
  routed: RoutedSource,
  language: LanguageTag,
  { record, input }: JudgedJob,
): PlanVerdict {
  const fingerprint = routed.fingerprint(language);
  const work = (reason: PlanReason): PlanVerdict => ({
    kind: 'work',
    job: jobFor(routed, language, fingerprint),
    reason,
  });
  if (record === undefined) return work('new');
  if (record.fingerprint !== fingerprint && !isOfEarlierVersion(routed, record, input)) {
    return work(sameSource(record.fingerprint, fingerprint) ? 'recipe changed' : 'source changed');
  }
  if (record.release !== undefined) return work('released');
  const target = hasNewTargets(record, routed.targets(language))
    ? 'missing'
    : input.targetState(record.project, record.wrote);
  const { retries, service } = input;
  return judgeState(record, { target, work, retries, service });
}

/** Whether an earlier version delivered the job into its own source and settled it: only the deliveries changed the source since. */
function isOfEarlierVersion(
  { source, languages, fingerprint }: RoutedSource,
  record: JobRecord,
  { job }: Pick<PlanInput, 'job'>,
): boolean {
  if (!record.wrote.some(({ path }) => path === source.path)) return false;
  const edition = editionByEarlierVersion(
    source,
    languages.flatMap((language) => job(source, language) ?? []),
  );
  const present = fingerprint(record.language);
  return record.fingerprint === `${edition}${present.slice(source.hash.length)}`;
}

/**
 * The config names another path for the target. A new file bills nothing: texts are in the memory, results of recordings in
 * their voice jobs. Documents stay where they are.
 */
function hasNewTargets({ lane, targets }: JobRecord, now: TargetPaths): boolean {
  if (lane === 'document') return false;
  if ('file' in targets && 'file' in now) return targets.file !== now.file;
  return !isDeepStrictEqual(targetList(targets), targetList(now));
}

interface TargetCircumstances {
  readonly target: TargetState;
  readonly retries: PlanInput['retries'];
  readonly service: string;
  work(reason: PlanReason): PlanVerdict;
}

function judgeState(record: JobRecord, circumstances: TargetCircumstances): PlanVerdict {
  const { state } = record;
  const { target, retries, service, work } = circumstances;
  switch (state.kind) {
    case 'queued':
      return work(record.delivered === null ? 'new' : 'waits');
    case 'running':
      return work('interrupted');
    case 'done':
      return target === 'as-left' ? { kind: 'unchanged' } : work(targetReason(target));
    case 'held':
      return judgeHeld(record, state, circumstances);
    case 'failed': {
      const { failure } = state;
      // A person may have corrected the target or the settings, or dragoman was updated: another try bills nothing before it sends.
      const isWorthIt =
        isPassing(failure) ||
        isFreeToRetry(failure) ||
        isOtherService(failure, state.service, service);
      return (retries === 'passing' && isWorthIt) || target !== 'as-left'
        ? work('tried again')
        : { kind: 'failed', record };
    }
  }
}

// A held job waits for a person, who may also change the target or bring a lost source back. Some holds pass by themselves
// (`freesItself`).
function judgeHeld(
  record: JobRecord,
  state: Extract<JobState, { kind: 'held' }>,
  { target, work, retries, service }: TargetCircumstances,
): PlanVerdict {
  if (state.hold.kind === 'source-gone') return work('new');
  const isOther = state.hold.kind === 'unsuitable' && hasOtherSettings(state.hold.service, service);
  if (isOther && retries === 'passing') return work('tried again');
  if (freesItself(state.hold)) return work('waits');
  // A person who undid a run and then edits the target does not want the run again.
  if (state.hold.kind === 'undone') return { kind: 'held', record };
  if (record.wrote.length > 0 && target !== 'as-left') return work(targetReason(target));
  return { kind: 'held', record };
}

function targetReason(target: Exclude<TargetState, 'as-left'>): PlanReason {
  return target === 'missing' ? 'target missing' : 'target edited';
}

function sameSource(a: Fingerprint, b: Fingerprint): boolean {
  return a.split('.', 1)[0] === b.split('.', 1)[0];
}

function jobFor(routed: RoutedSource, language: LanguageTag, fingerprint: Fingerprint): Job {
  const { source } = routed;
  return {
    id: jobId(source.project, language, source.path),
    project: source.project,
    lane: routed.lane(language),
    source: source.path,
    language,
    targets: routed.targets(language),
    fingerprint,
  };
}
