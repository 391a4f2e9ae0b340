/** Which jobs a config asks for, by their names alone: also those of a tree whose records this process does not have. Pure. */
import { isBoughtByText } from '../config/lane-languages.ts';
import type { Config } from '../config.ts';
import type { Job } from '../job.ts';
import type { Router } from '../routes/router.ts';

interface AskingConfig {
  readonly config: Pick<Config, 'projects'>;
  readonly router: Pick<Router, 'match'>;
}

export type JobNames = Pick<Job, 'project' | 'language' | 'source' | 'lane'>;

/** Whether the config has the language and the route of a job. */
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

/**
 * Whether a queued job counts as work. A text that the config does not ask for waits only on record: no daemon does it. A document or
 * recording may be paid: it counts until it is over.
 */
export function countsAsWaiting(setup: AskingConfig, job: JobNames): boolean {
  return !isBoughtByText(job.lane) || asksFor(setup, job);
}
