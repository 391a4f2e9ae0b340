/** Which sums of a team a budget of the config limits: those of a month, for all projects and for one. Pure. */
import type { Budget } from '../project.ts';
import type { SharedLimit } from '../state/funds.ts';
import type { Period } from './budget.ts';
import type { Limits } from './budget-scope.ts';

const SECONDS_PER_MINUTE = 60;

export function sharedLimits(
  { overall, projects }: Limits,
  period: Period,
  project: string,
): readonly SharedLimit[] {
  const own = projects.get(project);
  return [
    ...limitsOf(overall, period, null),
    ...(own === undefined ? [] : limitsOf(own, period, project)),
  ];
}

/** What stays with a process: a run and a file are its own. */
export function ownLimits({ overall, projects }: Limits): Limits {
  const own = ({ month: _month, voiceMinutes: _minutes, ...rest }: Budget): Budget => rest;
  return {
    overall: own(overall),
    projects: new Map([...projects].map(([name, budget]) => [name, own(budget)])),
  };
}

function limitsOf(budget: Budget, period: Period, project: string | null): SharedLimit[] {
  const [starts, ends] = [period.start, period.end].map((time) => new Date(time).toISOString()) as [
    string,
    string,
  ];
  const scope = project === null ? ('month' as const) : ('project' as const);
  const limited = (unit: SharedLimit['unit'], limit: number | undefined): SharedLimit[] => {
    if (limit === undefined) return [];
    const key = JSON.stringify([unit, project, starts, ends]);
    const max = budget.onExceed === 'warn' ? null : limit;
    return [{ key, project, unit, starts, ends, max, limit, scope }];
  };
  const seconds =
    budget.voiceMinutes === undefined ? undefined : budget.voiceMinutes * SECONDS_PER_MINUTE;
  return [...limited('characters', budget.month), ...limited('seconds', seconds)];
}
