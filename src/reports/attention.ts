/** Which jobs need a person, why, and what to type. Pure. */
import type { AttentionLine } from '../control.ts';
import { adviceFor, describeFailure } from '../failure.ts';
import { adviceForHold, describeHold, type Hold, targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';

const SECONDS_PER_MINUTE = 60;

/** What needs a person: one line a job, but one line for all that a burst guard held together, or that was taken back together. */
export function attentionOf(jobs: Iterable<JobRecord>): AttentionLine[] {
  const lines: AttentionLine[] = [];
  const together: { job: JobRecord; line: AttentionLine }[] = [];
  for (const job of jobs) {
    const line = attentionFor(job);
    if (line === undefined) continue;
    if (isHeldTogether(job)) together.push({ job, line });
    else lines.push(line);
  }
  const groups = Map.groupBy(together, ({ line }) => line.reason);
  return [...lines, ...[...groups.values()].flatMap(groupLines)];
}

/** Whether one decision of a person stands for all jobs with that reason. */
export function isHeldTogether({ state }: JobRecord): boolean {
  return state.kind === 'held' && (state.hold.kind === 'guard' || state.hold.kind === 'undone');
}

type Group = readonly { readonly job: JobRecord; readonly line: AttentionLine }[];

function groupLines(group: Group): AttentionLine[] {
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
  return [{ ...first.line, ...all, reason, next_step: adviceForHold(hold, 'FILE…') }];
}

/** @returns undefined for a job that needs nobody */
export function attentionFor(job: JobRecord): AttentionLine | undefined {
  const { project, source, language, state } = job;
  const target = targetList(job.targets)[0] ?? source;
  const about = { project, source, target, language };
  switch (state.kind) {
    case 'held': {
      const seconds = secondsOfHold(state.hold);
      return {
        ...about,
        state: 'held',
        reason: describeHold(state.hold),
        next_step: adviceForHold(state.hold, target),
        price_characters: state.hold.kind === 'guard' ? job.estimate : priceOfHold(state.hold),
        ...(seconds === undefined ? {} : { price_seconds: seconds }),
      };
    }
    case 'failed':
      return {
        ...about,
        state: 'failed',
        reason: describeFailure(state.failure),
        next_step: adviceFor(state.failure),
        price_characters: job.estimate,
      };
    case 'queued':
    case 'running':
    case 'done':
      return undefined;
  }
}

/** Seconds of audio that releasing it is expected to send; undefined where it is no recording. */
function secondsOfHold(hold: Hold): number | undefined {
  switch (hold.kind) {
    case 'budget':
      return hold.unit === 'minutes' ? hold.needs * SECONDS_PER_MINUTE : undefined;
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
    case 'edited-target':
    case 'unsuitable':
      return hold.seconds;
    case 'approval':
    case 'guard':
    case 'conflict':
    case 'damaged-segments':
    case 'doubtful':
    case 'source-gone':
    case 'mass-deletion':
    case 'incomplete':
    case 'undone':
      return undefined;
  }
}

/** Characters that releasing it is expected to bill; null where nothing is bought. */
function priceOfHold(hold: Hold): number | null {
  switch (hold.kind) {
    case 'budget':
      return hold.unit === 'minutes' ? null : hold.needs;
    case 'approval':
    case 'guard':
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
      return hold.characters;
    case 'edited-target':
      return hold.characters ?? null;
    case 'conflict':
    case 'damaged-segments':
    case 'doubtful':
    case 'source-gone':
    case 'mass-deletion':
    case 'incomplete':
    case 'undone':
    case 'unsuitable':
      return null;
  }
}
