/** Which jobs the config asks for, and what may happen to a job. Pure. */
import type { Config } from '../config.ts';
import type { Hold, Job } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { Router } from '../routes/router.ts';

interface AskingConfig {
  readonly config: Pick<Config, 'projects'>;
  readonly router: Pick<Router, 'match'>;
}

export type JobNames = Pick<Job, 'project' | 'language' | 'source' | 'lane'>;

/** Whether the config has the language and the route of a job: by its names, also where its record is on another machine. */
export function asksFor(
  { config, router }: AskingConfig,
  { project: name, language, source }: Omit<JobNames, 'lane'>,
): boolean {
  const project = config.projects.find((each) => each.name === name);
  return project?.targets.includes(language) === true && hasRoute(router, name, source);
}

/** By project and source. A match takes 15 µs, and metrics ask about each waiting job of a tree. */
const matched = new WeakMap<AskingConfig['router'], Map<string, Map<string, boolean>>>();

function hasRoute(router: AskingConfig['router'], project: string, source: string): boolean {
  const projects = matched.get(router) ?? new Map<string, Map<string, boolean>>();
  matched.set(router, projects);
  const sources = projects.get(project) ?? new Map<string, boolean>();
  projects.set(project, sources);
  const known = sources.get(source) ?? router.match(project, source).kind === 'source';
  sources.set(source, known);
  return known;
}

/** What the config and the records say about a job. */
export interface JobFacts {
  /** The config has its project, with its language. */
  readonly hasLanguage: boolean;
  /** The config has its route, too. */
  readonly isAsked: boolean;
  /** `vanished`: gone with many others, and a person must confirm that. */
  readonly source: 'there' | 'vanished' | 'gone';
}

/** What may happen to a job: one answer for the planner, `status`, the page, metrics, `approve` and `retry`. */
export interface Standing {
  /** It is shown to people and counted. */
  readonly counts: boolean;
  /** `fetch`: nothing asks for it, and it is offered only for what is paid. */
  readonly offer: 'as planned' | 'fetch' | 'none';
  /** A person may release it, because a run then goes on with it. */
  readonly mayBeReleased: boolean;
}

/**
 * Only the lane of documents goes on with a job that nothing asks for: what is paid is fetched and kept for a person. Paid texts are in the
 * memory, and the results of recordings in their voice jobs.
 */
export function standingOf(
  job: Pick<JobRecord, 'lane' | 'state' | 'release'>,
  { hasLanguage, isAsked, source }: JobFacts,
): Standing {
  const { lane, state } = job;
  const isWanted = isAsked && source !== 'gone';
  const isKept = lane === 'document' && state.kind === 'held' && isPaid(state.hold);
  const counts = {
    queued: countsAsWaiting({ lane, isAsked }),
    running: countsByLanguage(job, hasLanguage),
    done: countsByLanguage(job, hasLanguage),
    held: isWanted || isKept,
    failed: isWanted,
  }[state.kind];
  const mayBeReleased = counts && source !== 'vanished';
  if (isWanted) return { counts, offer: source === 'there' ? 'as planned' : 'none', mayBeReleased };
  // A run delivers a kept result when its source, language or route is back, and can do nothing before.
  const onlyWaits = state.kind === 'held' && state.hold.kind === 'source-gone';
  return {
    counts,
    offer: mayBeFetched(job) ? 'fetch' : 'none',
    mayBeReleased: mayBeReleased && !onlyWaits,
  };
}

/**
 * Whether a running or finished job counts, whatever its route and the records say. A language that was taken out of the config has no
 * finished jobs any more. The database of a tree counts finished jobs by project and language alone, so their routes do not matter.
 */
export function countsByLanguage(
  { state }: Pick<JobRecord, 'state'>,
  hasLanguage: boolean,
): boolean {
  return state.kind === 'running' || (state.kind === 'done' && hasLanguage);
}

/** Whether a job is offered for what is paid, if nothing asks for it. */
export function mayBeFetched({
  lane,
  state,
  release,
}: Pick<JobRecord, 'lane' | 'state' | 'release'>): boolean {
  const isOpen =
    state.kind === 'queued' ||
    state.kind === 'running' ||
    (state.kind === 'held' && release !== undefined);
  return lane === 'document' && isOpen;
}

/**
 * Whether a queued job counts. It counts by its names alone, because other machines count jobs whose records they do not have. A document
 * that nothing asks for is queued until its paid result is fetched.
 */
export function countsAsWaiting({ lane, isAsked }: Pick<Job, 'lane'> & Pick<JobFacts, 'isAsked'>) {
  return lane === 'document' || isAsked;
}

/** Whether a purchase is on record, or may have been made: then a person decides, also when nothing asks for the job any more. */
function isPaid({ kind }: Hold): boolean {
  switch (kind) {
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
    case 'source-gone':
    case 'doubtful':
      return true;
    case 'budget':
    case 'approval':
    case 'guard':
    case 'conflict':
    case 'edited-target':
    case 'damaged-segments':
    case 'mass-deletion':
    case 'incomplete':
    case 'conflict-markers':
    case 'not-fetched':
    case 'undone':
    case 'unsuitable':
      return false;
  }
}
