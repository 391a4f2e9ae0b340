/** Which budgets of the config limit an amount, and the sums that they limit. Pure. */

import type { BudgetHold, SourceId } from '../job.ts';
import type { Budget } from '../project.ts';

export interface BudgetLimits {
  readonly overall: Budget;
  readonly projects: ReadonlyMap<string, Budget>;
}

/** The amount that a job wants to spend. */
export interface SpendingRequest {
  readonly project: string;
  readonly source: SourceId;
  /** Unicode code points expected to be billed. */
  readonly characters: number;
  /** Seconds of audio. */
  readonly seconds?: number;
}

/** One budget of the config, and the sum that it limits. */
export interface BudgetScope {
  readonly scope: BudgetHold['scope'];
  readonly project?: string;
  readonly key: string;
  readonly unit: 'characters' | 'minutes';
  /** The sum divided by this is in the unit of the budget. */
  readonly divisor: number;
  readonly limit: number;
  readonly onExceed: Budget['onExceed'];
}

export const SECONDS_PER_MINUTE = 60;

/** The budgets that limit an amount: budgets of all projects together, and budgets of its project. */
export function scopesOf(
  { project, source }: SpendingRequest,
  { overall, projects }: BudgetLimits,
): readonly BudgetScope[] {
  const own = projects.get(project);
  return [
    ...scopesOfBudget(overall, {
      month: 'month',
      run: 'run',
      file: `file ${source}`,
      voice: 'voice',
    }),
    ...(own === undefined
      ? []
      : scopesOfBudget(own, {
          project,
          month: `month ${project}`,
          run: `run ${project}`,
          file: `file ${source}`,
          voice: `voice ${project}`,
        })),
  ];
}

interface Keys {
  readonly project?: string;
  readonly month: string;
  readonly run: string;
  readonly file: string;
  readonly voice: string;
}

function scopesOfBudget(budget: Budget, { project, ...keys }: Keys): BudgetScope[] {
  const monthly = project === undefined ? 'month' : 'project';
  const common = { onExceed: budget.onExceed, ...(project === undefined ? {} : { project }) };
  const characters = { ...common, unit: 'characters' as const, divisor: 1 };
  const minutes = { ...common, unit: 'minutes' as const, divisor: SECONDS_PER_MINUTE };
  const candidates = [
    { ...characters, scope: monthly, key: keys.month, limit: budget.month },
    { ...characters, scope: 'run' as const, key: keys.run, limit: budget.run },
    { ...characters, scope: 'file' as const, key: keys.file, limit: budget.file },
    { ...minutes, scope: monthly, key: keys.voice, limit: budget.voiceMinutes },
  ] as const;
  return candidates.flatMap(({ limit, ...scope }) =>
    limit === undefined ? [] : [{ ...scope, limit }],
  );
}

/** By the key of each sum, what the amount adds to it. */
export function amountsOf({
  project,
  source,
  characters,
  seconds = 0,
}: SpendingRequest): [string, number][] {
  return [
    ['month', characters],
    [`month ${project}`, characters],
    ['run', characters],
    [`run ${project}`, characters],
    [`file ${source}`, characters],
    ['voice', seconds],
    [`voice ${project}`, seconds],
  ];
}
