/** Lists everything that needs a person, with the reason and the command to type. Pure. */

import { adviceFor, describeFailure } from '../failure.ts';
import {
  ANY_FILES,
  adviceForHold,
  describeHold,
  type Hold,
  shellWords,
  targetList,
} from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import { linesOfBlockers } from './blocker-words.ts';
import type { Blocker } from './blockers.ts';
import type { AttentionLine } from './report.ts';

const SECONDS_PER_MINUTE = 60;

/**
 * One line for each blocker and each job that needs a person. All jobs that the bulk-change guard held together have a single line, and
 * so have all jobs that `undo` took back together.
 */
export function attentionOf(
  jobs: Iterable<JobRecord>,
  blockers: readonly Blocker[] = [],
): AttentionLine[] {
  const lines: AttentionLine[] = [];
  const together: { job: JobRecord; line: AttentionLine }[] = [];
  for (const job of uncoveredJobs(jobs, blockers)) {
    const line = attentionFor(job);
    if (line === undefined) continue;
    if (isHeldTogether(job)) together.push({ job, line });
    else lines.push(line);
  }
  const groups = Map.groupBy(together, ({ line }) => line.reason);
  return [...linesOfBlockers(blockers), ...lines, ...[...groups.values()].flatMap(groupLines)];
}

/** Leaves out jobs that fail because the service lacks something for their language, when one line reports that for all of them. */
export function uncoveredJobs(
  jobs: Iterable<JobRecord>,
  blockers: readonly Blocker[],
): Iterable<JobRecord> {
  const lacking = blockers.filter((blocker) => blocker.kind === 'lacking-language');
  if (lacking.length === 0) return jobs;
  const missingKey = (...parts: readonly string[]) => parts.join('\n');
  const covered = new Set(
    lacking.map(({ project, language, what }) => missingKey(project, language, what)),
  );
  return Iterator.from(jobs).filter(({ project, language, state }) => {
    if (state.kind !== 'failed') return true;
    return !covered.has(missingKey(project, language, describeFailure(state.failure)));
  });
}

/** Whether one decision of a person counts for all jobs with that reason. */
export function isHeldTogether({ state }: JobRecord): boolean {
  return state.kind === 'held' && (state.hold.kind === 'guard' || state.hold.kind === 'undone');
}

type AttentionGroup = readonly { readonly job: JobRecord; readonly line: AttentionLine }[];

function groupLines(group: AttentionGroup): AttentionLine[] {
  const [first, second] = group;
  if (first === undefined) return [];
  const { hold } = first.job.state as Extract<JobRecord['state'], { kind: 'held' }>;
  const all = { source: '*', target: '*', language: '*' };
  if (hold.kind === 'guard') {
    const price = group.reduce((sum, { job }) => sum + job.estimate, 0);
    const next_step = 'dragoman approve --all';
    return [{ ...first.line, ...all, next_step, price_characters: price }];
  }
  if (second === undefined) return [first.line];
  const reason = `${first.line.reason}: ${group.length} files`;
  return [{ ...first.line, ...all, reason, next_step: adviceForHold(hold, ANY_FILES) }];
}

/** @returns undefined for a job that does not need a person */
export function attentionFor(job: JobRecord): AttentionLine | undefined {
  const { state } = job;
  switch (state.kind) {
    case 'held': {
      const about = namesOf(job);
      return {
        ...about,
        state: 'held',
        code: state.hold.kind,
        reason: describeHold(state.hold),
        next_step: adviceForHold(state.hold, shellWords(about.target)),
        ...priceOfHold(state.hold, job.estimate),
      };
    }
    case 'failed':
      return {
        ...namesOf(job),
        state: 'failed',
        code: state.failure.kind,
        reason: describeFailure(state.failure),
        next_step: adviceFor(state.failure),
        price_characters: job.estimate,
        ...(state.daemon === undefined ? {} : { daemon: state.daemon }),
      };
    case 'queued':
    case 'running':
    case 'done':
      return undefined;
  }
}

function namesOf({ project, source, targets, language }: JobRecord) {
  return { project, source, target: targetList(targets)[0] ?? source, language };
}

type HoldPrice = Pick<AttentionLine, 'price_characters' | 'price_seconds'>;

/** The characters that a release will probably bill; for recordings, the seconds to send. */
export function priceOfHold(hold: Hold, estimate: number): HoldPrice {
  switch (hold.kind) {
    case 'budget':
      return hold.unit === 'minutes'
        ? { price_characters: null, price_seconds: hold.needs * SECONDS_PER_MINUTE }
        : { price_characters: hold.needs };
    case 'guard':
      return { price_characters: estimate };
    case 'approval':
      return { price_characters: hold.characters };
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
    case 'edited-target':
      return { price_characters: hold.characters ?? null, ...inAudio(hold) };
    case 'unsuitable':
      return { price_characters: null, ...inAudio(hold) };
    case 'conflict':
    case 'conflict-markers':
    case 'not-fetched':
    case 'damaged-segments':
    case 'doubtful':
    case 'source-gone':
    case 'mass-deletion':
    case 'incomplete':
    case 'undone':
      return { price_characters: null };
  }
}

function inAudio({ seconds }: { readonly seconds?: number }): Pick<HoldPrice, 'price_seconds'> {
  return seconds === undefined ? {} : { price_seconds: seconds };
}
