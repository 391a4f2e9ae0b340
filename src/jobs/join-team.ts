/** Joins the team whose database a config names; what happens while that is away at the start, the command decides. */
import { type Clock, isoTime } from '../clock.ts';
import { SecretMissing, type SecretPlaces } from '../config/load-secret.ts';
import { readTeamKey, readTeamUrl } from '../config/load-team-url.ts';
import type { Config, TeamConfig } from '../config.ts';
import type { Events } from '../event.ts';
import { describeFailure, failureOf, JobFailure } from '../failure.ts';
import { ownRate } from '../service/rate.ts';
import { awaitedTeam } from '../state/awaited-team.ts';
import type { Books } from '../state/books.ts';
import type { TeamOptions } from '../state/postgres/open-team.ts';
import { noteAlone, type Team, type TeamStatus } from '../state/team.ts';

/**
 * `goes-on`: what needs no money is done, and the rest waits; it is for a daemon. `looks`: the command is answered as if nothing
 * were known of the team, and what needs the team is refused.
 */
export type WithoutTeam = 'goes-on' | 'looks';

interface Surroundings {
  readonly clock: Clock;
  readonly events: Events;
  readonly secrets: SecretPlaces;
}

export interface JoinOptions {
  readonly config: Config;
  readonly world: Surroundings;
  /** Milliseconds after which a database that is away is given up; absent: never. */
  readonly patienceMs?: number;
  /** Absent: it is waited for. */
  readonly withoutTeam?: WithoutTeam;
  /** The process is asked to end: a database that is away is not waited for any longer. */
  readonly ending?: AbortSignal;
  /** ISO 8601: what was bought before is bought again; undefined: nothing is. */
  readonly since: string | undefined;
  /** Of the folder. */
  readonly books: Books;
  /** Of the service. */
  key(): Promise<string>;
}

/** @throws JobFailure `team-state` */
export async function joinTeam(options: JoinOptions): Promise<Team | undefined> {
  const { team } = options.config;
  if (team === undefined) {
    await noteAlone(options.config.state);
    return undefined;
  }
  // Without its ledger nothing of a tree is known: the database is needed.
  const { withoutTeam } = options;
  if (team.tree !== undefined) {
    const firstPatienceMs = withoutTeam === 'looks' ? 0 : undefined;
    return await open(options, {
      ...{ team, ending: options.ending },
      ...(firstPatienceMs !== undefined && { firstPatienceMs }),
    });
  }
  switch (withoutTeam) {
    case 'looks':
      return await lookAtTeam(options, team);
    case 'goes-on':
      return await awaitTeam(options, team);
    case undefined:
      return await open(options, { team, ending: options.ending });
  }
}

async function lookAtTeam(options: JoinOptions, team: TeamConfig): Promise<Team> {
  try {
    return await open(options, { team, ending: options.ending, firstPatienceMs: 0 });
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

/** Away, or somebody looks who has no login: a runner of CI for a branch of strangers has no secrets. */
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
  const opened = open(options, { team, ending, isAway });
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

interface Opening extends Pick<TeamOptions, 'ending' | 'firstPatienceMs'> {
  readonly team: TeamConfig;
  /** Hears that it does not answer. */
  isAway?(host: string, reason: string): void;
}

async function open(options: JoinOptions, { team, isAway, ...asked }: Opening): Promise<Team> {
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
    onRefused: (message) => events.emit({ kind: 'team-state-refuses', message }),
  });
}
