/** The answers of a daemon that shares its tree: a worker leaves most of them to the leader, and without the database there are few. */
import type { Clock } from '../clock.ts';
import { JobFailure } from '../failure.ts';
import type { Team } from '../state/team.ts';
import type { Tree } from '../state/tree.ts';
import { ANSWERED_BY, type Control, type ControlMethod, METHODS } from './control.ts';
import { treeReport } from './tree-report.ts';

export interface TreeControlOptions {
  readonly tree: Pick<Tree, 'name' | 'daemons'>;
  readonly team: Pick<Team, 'status'>;
  readonly clock: Clock;
}

/** Milliseconds between looks whether the database still answers. */
const LOOK_MS = 200;

/** Refuses, with exit code 75, what only the leading daemon can answer. Links are those of this daemon: they are listed and revoked here. @throws JobFailure `team-state`, `taken`, `unled` or `away` */
export function workerControl(own: Control, { tree, team }: TreeControlOptions): Control {
  const refuse = async () => {
    const { name, leader } = await treeReport(tree);
    refuseAway(team);
    const works = `this daemon works for ${leader === null ? `the tree "${name}"` : 'it'}`;
    const { host } = team.status();
    throw new JobFailure(
      leader === null
        ? { kind: 'team-state', problem: 'unled', host, message: works }
        : {
            ...{ kind: 'team-state', problem: 'taken', host },
            message: `${leader} leads the tree "${name}", and ${works}`,
          },
    );
  };
  return {
    ...controlOf((method) => (ANSWERED_BY[method] === 'each daemon' ? own[method] : refuse)),
    reviewLinks: async (request) =>
      request.act === 'make' ? await refuse() : await own.reviewLinks(request),
  };
}

/**
 * Refuses a command that would wait for a database that is away (exit code 75): the records of the tree are in that database. A change
 * that is under way when the database goes away is made when it is back. @throws JobFailure `team-state`, `away`
 */
export function leaderControl(own: Control, options: TreeControlOptions): Control {
  return controlOf((method) => {
    if (ANSWERED_BY[method] !== 'leader') return own[method];
    const ask = own[method] as (...asked: readonly unknown[]) => Promise<unknown>;
    return async (...asked: readonly unknown[]) =>
      await whileAnswered(options, () => ask(...asked));
  });
}

/** @throws JobFailure `team-state`, `away`, also when the database goes away before `work` is done */
export async function whileAnswered<T>(
  { team, clock }: Pick<TreeControlOptions, 'team' | 'clock'>,
  work: () => Promise<T>,
): Promise<T> {
  refuseAway(team);
  const over = new AbortController();
  const away = async (): Promise<never> => {
    for (;;) {
      await clock.sleep(LOOK_MS, over.signal);
      refuseAway(team);
    }
  };
  try {
    return await Promise.race([work(), away()]);
  } finally {
    over.abort();
  }
}

/** Whether the database does not answer. A database that lacks charges answers, too. */
export function isAway(team: Pick<Team, 'status'> | undefined): boolean {
  const away = team?.status().away;
  return away !== undefined && away.isForgetful !== true;
}

function refuseAway(team: Pick<Team, 'status'>): void {
  if (!isAway(team)) return;
  const { host, away } = team.status();
  const message = away?.reason ?? '';
  throw new JobFailure({ kind: 'team-state', problem: 'away', host, message });
}

type Answers = (...asked: readonly unknown[]) => unknown;

function controlOf(
  answering: (method: ControlMethod) => Control[ControlMethod] | Answers,
): Control {
  return Object.fromEntries(
    METHODS.map((method) => [method, answering(method)]),
  ) as unknown as Control;
}
