/** Texts that hold a term which changed and that nothing buys again: a person should know of them before they decide. */

import type { JobRecord } from '../ledger.ts';
import type { LoadedGlossary } from '../terminology/load-glossaries.ts';
import type { Scope } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import { inScope } from './scope.ts';

/** A sentence for each file and language. Jobs that are to be done anyway tell of theirs with their price. */
export async function staleTermNotes(
  options: LocalControlOptions,
  scope: Scope,
): Promise<string[]> {
  const { ledger } = options;
  const rootOf = (project: string) => options.inForce.planner.project(project)?.root;
  const notes: string[] = [];
  for (const job of ledger.all('jobs')) {
    if (!isOlderThanTerms(options, job) || !inScope(scope, job, rootOf)) continue;
    // What is gone or unreadable has its own line in a plan.
    const estimate = await options.estimate(job, new Set()).catch(() => undefined);
    notes.push(...(estimate?.notes ?? []));
  }
  return notes;
}

function isOlderThanTerms(options: LocalControlOptions, job: JobRecord): boolean {
  if (job.state.kind !== 'done' || (job.lane !== 'text' && job.lane !== 'subtitle')) return false;
  const glossary = glossaryOf(options, job);
  const route = options.inForce.planner.routeOf(job.project, job.source);
  if (glossary === undefined || route === undefined) return false;
  if (route.policies.retranslateOn.has('glossary')) return false;
  const settled = Date.parse(job.state.at);
  return options.terminology.remote.glossaries.changedSince(glossary, settled);
}

function glossaryOf(
  { inForce, terminology }: LocalControlOptions,
  { project }: JobRecord,
): LoadedGlossary | undefined {
  const rule = inForce.planner.project(project)?.rules.glossary;
  if (rule === undefined || 'id' in rule) return undefined;
  return terminology.files.glossaries.get(rule.name);
}
