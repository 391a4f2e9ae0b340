/** Joins the team whose database a config names. The command decides what happens when the database is away at the start. */
import { isoTime } from '../clock.ts';
import { SecretMissing } from '../config/load-secret.ts';
import { readTeamKey, readTeamUrl } from '../config/load-team-url.ts';
import type { Config, TeamConfig } from '../config.ts';
import { describeFailure, failureOf, JobFailure } from '../failure.ts';
import { ownRate } from '../service/rate.ts';
import { awaitedTeam } from '../state/awaited-team.ts';
import type { Books } from '../state/books.ts';
import type { TeamOptions } from '../state/postgres/open-team.ts';
import { recordAlone, type Team, type TeamStatus } from '../state/team.ts';
import type { ProcessWorld } from './connect-service.ts';

/**
 * `goes-on` (for a daemon): it does what bills nothing, and the rest waits. `looks`: the command answers without the state of the
 * team, and refuses what needs the team.
 */
export type WithoutTeam = 'goes-on' | 'looks';

export interface JoinOptions {
  readonly config: Config;
  readonly world: Pick<ProcessWorld, 'clock' | 'events' | 'secrets'>;
  /** Milliseconds after which a database that is away is given up; absent: never. */
  readonly patienceMs?: number;
  /** Absent: the command waits for the database. */
  readonly withoutTeam?: WithoutTeam;
  /** Aborted when the process must end: it no longer waits for a database that is away. */
  readonly ending?: AbortSignal;
  /** ISO 8601: translations that were bought earlier are bought again; undefined: none are. */
  readonly since: string | undefined;
  /** The books of the state folder. */
  readonly books: Books;
  /** The key of the service. */
  key(): Promise<string>;
}

/** @throws JobFailure `team-state` */
export async function joinTeam(options: JoinOptions): Promise<Team | undefined> {
  const { team } = options.config;
  if (team === undefined) {
    await recordAlone(options.config.state);
    return undefined;
  }
  // The ledger of a tree is in the database: nothing works without it.
  const { withoutTeam } = options;
  if (team.tree !== undefined) {
    const firstPatienceMs = withoutTeam === 'looks' ? 0 : undefined;
    return await openWithPatience(options, {
      ...{ team, ending: options.ending },
      ...(firstPatienceMs !== undefined && { firstPatienceMs }),
    });
  }
  if (withoutTeam === undefined) {
    return await openWithPatience(options, { team, ending: options.ending });
  }
  switch (withoutTeam) {
    case 'looks':
      return await lookAtTeam(options, team);
    case 'goes-on':
      return await awaitTeam(options, team);
  }
}

async function lookAtTeam(options: JoinOptions, team: TeamConfig): Promise<Team> {
  try {
    return await openWithPatience(options, { team, ending: options.ending, firstPatienceMs: 0 });
  } catch (error) {
    const failure = failureOf(error);
    if (failure.kind !== 'team-state' || !isOutOfReach(error)) throw error;
    const { host, message: reason } = failure;
    const status = { host, away: { since: isoTime(options.world.clock), reason }, waiting: 0 };
    return awaitedTeam({
      ...ownHalf(options),
      opened: Promise.reject(error),
      meanwhile: 'without',
      login: '',
      status: () => status,
      giveUp: () => {},
    });
  }
}

/** Whether the database is away, or this process has no login: CI for a branch from a fork has no secrets. */
function isOutOfReach(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure.kind !== 'team-state') return false;
  return failure.problem === 'away' || (error as Error).cause instanceof SecretMissing;
}

async function awaitTeam(options: JoinOptions, team: TeamConfig): Promise<Team> {
  const { clock, events } = options.world;
  const url = await readTeamUrl(team, options.world.secrets);
  const givenUp = new AbortController();
  const noted = Promise.withResolvers<void>();
  let status: TeamStatus | undefined;
  const isAway = (host: string, reason: string) => {
    status ??= { host, away: { since: isoTime(clock), reason }, waiting: 0 };
    noted.resolve();
  };
  const ending = AbortSignal.any([givenUp.signal, ...(options.ending ? [options.ending] : [])]);
  const opened = openWithPatience(options, { team, ending, isAway });
  opened.catch((error: unknown) => {
    const failure = failureOf(error);
    if (status === undefined || ending.aborted || failure.kind !== 'team-state') return;
    const reason = describeFailure(failure);
    status = { ...status, away: { since: isoTime(clock), reason } };
    events.emit({ kind: 'team-state-away', host: failure.host, reason });
  });
  await Promise.race([opened, noted.promise]);
  if (status === undefined) return await opened;
  const known = status;
  return awaitedTeam({
    ...ownHalf(options),
    opened,
    meanwhile: 'wait',
    login: decodeURIComponent(new URL(url).username),
    status: () => status ?? known,
    giveUp: () => givenUp.abort(new JobFailure({ kind: 'stopped' })),
  });
}

function ownHalf({ config, world, books }: JoinOptions) {
  const { clock } = world;
  const perSecond = config.service.rate?.perSecond;
  return { books, clock, rate: perSecond === undefined ? undefined : ownRate(perSecond, clock) };
}

interface TeamOpening extends Pick<TeamOptions, 'ending' | 'firstPatienceMs'> {
  readonly team: TeamConfig;
  /** Called when the database does not answer. */
  isAway?(host: string, reason: string): void;
}

async function openWithPatience(
  options: JoinOptions,
  { team, isAway, ...asked }: TeamOpening,
): Promise<Team> {
  const { config, world, since, patienceMs = Number.POSITIVE_INFINITY } = options;
  const { clock, events } = world;
  const { openTeam } = await import('../state/postgres/open-team.ts');
  return await openTeam({
    ...asked,
    url: await readTeamUrl(team, world.secrets),
    schema: team.schema,
    key: await readTeamKey(team, world.secrets),
    folder: config.state,
    clock,
    patienceMs,
    since,
    isDaemon: options.withoutTeam === 'goes-on',
    projects: config.projects.map(({ name }) => name),
    keepPaidMs: config.keep.backup,
    service: {
      url: config.service.url,
      key: await options.key().catch(() => undefined),
      perSecond: config.service.rate?.perSecond,
    },
    onAway: (host, reason) => {
      events.emit({ kind: 'team-state-away', host, reason });
      isAway?.(host, reason);
    },
    onBack: (host) => events.emit({ kind: 'team-state-back', host }),
    onGivenUp: ({ name: runner, requests, characters }) =>
      events.emit({ kind: 'runner-given-up', runner, requests, characters }),
    onTaken: (tree, by) => events.emit({ kind: 'tree-taken', tree, by }),
    onLead: (tree, epoch) => events.emit({ kind: 'tree-led', tree, epoch }),
    onTroubles: (tree, troubles) => events.emit({ kind: 'tree-troubles', tree, troubles }),
    onRefused: (message) => events.emit({ kind: 'team-state-refuses', message }),
  });
}
