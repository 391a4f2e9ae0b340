/** Which jobs belong to the scope of a command. Pure. */
import { join } from 'node:path';
import { type Job, targetList } from '../job.ts';
import { parseLanguage } from '../language.ts';
import type { Scope } from './control.ts';
import { isTouched } from './since.ts';

/** @param rootOf absolute root of a project */
export function inScope(
  { projects, languages, paths, since }: Scope,
  job: Pick<Job, 'project' | 'language' | 'source' | 'targets'>,
  rootOf: (project: string) => string | undefined,
): boolean {
  if (!isNamed({ projects, languages }, job.project, job.language)) return false;
  const root = rootOf(job.project);
  if (!isTouched(since, job, root)) return false;
  return inPaths(paths, root, [job.source, ...targetList(job.targets)]);
}

/** Whether the scope has no limits. */
export function isEverything({ projects, languages, paths }: Scope): boolean {
  return projects.length + languages.length + paths.length === 0;
}

export function isNamed(
  { projects, languages }: Pick<Scope, 'projects' | 'languages'>,
  project: string,
  language: string,
): boolean {
  if (projects.length > 0 && !projects.includes(project)) return false;
  return languages.length === 0 || languages.some((code) => parseLanguage(code) === language);
}

/** @param files relative to the root */
export function inPaths(
  paths: Scope['paths'],
  root: string | undefined,
  files: readonly string[],
): boolean {
  if (paths.length === 0) return true;
  if (root === undefined) return false;
  const named = files.map((path) => join(root, path));
  return paths.some((path) => named.some((file) => file === path || file.startsWith(`${path}/`)));
}
