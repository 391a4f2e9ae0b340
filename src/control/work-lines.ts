/** Work in progress, one line for each file, and the last deliveries. Pure. */
import { join } from 'node:path';
import { targetList } from '../job.ts';
import type { JobRecord } from '../ledger.ts';
import type { Cut, DeliveredLine, RunningLine, WorkLine } from './report.ts';

const FILES = 12;
const DELIVERED = 8;

/** Files with the most languages in progress come first. @param all jobs in any state */
export function workLines(all: readonly JobRecord[]): Cut<WorkLine> {
  const running = Map.groupBy(
    all.filter(({ state }) => state.kind === 'running'),
    sourceKey,
  );
  const ofFiles = Map.groupBy(
    all.filter((job) => running.has(sourceKey(job))),
    sourceKey,
  );
  const groups = [...running].toSorted(([, a], [, b]) => b.length - a.length);
  const beside = Map.groupBy(groups, ([, [first]]) => first?.lane);
  const lines = groups.slice(0, FILES).flatMap(([file, jobs]) => {
    const [first] = jobs;
    const every = ofFiles.get(file) ?? [];
    if (first === undefined) return [];
    const { project, source, lane } = first;
    const open = every.filter(({ state }) => state.kind === 'running' || state.kind === 'queued');
    return [
      {
        ...{ project, source, lane },
        languages: { done: every.length - open.length, total: every.length },
        beside: beside.get(lane)?.length ?? 1,
        running: jobs.map(runningLine),
      },
    ];
  });
  return { lines, total: groups.length };
}

function sourceKey({ project, source }: JobRecord): string {
  return `${project}\n${source}`;
}

function runningLine({ language, state }: JobRecord): RunningLine {
  const attempt = state.kind === 'running' ? Math.max(1, state.attempt) : 1;
  return { language, phase: phaseOf(state), attempt };
}

function phaseOf(state: JobRecord['state']): RunningLine['phase'] {
  if (state.kind !== 'running') return 'working';
  if (state.notBefore !== undefined) return 'waiting';
  return state.step.kind === 'publishing' ? 'publishing' : 'working';
}

/** The newest first. @param rootOf absolute root of a project */
export function deliveredLines(
  all: readonly JobRecord[],
  rootOf: (project: string) => string | undefined,
): DeliveredLine[] {
  const newest: { readonly at: string; readonly job: JobRecord }[] = [];
  for (const job of all) {
    if (job.state.kind !== 'done') continue;
    const { at } = job.state;
    const last = newest[DELIVERED - 1];
    if (last !== undefined && last.at >= at) continue;
    newest.push({ at, job });
    newest.sort((a, b) => (a.at > b.at ? -1 : 1));
    newest.length = Math.min(newest.length, DELIVERED);
  }
  return newest.map(({ at, job: { project, source, language, targets } }) => {
    const target = targetList(targets)[0] ?? source;
    return { project, source, language, target, file: join(rootOf(project) ?? '', target), at };
  });
}
