/** Collects blockers: asks every part why something that the config wants is missing. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unwrittenVariants } from '../config/lane-languages.ts';
import type { LackingLanguage } from '../config/language-checks.ts';
import type { Config } from '../config.ts';
import { describeFailure, type Failure, fullFolder } from '../failure.ts';
import type { GitOperation } from '../files/work-tree.ts';
import type { BlockedFile, SourceMonitor } from '../intake/source-monitor.ts';
import type { LockArrears } from '../jobs/lock-keeper.ts';
import { lostLockFiles } from '../jobs/lock-tidying.ts';
import type { World } from '../jobs/workspace.ts';
import type { LedgerView } from '../ledger.ts';
import type { InForce } from '../plan/in-force.ts';
import type { Project, Route } from '../project.ts';
import type { DescribedDamage } from '../state/damage.ts';
import { whyUnwritable } from '../state/lock-place.ts';
import type { TerminologyInForce } from '../sync/terminology-in-force.ts';
import type { LimitStatus } from './account.ts';
import type { Blocker } from './blockers.ts';
import { missingPaths } from './missing-paths.ts';

/** The missing parts of lock and state when the process began. */
export interface LockPresence {
  /** Files of the lock that are missing, although git or an earlier run had them. */
  readonly lost: readonly string[];
  /** There is a lock, or there was one, and this machine has delivered nothing in this checkout. */
  readonly isStateNew: boolean;
}

/**
 * Without a lock, a checkout that lost its state looks like a new one.
 * @param world a CI runner always starts without a state, so it gets no message that the state is new
 */
export async function lockPresenceOf(
  config: Config,
  ledger: Pick<LedgerView, 'all'>,
  world: Pick<World, 'isRunner'>,
): Promise<LockPresence> {
  const hasDelivered = [...ledger.all('jobs')].some(({ wrote }) => wrote.length > 0);
  const lost = await lostLockFiles(config);
  const hasLock = lost.length > 0 || (config.lock !== undefined && existsSync(config.lock));
  return { lost, isStateNew: hasLock && world.isRunner !== true && !hasDelivered };
}

/** Everything in which blockers are found. */
export interface BlockerSources {
  readonly inForce: InForce;
  readonly monitor: Pick<
    SourceMonitor,
    | 'unfinished'
    | 'changing'
    | 'empty'
    | 'unreadable'
    | 'notFollowed'
    | 'contested'
    | 'leftOut'
    | 'offline'
    | 'intake'
  >;
  readonly terminology: Pick<TerminologyInForce, 'refused' | 'behind' | 'unsent'>;
  /** Damage of the state folder. */
  readonly damage: readonly DescribedDamage[];
  /** The operation of git under way, and whether this is a daemon, which waits for it. */
  readonly git: { readonly operation: GitOperation | undefined; readonly isWaitedFor: boolean };
  readonly lock: LockPresence;
  readonly lockArrears: LockArrears | undefined;
  /** Why the lock cannot be read; absent: it can. */
  readonly lockDamage?: Failure | undefined;
  /** Limits of account and key that are nearly used up. */
  readonly limits: readonly LimitStatus[];
  readonly ledger: Pick<LedgerView, 'all'>;
  /** Whether jobs run at present: then the run itself reports why paid work stopped. */
  readonly isAtWork: boolean;
  /** The config file differs from the config in force. */
  readonly isConfigOutdated: boolean;
  /** A reload was refused. */
  readonly isConfigRefused: boolean;
}

export function findBlockers(sources: BlockerSources): Blocker[] {
  const { inForce, monitor, terminology, damage, git, lock, limits, ledger, isAtWork } = sources;
  const { config, planner } = inForce;
  const offline = monitor.offline();
  const refused = new Set(
    [
      ...[...monitor.unfinished(), ...monitor.changing()],
      ...[...monitor.empty(), ...monitor.unreadable()],
    ].map((file) => planner.routeOf(file.project, file.path)),
  );
  const isThere = ({ name }: Project) => !offline.some(({ project }) => project === name);
  return [
    ...damage.map((each): Blocker => ({ kind: 'state-damaged', ...each })),
    ...(sources.isConfigOutdated
      ? [{ kind: 'config-not-reloaded', isRefused: sources.isConfigRefused } as const]
      : []),
    ...blockersOfGit(git),
    ...blockersOfLock(lock),
    ...blockersOfArrears(sources),
    ...offline.map((root): Blocker => ({ kind: 'offline', ...root })),
    ...config.projects
      .filter(isThere)
      .flatMap((project) => blockersOfConfig(project, { ...inForce, refused })),
    ...[...planner.onlyForTexts()].map(
      ({ project: { name, source }, languages }): Blocker => ({
        kind: 'unwritten-language',
        ...{ project: name, source, languages, lanes: 'documents' },
      }),
    ),
    ...blockersOfFiles(inForce, monitor),
    ...config.projects.flatMap(({ name }) => collisionsIn(inForce, name)),
    ...monitor.intake.massDeletions().map(
      ({ project, gone, of }): Blocker => ({
        kind: 'mass-deletion',
        ...{ project, path: gone[0]?.path ?? '', files: gone.length, of },
      }),
    ),
    ...fullDisks(ledger),
    ...(isAtWork ? [] : stopsIn(ledger)),
    ...blockersOfTerminology(terminology),
    ...limits.map((limit): Blocker => ({ kind: 'limit-near', ...limit })),
  ];
}

function blockersOfFiles(inForce: InForce, monitor: BlockerSources['monitor']): Blocker[] {
  const isRouted = ({ project, path }: Pick<BlockedFile, 'project' | 'path'>) =>
    inForce.planner.routeOf(project, path);
  return [
    ...monitor.contested().map((file): Blocker => ({ kind: 'contested', ...file })),
    ...monitor
      .unreadable()
      .filter((file) => isWantedTarget(inForce, file))
      .map((file): Blocker => ({ kind: 'unreadable', ...file })),
    ...monitor.notFollowed().map((file): Blocker => ({ kind: 'not-followed', ...file })),
    ...monitor
      .unfinished()
      .filter(isRouted)
      .map((file): Blocker => ({ kind: 'incomplete', ...file })),
    ...monitor
      .changing()
      .filter(({ project, path }) => inForce.router.match(project, path).kind !== 'skipped')
      .map((file): Blocker => ({ kind: 'changing', ...file })),
    ...monitor
      .empty()
      .filter(isRouted)
      .map((file): Blocker => ({ kind: 'empty-source', ...file })),
    ...leftOutIn(inForce, monitor.leftOut()),
  ];
}

/** A target whose name cannot be written is not missing: it is written under another name. */
export function isWantedTarget(
  { router }: Pick<InForce, 'router'>,
  { project, path, advice }: BlockedFile,
): boolean {
  return advice === undefined || router.match(project, path).kind !== 'target';
}

/** One blocker for all files of a project with the same reason; a target that is a link has its own. */
function leftOutIn({ router }: InForce, files: ReturnType<SourceMonitor['leftOut']>): Blocker[] {
  const sources = files.filter(
    ({ project, path }) => router.match(project, path).kind !== 'target',
  );
  const groups = Map.groupBy(sources, ({ project, reason }) => `${project}\n${reason}`);
  return [...groups.values()].flatMap(([first, ...more]) =>
    first === undefined ? [] : [leftOut(first, more.length)],
  );
}

function leftOut(
  { project, path, reason, why }: ReturnType<SourceMonitor['leftOut']>[number],
  more: number,
): Blocker {
  return { kind: 'left-out', project, path, reason, why, more };
}

/** Git updates its index within a moment, so only a daemon has to know of it. */
function blockersOfGit({ operation, isWaitedFor }: BlockerSources['git']): Blocker[] {
  if (operation === undefined) return [];
  if (isWaitedFor) return [{ kind: 'git-busy', operation }];
  return operation === 'index update' ? [] : [{ kind: 'git-unfinished', operation }];
}

function blockersOfLock({ lost, isStateNew }: LockPresence): Blocker[] {
  return [
    ...(lost.length === 0 ? [] : [{ kind: 'lock-lost', files: lost } as const]),
    ...(isStateNew ? [{ kind: 'state-new' } as const] : []),
  ];
}

/** While jobs run, their lines are written later. A lost file of the lock is written again, where it can be. */
function blockersOfArrears(sources: BlockerSources): Blocker[] {
  const { lock, lockArrears, lockDamage, isAtWork, inForce } = sources;
  if (lockDamage !== undefined) return [{ kind: 'lock-damaged', failure: lockDamage }];
  const failure = lockArrears?.failure ?? whyLost(inForce.config, lock.lost);
  const jobs = lockArrears?.jobs ?? 0;
  if (failure !== undefined) return [{ kind: 'lock-behind', jobs, failure }];
  return lockArrears === undefined || isAtWork ? [] : [{ kind: 'lock-behind', ...lockArrears }];
}

/** Why files of the lock that are missing cannot be written again; undefined: they can. @param lost below the folder of the config */
function whyLost({ lock, base }: Config, lost: readonly string[]): Failure | undefined {
  if (lock === undefined) return undefined;
  for (const path of lost) {
    const failure = whyUnwritable(lock, join(base, path));
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** `refused`: routes with a file that cannot be taken yet, which a blocker of its own reports. */
interface RoutesInForce extends Pick<InForce, 'router' | 'planner'> {
  readonly refused: ReadonlySet<Route | undefined>;
}

function blockersOfConfig(
  project: Project,
  { router, planner, refused }: RoutesInForce,
): Blocker[] {
  const missing = missingPaths(project, router);
  const isMissing = (route: Route) => missing.some(({ route: { index } }) => index === route.index);
  return [
    ...missing,
    ...planner
      .emptyRoutes(project)
      .filter((route) => !isMissing(route) && !refused.has(route))
      .map((route): Blocker => ({ kind: 'empty-route', project: project.name, route })),
    ...languagesWithoutWriting(project),
    ...lackingBlockers(project, planner.lackingIn(project)),
  ];
}

/** Languages that are variants of the source language, and into which nothing can be converted. */
export function languagesWithoutWriting(project: Project): Extract<Blocker, { lanes: string }>[] {
  const languages = unwrittenVariants(project);
  if (languages.length === 0) return [];
  const { name, source } = project;
  return [{ kind: 'unwritten-language', project: name, source, languages, lanes: 'all' }];
}

/** Languages for which the service lacks something. */
export function lackingBlockers(
  { name: project }: Project,
  lacking: readonly LackingLanguage[],
): Blocker[] {
  return lacking.map((each): Blocker => ({ kind: 'lacking-language', project, ...each }));
}

function collisionsIn({ planner }: InForce, project: string): Blocker[] {
  return planner
    .collisions(project)
    .flatMap(({ target, sources, message: reason }) =>
      sources.map((source): Blocker => ({ kind: 'collision', project, source, target, reason })),
    );
}

function fullDisks(ledger: Pick<LedgerView, 'all'>): Blocker[] {
  const waiting = new Map<string, { project: string; folder: string; jobs: number }>();
  for (const { project, state } of ledger.all('jobs')) {
    if (state.kind !== 'running' || state.waitsFor === undefined) continue;
    const folder = fullFolder(state.waitsFor);
    const key = `${project}\n${folder}`;
    const jobs = (waiting.get(key)?.jobs ?? 0) + 1;
    waiting.set(key, { project, folder, jobs });
  }
  return [...waiting.values()].map((each) => ({ kind: 'disk-full', ...each }));
}

/** One for each reason: all jobs of a run have the same. */
function stopsIn(ledger: Pick<LedgerView, 'all'>): Blocker[] {
  const stops = new Map<string, Blocker>();
  for (const { state } of ledger.all('jobs')) {
    if (state.kind !== 'queued' || state.stoppedBy === undefined) continue;
    const failure = state.stoppedBy;
    stops.set(describeFailure(failure), { kind: 'paid-work-stopped', failure });
  }
  return [...stops.values()];
}

function blockersOfTerminology(terminology: BlockerSources['terminology']): Blocker[] {
  return [
    ...terminology.refused.map((each): Blocker => ({ kind: 'terminology-refused', ...each })),
    ...terminology.behind().map((each): Blocker => ({ kind: 'terminology-behind', ...each })),
    ...terminology.unsent().map((each): Blocker => ({ kind: 'terminology-unsent', ...each })),
  ];
}
