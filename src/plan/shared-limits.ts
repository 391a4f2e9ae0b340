/** Which sums of a team the budgets of the config limit: in a month, for all projects, for one project, and for one login. Pure. */
import type { Budget } from '../project.ts';
import type { SharedLimit } from '../state/funds.ts';
import type { Period } from './budget.ts';
import { type BudgetLimits, SECONDS_PER_MINUTE } from './budget-scope.ts';

interface Spender {
  readonly project: string;
  /** Login at the database. */
  readonly login: string;
}

export function sharedLimits(
  { overall, projects }: BudgetLimits,
  period: Period,
  { project, login }: Spender,
): readonly SharedLimit[] {
  const own = projects.get(project);
  return [
    ...limitsOf(overall, period, null),
    ...runnerLimits(overall, period, login),
    ...(own === undefined ? [] : limitsOf(own, period, project)),
  ];
}

/** The limits that each process checks by itself: those for a run and for a file. */
export function ownLimits({ overall, projects }: BudgetLimits): BudgetLimits {
  const own = ({ month: _month, voiceMinutes: _minutes, ...rest }: Budget): Budget => rest;
  return {
    overall: own(overall),
    projects: new Map([...projects].map(([name, budget]) => [name, own(budget)])),
  };
}

function limitsOf(budget: Budget, period: Period, project: string | null): SharedLimit[] {
  const { starts, ends } = writtenPeriod(period);
  const scope = project === null ? ('month' as const) : ('project' as const);
  const limited = (unit: SharedLimit['unit'], limit: number | undefined): SharedLimit[] => {
    if (limit === undefined) return [];
    const key = JSON.stringify([unit, project, starts, ends]);
    const max = maxOf(budget, limit);
    return [{ key, project, login: null, unit, starts, ends, max, limit, scope }];
  };
  const seconds =
    budget.voiceMinutes === undefined ? undefined : budget.voiceMinutes * SECONDS_PER_MINUTE;
  return [...limited('characters', budget.month), ...limited('seconds', seconds)];
}

function runnerLimits(budget: Budget, period: Period, login: string): SharedLimit[] {
  const { runner: limit } = budget;
  if (limit === undefined) return [];
  const { starts, ends } = writtenPeriod(period);
  const [unit, scope] = ['characters', 'runner'] as const;
  const key = JSON.stringify([unit, null, starts, ends, login]);
  const max = maxOf(budget, limit);
  return [{ key, project: null, login, unit, starts, ends, max, limit, scope }];
}

function maxOf({ onExceed }: Budget, limit: number): number | null {
  return onExceed === 'warn' ? null : limit;
}

function writtenPeriod({ start, end }: Period): Pick<SharedLimit, 'starts' | 'ends'> {
  return { starts: new Date(start).toISOString(), ends: new Date(end).toISOString() };
}
