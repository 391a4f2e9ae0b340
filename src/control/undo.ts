/** `undo`: targets as they were before a run wrote them; their jobs wait, so that nothing writes them again by itself. */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { isoTime } from '../clock.ts';
import { describeFailure, failureOf, JobFailure } from '../failure.ts';
import { hashFile, hashIfPresent, readBytes, statOf } from '../files/disk.ts';
import { replaceFile } from '../files/replace.ts';
import { type Hash, type JobState, type Stat, sourceId } from '../job.ts';
import type { Fact, JobRecord, SourceRecord, Written } from '../ledger.ts';
import { type Kept, type UndoStep, undoSteps, undoVerdict } from '../state/undo.ts';
import { baselineKeyOf } from '../state/undo-log.ts';
import type { UndoRequest } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { UndoLine, UndoReport } from './report.ts';
import { inScope } from './scope.ts';

/** Milliseconds that a job that is being worked on has to end, and between two looks. */
const PATIENCE_MS = 10_000;
const LOOK_MS = 50;

export async function undo(
  options: LocalControlOptions,
  request: UndoRequest,
): Promise<UndoReport> {
  const runs = await options.undo.runs();
  const run = request.run ?? runs.at(-1);
  if (request.act === 'list' || run === undefined) return { runs, run: null, files: [], left: [] };
  const files: UndoLine[] = [];
  const left: UndoReport['left'][number][] = [];
  const steps = undoSteps(await options.undo.replacings(run));
  const wanted = steps
    .map((step) => turnFor(options, run, step))
    .filter((turn) => isWanted(options, turn, request));
  for (const turn of wanted) {
    const { file } = turn;
    const reason = await undoOne(options, turn, request.act);
    if (reason !== undefined) left.push({ file, reason });
    else
      files.push({
        project: turn.step.project,
        file,
        became: turn.step.old === null ? 'trashed' : 'as-before',
      });
  }
  if (request.act === 'undo' && (await options.undo.replacings(run)).length === 0) {
    await options.undo.forget(run);
  }
  return { runs, run, files, left };
}

interface Turn {
  readonly run: string;
  readonly step: UndoStep;
  /** Absolute root of the project; undefined when config has no such project any more. */
  readonly root: string | undefined;
  /** Absolute path of the target. */
  readonly file: string;
}

function turnFor({ inForce }: LocalControlOptions, run: string, step: UndoStep): Turn {
  const root = inForce.planner.project(step.project)?.root;
  return { run, step, root, file: join(root ?? step.project, step.path) };
}

/** Those that are still there: a source that moved took its job along. */
function jobsOf({ ledger }: LocalControlOptions, step: UndoStep): JobRecord[] {
  return step.jobs.flatMap(({ id }) => ledger.get('jobs', id) ?? []);
}

function isWanted(
  options: LocalControlOptions,
  { step, root, file }: Turn,
  { scope }: UndoRequest,
): boolean {
  const { inForce } = options;
  const { projects, languages, paths } = scope;
  const jobs = jobsOf(options, step);
  if (jobs.length > 0)
    return jobs.some((job) => inScope(scope, job, (name) => inForce.planner.project(name)?.root));
  const isNamed =
    paths.length === 0 ||
    (root !== undefined && paths.some((path) => file === path || file.startsWith(`${path}/`)));
  return (
    isNamed && languages.length === 0 && (projects.length === 0 || projects.includes(step.project))
  );
}

/** @returns why the file is left alone */
async function undoOne(
  options: LocalControlOptions,
  turn: Turn,
  act: UndoRequest['act'],
): Promise<string | undefined> {
  const { step, root, file } = turn;
  if (root === undefined) return 'its project is not in the config any more';
  if (!(await isAtRest(options, step)))
    return 'it is being worked on: take it back when that is done';
  const verdict = undoVerdict(step, (await hashIfPresent(file)) ?? null);
  if (verdict.kind === 'leave') return verdict.reason;
  if (act === 'price') return undefined;
  try {
    if (!step.isPersons) await hold(options, turn);
    if (verdict.kind === 'put-back') await putBack(options, turn, { root, found: verdict.found });
    await tell(options, turn);
    await options.undo.tookBack(turn.run, step);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return describeFailure(failureOf(error));
  }
  return undefined;
}

/** A change of a target is looked at by a job, which ends at once; one that waits for the service may take minutes. */
async function isAtRest(options: LocalControlOptions, step: UndoStep): Promise<boolean> {
  const { clock } = options;
  const end = clock.now() + PATIENCE_MS;
  while (jobsOf(options, step).some((job) => options.isBusy(job))) {
    if (clock.now() >= end) return false;
    await clock.sleep(LOOK_MS);
  }
  return true;
}

/** First of all: a worker that still runs must not write it again. */
async function hold(options: LocalControlOptions, { run, step }: Turn): Promise<void> {
  const { ledger, clock } = options;
  const state: JobState = { kind: 'held', at: isoTime(clock), hold: { kind: 'undone', run } };
  await ledger.commit(
    jobsOf(options, step).map((from) => ({
      table: 'jobs',
      from,
      set: { state, fence: from.fence + 1, release: undefined },
    })),
  );
}

async function putBack(
  { undo, trash }: LocalControlOptions,
  { run, step, file }: Turn,
  { root, found }: { readonly root: string; readonly found: Hash },
): Promise<void> {
  const { old, project, path } = step;
  if (old === null) return void (await trash.take({ project, path }, root));
  const copy = undo.pathOf(run, old.file);
  if ((await hashFile(copy)) !== old.hash) {
    throw new JobFailure({ kind: 'changed-meanwhile', file: copy });
  }
  const content = createReadStream(copy);
  await replaceFile({ path: file, root, content, expectedOld: found });
}

/** The jobs hear what stands there now, with the baselines that belong to it. */
async function tell(options: LocalControlOptions, turn: Turn): Promise<void> {
  const { step } = turn;
  const { ledger } = options;
  const stat = await statOf(turn.file);
  for (const { id, first } of step.jobs) {
    const job = ledger.get('jobs', id);
    if (job !== undefined) await putBaselineBack(options, turn.run, { job, old: first.old });
  }
  const source = sourceThere(options, step, stat);
  const facts = step.jobs.flatMap(({ id, first }): Fact[] => {
    const from = ledger.get('jobs', id);
    if (from === undefined) return [];
    const print = source && options.inForce.planner.fingerprint(source, from.language);
    const { wrote, delivered } = first.before;
    const set = { delivered, wrote: wroteBefore(from, wrote, { path: step.path, stat }) };
    return [
      {
        table: 'jobs',
        from,
        set: { ...set, ...(print === undefined ? {} : { fingerprint: print }) },
      },
    ];
  });
  await ledger.commit([
    ...facts,
    ...(source === undefined ? [] : [{ table: 'sources', put: source } as const]),
  ]);
  const jobs = jobsOf(options, step).map(({ id }) => id);
  options.tookBack({ jobs, ...(source === undefined ? {} : { source }) });
}

async function putBaselineBack(
  { baselines, undo }: LocalControlOptions,
  run: string,
  { job, old }: { readonly job: JobRecord; readonly old: Kept | null },
): Promise<void> {
  if (old?.base === undefined) return await baselines.remove(baselineKeyOf(job));
  const copy = await readBytes(undo.pathOf(run, old.base), Number.POSITIVE_INFINITY);
  await baselines.putBack(baselineKeyOf(job), copy.bytes);
}

interface Standing {
  readonly path: string;
  /** Undefined when nothing stands there. */
  readonly stat: Stat | undefined;
}

function wroteBefore(
  job: JobRecord,
  before: readonly Written[],
  { path, stat }: Standing,
): Written[] {
  const others = job.wrote.filter((written) => written.path !== path);
  const earlier = before.find((written) => written.path === path);
  return earlier === undefined || stat === undefined ? others : [...others, { ...earlier, stat }];
}

/** One file may hold all languages: then the source is as it was, too. */
function sourceThere(
  { ledger }: LocalControlOptions,
  { project, path, old }: UndoStep,
  stat: Stat | undefined,
): SourceRecord | undefined {
  const source = ledger.get('sources', sourceId(project, path));
  if (source === undefined || old === null || stat === undefined) return undefined;
  return { ...source, hash: old.hash, stat };
}
