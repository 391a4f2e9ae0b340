/** `undo`: restores targets to their state before a run. Their jobs are held, so that nothing writes the targets again. */
import { join } from 'node:path';
import { isoTime } from '../clock.ts';
import { describeFailure, failureOf, JobFailure } from '../failure.ts';
import { hashFile, hashIfPresent, readBytes, statOf } from '../files/disk.ts';
import { streamFile } from '../files/read-file.ts';
import { replaceFile } from '../files/replace.ts';
import { bothRights } from '../files/right.ts';
import { firstFormat } from '../formats/all.ts';
import { type Hash, type JobId, type JobState, type Stat, sourceId } from '../job.ts';
import {
  commitDecision,
  type Fact,
  type JobRecord,
  type LedgerView,
  type SourceRecord,
  type Written,
} from '../ledger.ts';
import type { Statement } from '../segments/statements.ts';
import type { PersonEdit } from '../state/edit-log.ts';
import {
  type StatementBefore,
  type TextsBefore,
  type UndoCopy,
  type UndoStep,
  undoSteps,
  undoVerdict,
} from '../state/undo.ts';
import { baselineKeyOf } from '../state/undo-log.ts';
import { AtRest, BUSY } from './at-rest.ts';
import type { UndoRequest } from './control.ts';
import type { LocalControlOptions } from './options.ts';
import type { UndoLine, UndoReport, UndoRunChanges } from './report.ts';
import { inScope } from './scope.ts';

export async function undo(
  options: LocalControlOptions,
  request: UndoRequest,
): Promise<UndoReport> {
  const runs = await options.undo.runs();
  const run = request.run ?? runs.at(-1);
  const none = { runs, run: null, files: [], left: [] };
  if (request.act === 'changes')
    return { ...none, changes: await changesOf(options, runs, request) };
  if (request.act === 'list' || run === undefined) return none;
  const files: UndoLine[] = [];
  const left: UndoReport['left'][number][] = [];
  const wanted = (await fileChangesOf(options, run)).filter((change) =>
    isWanted(options, change, request),
  );
  const rest = new AtRest(options);
  for (const change of wanted) {
    const { file, project, step } = change;
    const reason = await undoOne(options, change, { act: request.act, rest });
    if (reason !== undefined) left.push({ file, reason });
    else files.push({ project, file, became: step?.old === null ? 'trashed' : 'as-before' });
  }
  if (request.act === 'undo' && (await fileChangesOf(options, run)).length === 0) {
    await options.undo.forget(run);
  }
  return { runs, run, files, left };
}

async function changesOf(
  options: LocalControlOptions,
  runs: readonly string[],
  request: UndoRequest,
): Promise<UndoRunChanges[]> {
  const all: UndoRunChanges[] = [];
  for (const run of runs) {
    const changes = (await fileChangesOf(options, run)).filter((each) =>
      isWanted(options, each, request),
    );
    const spoken = changes.flatMap((each) => each.spoken);
    const writers = changes.flatMap(({ step }) => step?.jobs.map(({ first }) => first.by) ?? []);
    const by = writers.find((each) => each !== undefined) ?? (spoken.length > 0 ? 'import' : 'run');
    const texts = new Set(
      spoken.flatMap(({ job, before }) => before.map(({ id }) => `${job}\n${id}`)),
    );
    const files: readonly string[] = changes.map(({ file }) => file);
    all.push({ run, by, files: files.toSorted(), texts: by === 'run' ? null : texts.size });
  }
  return all;
}

/** The changes of a run in one file. */
interface FileChange {
  readonly run: string;
  readonly project: string;
  /** Path of the target, relative to the root of the project. */
  readonly path: string;
  /** Absolute root of the project; undefined: the config no longer has the project. */
  readonly root: string | undefined;
  /** Absolute path of the target. */
  readonly file: string;
  readonly jobs: readonly JobId[];
  /** Undefined: nothing was written, a person only confirmed texts. */
  readonly step: UndoStep | undefined;
  readonly spoken: readonly TextsBefore[];
}

async function fileChangesOf(
  { undo, inForce }: LocalControlOptions,
  run: string,
): Promise<FileChange[]> {
  const steps = undoSteps(await undo.replacings(run));
  const spoken = Map.groupBy(await undo.spoken(run), changedFileKey);
  const byFile = new Map(steps.map((step) => [changedFileKey(step), step]));
  return [...new Set([...byFile.keys(), ...spoken.keys()])].flatMap((name) => {
    const step = byFile.get(name);
    const said = spoken.get(name) ?? [];
    const place = step ?? said[0];
    if (place === undefined) return [];
    const { project, path } = place;
    const root = inForce.planner.project(project)?.root;
    const jobs = step === undefined ? said.map(({ job }) => job) : step.jobs.map(({ id }) => id);
    const file = join(root ?? project, path);
    return [{ run, project, path, root, file, jobs: [...new Set(jobs)], step, spoken: said }];
  });
}

function changedFileKey({ project, path }: Pick<FileChange, 'project' | 'path'>): string {
  return `${project}\n${path}`;
}

/** Existing jobs only: a moved source took its job with it. */
function jobsOf({ ledger }: LocalControlOptions, { jobs }: Pick<FileChange, 'jobs'>): JobRecord[] {
  return jobs.flatMap((id) => ledger.get('jobs', id) ?? []);
}

function isWanted(
  options: LocalControlOptions,
  change: FileChange,
  { scope }: UndoRequest,
): boolean {
  const { inForce } = options;
  const { projects, languages, paths } = scope;
  const { project, root, file, spoken } = change;
  const jobs = jobsOf(options, change);
  if (jobs.length > 0)
    return jobs.some((job) => inScope(scope, job, (name) => inForce.planner.project(name)?.root));
  const isNamed =
    paths.length === 0 ||
    (root !== undefined && paths.some((path) => file === path || file.startsWith(`${path}/`)));
  const isInLanguage =
    languages.length === 0 || spoken.some(({ language }) => languages.includes(language));
  return isNamed && isInLanguage && (projects.length === 0 || projects.includes(project));
}

/** @returns the reason why the file is left alone; undefined when it was restored */
async function undoOne(
  options: LocalControlOptions,
  change: FileChange,
  { act, rest }: { readonly act: UndoRequest['act']; readonly rest: AtRest },
): Promise<string | undefined> {
  const { step, root, file, run } = change;
  if (root === undefined) return 'its project is not in the config any more';
  const busy = await rest.wait(change.jobs);
  if (busy.length > 0) return BUSY;
  const verdict = step && undoVerdict(step, (await hashIfPresent(file)) ?? null);
  if (verdict?.kind === 'leave') return verdict.reason;
  if (act === 'price') return undefined;
  try {
    if (step !== undefined) {
      if (!step.isPersons) await hold(options, change);
      if (verdict?.kind === 'put-back') {
        await putBack(options, run, { step, file, root, found: verdict.found });
      }
      await updateJobs(options, change, step);
    }
    await restoreStatements(options, change);
    await options.undo.tookBack(run, change);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    return describeFailure(failureOf(error));
  }
  return undefined;
}

/** The first step, so that a running worker does not write the target again. */
async function hold(options: LocalControlOptions, change: FileChange): Promise<void> {
  const { run } = change;
  const { ledger, clock } = options;
  const state: JobState = { kind: 'held', at: isoTime(clock), hold: { kind: 'undone', run } };
  await commitDecision(ledger, () =>
    jobsOf(options, change).map((from) => ({
      table: 'jobs',
      from,
      set: { state, fence: from.fence + 1, release: undefined },
    })),
  );
}

interface PutBack {
  readonly step: UndoStep;
  readonly file: string;
  readonly root: string;
  readonly found: Hash;
}

async function putBack(
  { undo, trash, right, reservations }: LocalControlOptions,
  run: string,
  { step, file, root, found }: PutBack,
): Promise<void> {
  const { old, project, path } = step;
  using reserved = await reservations.take({ project, path });
  if (old === null) return void (await trash.take({ project, path }, root));
  const copy = undo.pathOf(run, old.file);
  if ((await hashFile(copy)) !== old.hash) {
    throw new JobFailure({ kind: 'changed-meanwhile', file: copy });
  }
  const content = streamFile(copy);
  const rights = bothRights(reserved, right);
  await replaceFile({ path: file, root, content, expectedOld: found, right: rights });
}

/** Updates the jobs with the restored target and its baselines. */
async function updateJobs(
  options: LocalControlOptions,
  change: FileChange,
  step: UndoStep,
): Promise<void> {
  const { ledger } = options;
  const stat = await statOf(change.file);
  for (const { id, first } of step.jobs) {
    const job = ledger.get('jobs', id);
    if (job !== undefined) await putBaselineBack(options, change.run, { job, old: first.old });
  }
  const source = sourceThere(options, step, stat);
  const facts = () =>
    step.jobs.flatMap(({ id, first }): Fact[] => {
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
  await commitDecision(ledger, () => [
    ...facts(),
    ...(source === undefined ? [] : [sourceFact(ledger, source)]),
  ]);
  const jobs = jobsOf(options, change).map(({ id }) => id);
  options.tookBack({ jobs, ...(source === undefined ? {} : { source }) });
}

function sourceFact(ledger: LedgerView, put: SourceRecord): Fact {
  return { table: 'sources', put, from: ledger.get('sources', put.id) };
}

/**
 * Restores the statements of the lock about these texts. An approval, or a request for a review, that somebody changed since is left alone.
 */
async function restoreStatements(
  options: LocalControlOptions,
  { spoken }: FileChange,
): Promise<void> {
  const first = new Map<
    string,
    { readonly spoke: TextsBefore; readonly statement: StatementBefore }
  >();
  for (const spoke of spoken) {
    for (const statement of spoke.before) {
      const name = `${spoke.job}\n${statement.id}`;
      const known = first.get(name)?.statement;
      const isChanged = statement.isChanged || known?.isChanged === true;
      const { wrote } = statement;
      const merged = { ...(known ?? statement), isChanged, ...(wrote && { wrote }) };
      first.set(name, { spoke, statement: merged });
    }
  }
  for (const [, all] of Map.groupBy(first.values(), ({ spoke }) => spoke.job)) {
    const [{ spoke } = {}] = all;
    if (spoke === undefined) continue;
    const name = { project: spoke.project, language: spoke.language };
    const index = await options.lock?.index(name);
    const isOurs = ({ unit, source, target, isChanged, isWanted }: StatementBefore) =>
      isChanged ||
      index
        ?.get(unit)
        ?.some(
          (now) =>
            now.source === source &&
            now.target === target &&
            now.review === (isWanted ? 'wanted' : 'reviewed'),
        );
    const before = all.map(({ statement }) => statement).filter(isOurs);
    if (before.length === 0) continue;
    const isKeyed = (await firstFormat(spoke.source))?.shape === 'keyed';
    const known = before.filter(({ stood }) => stood !== undefined);
    await options.amendLock(name, spoke.source, {
      decided: before.flatMap((each) => each.stood ?? [statementOf(each)]),
      renewed: new Set(isKeyed ? known.map(({ unit }) => unit) : []),
      over: known.flatMap(({ unit, wrote }) => (wrote ? [{ unit, ...wrote }] : [])),
    });
    const approved = before.filter(({ isWanted }) => isWanted === undefined);
    await forgetEdits(options, spoke, new Set(approved.map(({ id }) => id)));
  }
}

function statementOf({ unit, source, target, mark, review, recipe }: StatementBefore): Statement {
  return { unit, source, target, mark, ...(review && { review }), ...(recipe && { recipe }) };
}

/** `explain` and the page no longer name the author of an edit that was taken back. */
async function forgetEdits(
  { edits, clock }: LocalControlOptions,
  { project, language, source }: TextsBefore,
  ids: ReadonlySet<string>,
): Promise<void> {
  const last = new Map<string, PersonEdit>();
  for (const edit of await edits.all()) {
    const isHere = edit.project === project && edit.language === language && edit.path === source;
    if (isHere && ids.has(edit.id)) last.set(edit.id, edit);
  }
  const at = isoTime(clock);
  await edits.record([...last.values()].map((edit) => ({ ...edit, at, undone: true })));
}

async function putBaselineBack(
  { baselines, undo }: LocalControlOptions,
  run: string,
  { job, old }: { readonly job: JobRecord; readonly old: UndoCopy | null },
): Promise<void> {
  if (old?.base === undefined) return await baselines.remove(baselineKeyOf(job));
  const copy = await readBytes(undo.pathOf(run, old.base), Number.POSITIVE_INFINITY);
  await baselines.putBack(baselineKeyOf(job), copy.bytes);
}

interface PresentFile {
  readonly path: string;
  /** Undefined when there is no file. */
  readonly stat: Stat | undefined;
}

function wroteBefore(
  job: JobRecord,
  before: readonly Written[],
  { path, stat }: PresentFile,
): Written[] {
  const others = job.wrote.filter((written) => written.path !== path);
  const earlier = before.find((written) => written.path === path);
  return earlier === undefined || stat === undefined ? others : [...others, { ...earlier, stat }];
}

/** If one file has all languages, its source is also restored. */
function sourceThere(
  { ledger }: LocalControlOptions,
  { project, path, old }: UndoStep,
  stat: Stat | undefined,
): SourceRecord | undefined {
  const source = ledger.get('sources', sourceId(project, path));
  if (source === undefined || old === null || stat === undefined) return undefined;
  return { ...source, hash: old.hash, stat };
}
