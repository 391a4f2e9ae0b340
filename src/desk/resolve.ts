/** `resolve`: a person's choice between two texts, written down for the next run of the job, which bills nothing for it. */
import { isoTime } from '../clock.ts';
import type { ConflictLine, ResolveReport, ResolveRequest } from '../control.ts';
import type { Fact, JobRecord, Release } from '../ledger.ts';
import type { DeskOptions } from './options.ts';
import { inScope } from './scope.ts';
import { conflictsOf } from './status.ts';

export async function resolveConflicts(
  options: DeskOptions,
  request: ResolveRequest,
): Promise<ResolveReport> {
  const { ledger, planner } = options;
  const scope = { projects: [], languages: request.languages, paths: [request.file] };
  const rootOf = (project: string) => planner().project(project)?.root;
  const jobs = [...ledger.all('jobs')].filter(
    (job) => job.state.kind === 'held' && inScope(scope, job, rootOf),
  );
  const resolved: ConflictLine[] = [];
  for (const job of jobs) {
    const conflicts = (await conflictsOf(options, [job])).filter(
      ({ key }) => request.key === undefined || key === request.key,
    );
    if (conflicts.length === 0 && !isWholeFile(job)) continue;
    resolved.push(...conflicts);
    await ledger.commit([decided(options, { job, request, conflicts })]);
    options.offer([job.id]);
  }
  return { resolved };
}

/** A translated file without segments, or one that cannot be merged: the choice is about the whole. */
function isWholeFile({ state }: JobRecord): boolean {
  return state.kind === 'held' && state.hold.kind === 'edited-target';
}

interface Decided {
  readonly job: JobRecord;
  readonly request: ResolveRequest;
  readonly conflicts: readonly ConflictLine[];
}

function decided({ clock }: DeskOptions, { job, request, conflicts }: Decided): Fact {
  const { choice } = request;
  const word = choice.kind === 'text' ? { text: choice.text } : choice.kind;
  const release: Release = {
    kind: choice.kind === 'machine' ? 'machine' : 'human',
    fingerprint: job.fingerprint,
    at: isoTime(clock),
    choices: {
      ...job.release?.choices,
      ...Object.fromEntries(conflicts.map(({ key }) => [key, word])),
    },
  };
  return { table: 'jobs', put: { ...job, release } };
}
