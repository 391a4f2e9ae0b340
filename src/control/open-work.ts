/** What is to be done in a checkout, text by text: what a later one is compared with. */
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import { inScope } from './scope.ts';
import type { OpenWork } from './since.ts';

export async function openWork(options: LocalControlOptions, scope: Scope): Promise<OpenWork> {
  await options.look();
  const { planner } = options.inForce;
  const rootOf = (project: string) => planner.project(project)?.root;
  const counted = new Set<string>();
  const jobs: Record<string, readonly string[]> = {};
  for (const { job } of planner.plan('passing').work) {
    if (!inScope(scope, job, rootOf)) continue;
    // A file that cannot be read then has nothing that could be compared.
    const estimate = await options.estimate(job, counted, 'texts').catch(() => undefined);
    if (estimate === undefined || estimate.stands === true) continue;
    jobs[job.id] = (estimate.open ?? []).map(({ unit }) => unit);
  }
  return { counted: [...counted], jobs };
}
