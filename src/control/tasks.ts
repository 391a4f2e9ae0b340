/** What needs a person, for the page: one task for everything that is decided together; what keeps most from going on comes first. */
import { join } from 'node:path';
import { adviceForHold, targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import { attentionFor } from './attention.ts';
import { soundOf } from './audio.ts';
import type { LocalControlOptions } from './options.ts';
import { type AttentionLine, type Cut, DELETIONS, type Task } from './report.ts';
import type { Sums } from './running-books.ts';
import { actionFor, reasonOfTask, taskKey } from './task.ts';

export interface TaskOptions extends Pick<LocalControlOptions, 'blockers' | 'inForce'> {
  readonly books: Pick<Sums, 'forJob'>;
}

const TASKS = 50;
/** Sources that a task names; the others it counts. */
const SOURCES = 5;

/**
 * @param open jobs that are held or failed
 * @param most how many tasks are told, the others are counted
 */
export function tasksOf(options: TaskOptions, open: readonly JobRecord[], most = TASKS): Cut<Task> {
  const { collisions, unfinished, deletions } = options.blockers();
  const groups = [...Map.groupBy(open, (job) => taskKey(job) ?? job.id)];
  groups.sort(([, a], [, b]) => b.length - a.length || bySource(a, b));
  const makers = [
    ...collisions.map((line, nth) => () => blockerTask(line, `collision ${nth}`)),
    ...unfinished.map((line, nth) => () => blockerTask(line, `unfinished ${nth}`)),
    ...(deletions.length > 0 ? [() => deletionTask(deletions)] : []),
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

function blockerTask({ source, language: _, target, ...line }: AttentionLine, key: string): Task {
  return {
    ...line,
    ...{ key, file: target, action: 'none', attempts: 0, billed_characters: 0, languages: [] },
    sources: { lines: [source], total: 1 },
  };
}

/** One yes is for all of them, as `approve --all` is. */
function deletionTask(lines: readonly AttentionLine[]): Task | undefined {
  const [first] = lines;
  if (first === undefined) return undefined;
  const reason = lines.map((line) => `${line.project}: ${line.reason}`).join('; ');
  const sources = {
    lines: lines.map(({ source }) => source).slice(0, SOURCES),
    total: lines.length,
  };
  return { ...blockerTask(first, DELETIONS), reason, action: 'approve', sources };
}

interface Group {
  readonly key: string;
  readonly jobs: readonly JobRecord[];
}

function jobsTask({ inForce, books }: TaskOptions, { key, jobs }: Group): Task | undefined {
  const [first] = jobs;
  const line = first && attentionFor(first);
  if (first === undefined || line === undefined) return undefined;
  const { project, state } = line;
  const root = inForce.planner.project(project)?.root ?? '';
  const sources = [...new Set(jobs.map(({ source }) => source))].sort();
  return {
    ...{ key, project, state, action: actionFor(first) },
    reason: reasonOfTask(jobs, line.reason),
    next_step: nextStep(first, { line, sources: sources.length }),
    ...priceOf(jobs),
    sources: { lines: sources.slice(0, SOURCES), total: sources.length },
    languages: [...new Set(jobs.map(({ language }) => language))].sort(),
    file: join(root, targetList(first.targets)[0] ?? first.source),
    attempts: Math.max(
      ...jobs.map((job) => (job.state.kind === 'failed' ? job.state.attempts : 0)),
    ),
    billed_characters: sum(jobs.map(({ id }) => books.forJob(id))),
  };
}

function nextStep(
  { state }: JobRecord,
  { line, sources }: { line: AttentionLine; sources: number },
): string {
  return sources > 1 && state.kind === 'held' ? adviceForHold(state.hold, 'FILE…') : line.next_step;
}

function priceOf(jobs: readonly JobRecord[]): Pick<Task, 'price_characters' | 'price_seconds'> {
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

function sum(figures: readonly number[]): number {
  return figures.reduce((total, figure) => total + figure, 0);
}
