/** `retry` and `approve`: their price, and a person's release, which is recorded for exactly the content that it was given for. */
import { isoTime } from '../clock.ts';
import { failureOf } from '../failure.ts';
import type { Hold, JobId } from '../job.ts';
import { commitDecision, type JobRecord } from '../ledger.ts';
import { AtRest, busyFile } from './at-rest.ts';
import { attentionFor, attentionOf } from './attention.ts';
import { soundOf } from './audio.ts';
import type { Blocker } from './blockers.ts';
import type { ReleaseRequest } from './control.ts';
import { attentionOfNewTexts, newTexts } from './new-texts.ts';
import type { LocalControlOptions } from './options.ts';
import { type AttentionLine, type BusyFile, DELETIONS, type ReleaseReport } from './report.ts';
import { inScope } from './scope.ts';
import { taskKey } from './tasks.ts';

export async function release(
  options: LocalControlOptions,
  request: ReleaseRequest,
): Promise<ReleaseReport> {
  const { jobs: waiting, busy } = await waitingJobs(options, request);
  const withNewTexts = await jobsWithNewTexts(options, request);
  const asked = [...waiting, ...withNewTexts.values().map(({ job }) => job)];
  const prices = request.verb === 'retry' ? await repriced(options, asked) : undefined;
  const deletions = confirmsDeletions(request) ? deletionsIn(options.blockers()) : 0;
  const jobs = request.act === 'release' ? await releaseJobs(options, asked, request) : asked;
  const newTextLines = jobs.flatMap(({ id }) => withNewTexts.get(id)?.line ?? []);
  const lines = prices
    ? jobs.flatMap(({ id }) => prices.get(id) ?? [])
    : [...attentionOf(jobs), ...newTextLines];
  return {
    jobs: lines,
    ...(deletions > 0 && { deletions }),
    ...(lines.length === 0 && busy.length > 0 && { busy }),
    price_characters: lines.reduce((sum, line) => sum + (line.price_characters ?? 0), 0),
    price_seconds: soundOf(
      lines.map(({ price_seconds: length = 0, ...line }) => ({ ...line, length })),
    ),
  };
}

interface WaitingJobs {
  readonly jobs: readonly JobRecord[];
  readonly busy: readonly BusyFile[];
}

/** Where nothing waits in the named files, their running jobs may leave something. */
async function waitingJobs(
  options: LocalControlOptions,
  request: ReleaseRequest,
): Promise<WaitingJobs> {
  const { ledger, inForce } = options;
  const { which, scope } = request;
  const rootOf = (project: string) => inForce.planner.project(project)?.root;
  const named = (isMeant: (job: JobRecord) => boolean) =>
    [...ledger.all('jobs')].filter((job) => isMeant(job) && inScope(scope, job, rootOf));
  const waiting = () =>
    named((job) => isRequested(job, request) && inForce.planner.mayBeReleased(job));
  const jobs = waiting();
  if (jobs.length > 0 || which !== 'named' || scope.paths.length === 0) return { jobs, busy: [] };
  const working = named((job) => options.runState.isBusy(job)).map(({ id }) => id);
  const left = await new AtRest(options).wait(working);
  return { jobs: waiting(), busy: left.map((job) => busyFile(options, job)) };
}

/** Delivered pages with texts that this version finds and the version that wrote them did not find. */
async function jobsWithNewTexts(
  options: LocalControlOptions,
  { verb, which, task, scope }: ReleaseRequest,
): Promise<ReadonlyMap<JobId, { job: JobRecord; line: AttentionLine }>> {
  if (verb !== 'approve' || which === 'failed' || task !== undefined) return new Map();
  const found = await newTexts(options, { scope, busy: new Set(), counted: new Set() });
  return new Map(found.map(({ job, line }) => [job.id, { job, line: attentionOfNewTexts(line) }]));
}

/** @returns the jobs that still wait for this release: after a change of content or reason, the price was another one */
async function releaseJobs(
  { ledger, inForce, clock, offer, confirmDeletions }: LocalControlOptions,
  asked: readonly JobRecord[],
  request: ReleaseRequest,
): Promise<readonly JobRecord[]> {
  if (confirmsDeletions(request)) await confirmDeletions();
  let jobs: readonly JobRecord[] = [];
  const at = isoTime(clock);
  await commitDecision(ledger, () => {
    jobs = asked.flatMap(({ id, fingerprint }) => {
      const job = ledger.get('jobs', id);
      if (job?.fingerprint !== fingerprint || !inForce.planner.mayBeReleased(job)) return [];
      return isRequested(job, request) || hasNewTexts(job, request) ? [job] : [];
    });
    return jobs.map((from) => {
      const release = { kind: request.verb, fingerprint: from.fingerprint, at };
      return { table: 'jobs', from, set: { release } };
    });
  });
  offer(jobs.map(({ id }) => id));
  return jobs;
}

/** A retry buys the texts again: they are priced as the next run would find them. */
async function repriced(
  options: LocalControlOptions,
  jobs: readonly JobRecord[],
): Promise<ReadonlyMap<JobId, AttentionLine>> {
  const counted = new Set<string>();
  const lines = new Map<JobId, AttentionLine>();
  for (const job of jobs) {
    const line = attentionFor(job);
    if (line === undefined) continue;
    const characters = await priceOfRetry(options, job, counted);
    lines.set(job.id, characters === undefined ? line : { ...line, price_characters: characters });
  }
  return lines;
}

/** @returns undefined when the line already has the price, and for a file that cannot be read: trying it again buys nothing */
async function priceOfRetry(
  { clock, estimate }: LocalControlOptions,
  job: JobRecord,
  counted: Set<string>,
): Promise<number | undefined> {
  if (job.state.kind === 'held' && job.state.hold.kind === 'doubtful') {
    return job.state.hold.characters;
  }
  if (job.lane !== 'text') return undefined;
  const release = { kind: 'retry', fingerprint: job.fingerprint, at: isoTime(clock) } as const;
  const asked: JobRecord = { ...job, release };
  try {
    return (await estimate(asked, counted)).characters;
  } catch (error) {
    if (failureOf(error).kind === 'stopped') throw error;
    return undefined;
  }
}

function confirmsDeletions({ verb, which, task }: ReleaseRequest): boolean {
  return verb === 'approve' && (task === undefined ? which === 'all' : task === DELETIONS);
}

function deletionsIn(blockers: readonly Blocker[]): number {
  return blockers.reduce(
    (sum, found) => sum + (found.kind === 'mass-deletion' ? found.files : 0),
    0,
  );
}

function isRequested(job: JobRecord, { verb, which, task }: ReleaseRequest): boolean {
  if (task !== undefined && taskKey(job) !== task) return false;
  const { state } = job;
  if (state.kind === 'failed') return verb === 'retry';
  if (state.kind !== 'held' || which === 'failed') return false;
  const waits = waitsForApproval(state.hold);
  return verb === 'approve' ? waits || state.hold.kind === 'doubtful' : !waits;
}

/** The requested jobs that are done: they were requested because of their new texts. */
function hasNewTexts({ state }: JobRecord, { verb, which, task }: ReleaseRequest): boolean {
  return verb === 'approve' && which !== 'failed' && task === undefined && state.kind === 'done';
}

function waitsForApproval({ kind }: Hold): boolean {
  return kind === 'budget' || kind === 'approval' || kind === 'guard' || kind === 'mass-deletion';
}
