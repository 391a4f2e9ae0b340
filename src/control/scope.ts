/** Which jobs a command's scope names. Pure. */
import { join } from 'node:path';
import { type Job, targetList } from '../job.ts';
import { parseLanguage } from '../language.ts';
import type { Scope } from './control.ts';

/** @param rootOf absolute root of a project */
export function inScope(
  { projects, languages, paths }: Scope,
  job: Pick<Job, 'project' | 'language' | 'source' | 'targets'>,
  rootOf: (project: string) => string | undefined,
): boolean {
  if (projects.length > 0 && !projects.includes(job.project)) return false;
  if (languages.length > 0 && !languages.some((code) => parseLanguage(code) === job.language)) {
    return false;
  }
  if (paths.length === 0) return true;
  const root = rootOf(job.project);
  if (root === undefined) return false;
  const files = [job.source, ...targetList(job.targets)].map((path) => join(root, path));
  return paths.some((path) => files.some((file) => file === path || file.startsWith(`${path}/`)));
}
