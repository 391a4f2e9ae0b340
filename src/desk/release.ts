/** `retry` and `approve`: what they would cost, and a person's word written down for exactly the content it was given for. */
import { isoTime } from '../clock.ts';
import type { ReleaseReport, ReleaseRequest } from '../control.ts';
import type { Hold } from '../job.ts';
import type { Fact, JobRecord } from '../ledger.ts';
import { attentionOf } from '../reports/attention.ts';
import type { DeskOptions } from './options.ts';
import { inScope } from './scope.ts';

export async function release(
  options: DeskOptions,
  request: ReleaseRequest,
): Promise<ReleaseReport> {
  const { ledger, planner, clock } = options;
  const rootOf = (project: string) => planner().project(project)?.root;
  const jobs = [...ledger.all('jobs')].filter(
    (job) => inScope(request.scope, job, rootOf) && isMeant(job, request),
  );
  if (request.act === 'release') {
    if (request.verb === 'approve' && request.which === 'all') await options.confirmDeletions();
    const at = isoTime(clock);
    await ledger.commit(
      jobs.map((job): Fact => {
        const put = { kind: request.verb, fingerprint: job.fingerprint, at };
        return { table: 'jobs', put: { ...job, release: put } };
      }),
    );
    options.offer(jobs.map(({ id }) => id));
  }
  const lines = attentionOf(jobs);
  return {
    jobs: lines,
    price_characters: lines.reduce((sum, line) => sum + (line.price_characters ?? 0), 0),
    price_seconds: lines.reduce((sum, line) => sum + (line.price_seconds ?? 0), 0),
  };
}

function isMeant({ state }: JobRecord, { verb, which }: ReleaseRequest): boolean {
  if (state.kind === 'failed') return verb === 'retry';
  if (state.kind !== 'held' || which === 'failed') return false;
  return verb === 'approve' ? waitsForApproval(state.hold) : !waitsForApproval(state.hold);
}

function waitsForApproval({ kind }: Hold): boolean {
  return kind === 'budget' || kind === 'approval' || kind === 'guard' || kind === 'mass-deletion';
}
