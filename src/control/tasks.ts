/** The tasks for a person on the page: one for all jobs that are decided together. Tasks that block the most jobs come first. */
import { join, relative } from 'node:path';
import { describeFailure } from '../failure.ts';
import {
  ANY_FILES,
  adviceForHold,
  describeHold,
  type Hold,
  shellWords,
  targetList,
} from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import { sum } from '../segments/bill.ts';
import type { Sums } from '../state/books.ts';
import { attentionFor, uncoveredJobs } from './attention.ts';
import { soundOf } from './audio.ts';
import { linesOfBlockers } from './blocker-words.ts';
import type { Blocker } from './blockers.ts';
import type { LocalControlOptions } from './options.ts';
import { type AttentionLine, type Cut, DELETIONS, type Task } from './report.ts';

export interface TaskOptions extends Pick<LocalControlOptions, 'inForce'> {
  readonly sums: Pick<Sums, 'forJob'>;
}

const TASKS = 50;
/** Sources that a task names; the others are only counted. */
const SOURCES = 5;

export interface Attended {
  /** Jobs that are held or failed. */
  readonly open: readonly JobRecord[];
  readonly blockers: readonly Blocker[];
}

/** @param most how many tasks are listed; the others are counted */
export function tasksOf(
  options: TaskOptions,
  { open, blockers }: Attended,
  most = TASKS,
): Cut<Task> {
  const deletions = blockers.filter(({ kind }) => kind === 'mass-deletion');
  const others = linesOfBlockers(blockers.filter(({ kind }) => kind !== 'mass-deletion'));
  const groups = [...Map.groupBy(uncoveredJobs(open, blockers), (job) => taskKey(job) ?? job.id)];
  groups.sort(([, a], [, b]) => b.length - a.length || bySource(a, b));
  const makers = [
    ...others.map((line) => () => blockerTask(options, line)),
    ...(deletions.length > 0 ? [() => deletionTask(options, linesOfBlockers(deletions))] : []),
    ...groups.map(
      ([key, jobs]) =>
        () =>
          jobsTask(options, { key, jobs }),
    ),
  ];
  const lines = makers.slice(0, most).flatMap((make) => make() ?? []);
  return { lines, total: makers.length };
}

function bySource([a]: readonly JobRecord[], [b]: readonly JobRecord[]): number {
  return (a?.source ?? '') < (b?.source ?? '') ? -1 : 1;
}

function blockerTask({ inForce }: TaskOptions, about: AttentionLine): Task {
  const { source, language, target, ...line } = about;
  const root = inForce.planner.project(about.project)?.root ?? '';
  const typed = target === '*' ? target : relative(inForce.config.base, join(root, target));
  return {
    ...line,
    next_step: line.next_step.replaceAll(` ${target}`, ` ${typed}`),
    ...{ action: 'none', attempts: 0, billed_characters: 0 },
    languages: language === '*' ? [] : language.split(' '),
    key: keyOfTask(line.code, line.project, source),
    file: target === '*' ? root : join(root, target),
    sources: { lines: [source], total: 1 },
  };
}

/** One decision counts for all of them, as with `approve --all`. */
function deletionTask(options: TaskOptions, lines: readonly AttentionLine[]): Task | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const reason = lines.map((line) => `${line.project}: ${line.reason}`).join('; ');
  const sources = {
    lines: lines.map(({ source }) => source).slice(0, SOURCES),
    total: lines.length,
  };
  return { ...blockerTask(options, first), key: DELETIONS, reason, action: 'approve', sources };
}

interface JobGroup {
  readonly key: string;
  readonly jobs: readonly JobRecord[];
}

function jobsTask({ inForce, sums }: TaskOptions, { key, jobs: own }: JobGroup): Task | undefined {
  // The reason of the first job is shown, beside the first sources by name.
  const jobs = own.toSorted((a, b) => (a.source < b.source ? -1 : a.source > b.source ? 1 : 0));
  const [first] = jobs;
  const line = first && attentionFor(first);
  if (first === undefined || line === undefined) return undefined;
  const { project, state, code } = line;
  const root = inForce.planner.project(project)?.root ?? '';
  const sources = [...new Set(jobs.map(({ source }) => source))].sort();
  return {
    ...{ key, project, state, code, action: actionFor(first) },
    reason: reasonOfTask(jobs, line.reason),
    next_step: nextStepOfTask(jobs, { line, base: inForce.config.base, root }),
    ...taskPrice(jobs),
    sources: { lines: sources.slice(0, SOURCES), total: sources.length },
    languages: [...new Set(jobs.map(({ language }) => language))].sort(),
    ...daemonsOf(jobs),
    file: join(root, targetList(first.targets)[0] ?? first.source),
    attempts: Math.max(
      ...jobs.map((job) => (job.state.kind === 'failed' ? job.state.attempts : 0)),
    ),
    billed_characters: sum(jobs.map(({ id }) => sums.forJob(id))),
  };
}

/** The daemons that jobs of a tree failed in: a disk or a network may be at fault only there. */
export function daemonsOf(jobs: readonly JobRecord[]): Pick<Task, 'daemons'> {
  const names = jobs.flatMap(({ state }) => (state.kind === 'failed' ? (state.daemon ?? []) : []));
  return names.length === 0 ? {} : { daemons: [...new Set(names)].sort() };
}

/** Files that a command names. */
const NAMED_FILES = 6;

interface TaskFolders {
  /** About the first job. */
  readonly line: Pick<AttentionLine, 'next_step'>;
  /** Folder of the config: people type commands there. */
  readonly base: string;
  /** Folder of the project. */
  readonly root: string;
}

/** The command is for all waiting languages, not only the first. It works in the folder of the config. */
export function nextStepOfTask(
  jobs: readonly JobRecord[],
  { line, base, root }: TaskFolders,
): string {
  const [first] = jobs;
  if (first?.state.kind !== 'held') return line.next_step;
  const sources = new Set(jobs.map(({ source }) => source));
  const files = jobs.map(({ targets, source }) =>
    relative(base, join(root, targetList(targets)[0] ?? source)),
  );
  const isMany = sources.size > 1 || files.length > NAMED_FILES;
  const named = isMany ? ANY_FILES : shellWords(...[...new Set(files)].sort());
  return adviceForHold(atPriceOfAll(first.state.hold, jobs), named);
}

/** The command buys for all jobs, so its price is that of all of them. */
function atPriceOfAll(hold: Hold, jobs: readonly JobRecord[]): Hold {
  const held = jobs.flatMap(({ project, source, state }) =>
    state.kind === 'held' ? [{ project, source, hold: state.hold }] : [],
  );
  const characters = held.flatMap((each) =>
    'characters' in each.hold ? (each.hold.characters ?? []) : [],
  );
  const sounds = held.flatMap(({ hold: each, ...of }) =>
    'seconds' in each && each.seconds !== undefined ? [{ ...of, length: each.seconds }] : [],
  );
  return {
    ...hold,
    ...(characters.length > 0 && { characters: sum(characters) }),
    ...(sounds.length > 0 && { seconds: soundOf(sounds) }),
  };
}

function taskPrice(jobs: readonly JobRecord[]): Pick<Task, 'price_characters' | 'price_seconds'> {
  const lines = jobs.flatMap((job) => attentionFor(job) ?? []);
  const priced = lines.flatMap(({ price_characters }) => price_characters ?? []);
  const sounds = lines.flatMap(({ price_seconds: length, ...line }) =>
    length === undefined ? [] : [{ ...line, length }],
  );
  return {
    price_characters: priced.length === 0 ? null : sum(priced),
    ...(sounds.length === 0 ? {} : { price_seconds: soundOf(sounds) }),
  };
}

/** @returns equal keys for jobs that are decided together; undefined for a job that needs no person */
export function taskKey(job: JobRecord): string | undefined {
  const { state, project } = job;
  switch (state.kind) {
    case 'failed':
      return keyOfTask('failed', project, reasonWithoutFiles(job, describeFailure(state.failure)));
    case 'held':
      return keyOfTask(state.hold.kind, ...whatIsHeld(job, state.hold));
    case 'queued':
    case 'running':
    case 'done':
      return undefined;
  }
}

/** A reason without the names of files, so that it is equal for all files with that fault. */
function reasonWithoutFiles({ source, targets }: JobRecord, reason: string): string {
  const files = [source, ...targetList(targets)].toSorted((a, b) => b.length - a.length);
  const named = (file: string) =>
    new RegExp(`(?<![\\p{L}\\p{N}_.-])${RegExp.escape(file)}(?![\\p{L}\\p{N}_-])(?::\\d+)*`, 'gu');
  // Most reasons name no file, and a pattern takes long to make: there may be thousands of jobs.
  const without = (text: string, file: string) =>
    text.includes(file) ? text.replaceAll(named(file), '…') : text;
  return files.reduce(without, reason);
}

function whatIsHeld({ id, project, source }: JobRecord, hold: Hold): string[] {
  switch (hold.kind) {
    case 'budget':
      return [project, hold.scope, hold.unit ?? '', hold.scope === 'file' ? source : ''];
    case 'guard':
      return [describeHold(hold)];
    case 'undone':
      return [project, describeHold(hold)];
    case 'approval':
      return [project, source];
    case 'conflict':
    case 'edited-target':
      return [id];
    case 'conflict-markers':
    case 'damaged-segments':
    case 'doubtful':
    case 'in-doubt':
    case 'incomplete':
    case 'lost-result':
    case 'mass-deletion':
    case 'not-fetched':
    case 'source-gone':
    case 'state-lost':
    case 'unsuitable':
      return [project, source, describeHold(hold)];
  }
}

function keyOfTask(...parts: readonly string[]): string {
  return parts.join('\n');
}

function actionFor({ state }: JobRecord): Task['action'] {
  if (state.kind === 'failed') return 'retry';
  return state.kind === 'held' ? actionForHold(state.hold) : 'none';
}

function actionForHold({ kind }: Hold): Task['action'] {
  switch (kind) {
    case 'approval':
    case 'budget':
    case 'doubtful':
    case 'guard':
    case 'mass-deletion':
      return 'approve';
    case 'conflict':
    case 'edited-target':
      return 'resolve';
    case 'damaged-segments':
    case 'in-doubt':
    case 'lost-result':
    case 'state-lost':
    case 'undone':
    case 'unsuitable':
      return 'retry';
    case 'conflict-markers':
    case 'incomplete':
    case 'not-fetched':
    case 'source-gone':
      return 'none';
  }
}

/** Why the jobs of one key wait; their needs of a budget are summed up. */
export function reasonOfTask(jobs: readonly JobRecord[], reason: string): string {
  const budgets = jobs.flatMap(({ project, source, state }) =>
    state.kind === 'held' && state.hold.kind === 'budget'
      ? [{ project, source, hold: state.hold, length: state.hold.needs }]
      : [],
  );
  const [first] = budgets;
  if (first === undefined || budgets.length === 1) return reason;
  const needs =
    first.hold.unit === 'minutes'
      ? soundOf(budgets)
      : budgets.reduce((sum, { hold }) => sum + hold.needs, 0);
  const left = Math.min(...budgets.map(({ hold }) => hold.left));
  return describeHold({ ...first.hold, needs, left });
}
