/**
 * Opens all that is needed to work on a config: lock of the state folder, ledger, memories, baselines, service. Dispose closes
 * it in reverse order.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Baselines } from '../baseline.ts';
import { LanguageSupport } from '../config/load-language-support.ts';
import { sharedSettings } from '../config/shared-settings.ts';
import { spoolOf, type TreeConfig } from '../config.ts';
import type { Events } from '../event.ts';
import { JobFailure } from '../failure.ts';
import type { StateLock } from '../files/exclusive.ts';
import { Mutex } from '../files/mutex.ts';
import { refuseNetwork } from '../files/network.ts';
import { type Reservations, UNSHARED } from '../files/reservations.ts';
import { ALONE, type Right } from '../files/right.ts';
import { removeForeignTemps } from '../files/temporary.ts';
import { type Routed, rootsFor } from '../intake/heirs.ts';
import type { Ledger } from '../ledger.ts';
import type { Service } from '../service/client.ts';
import { VERSION } from '../service/version.ts';
import { Backups } from '../state/backup.ts';
import { openBaselines } from '../state/baseline.ts';
import { BookedLedger } from '../state/booked-ledger.ts';
import { LedgerBooks } from '../state/books/ledger-books.ts';
import { type Books, NO_BOOKS } from '../state/books.ts';
import { isPushedTo, requireWhole } from '../state/copies.ts';
import { holdState } from '../state/damage.ts';
import { EditLog } from '../state/edit-log.ts';
import { openLedger } from '../state/json-ledger.ts';
import { recordLeft } from '../state/left-files.ts';
import { LeftTexts } from '../state/left-texts.ts';
import { LockFiles } from '../state/lock-file.ts';
import { FolderMemories } from '../state/memories/folder.ts';
import type { Memories } from '../state/memory.ts';
import { copySeen } from '../state/postgres/seen.ts';
import { hasLedger } from '../state/recovery.ts';
import { ReviewLinks } from '../state/review-links.ts';
import type { Team } from '../state/team.ts';
import type { Till } from '../state/till.ts';
import { LedgerTill } from '../state/tills/ledger-till.ts';
import { Trash, trashFolders } from '../state/trash.ts';
import type { Extent, Role, Tree, TreeEntry } from '../state/tree.ts';
import { UndoLog } from '../state/undo-log.ts';
import type { Terminology } from '../terminology/project-terms.ts';
import { Drafts } from '../translate/drafts.ts';
import { connectService, type ProcessWorld, serviceKeyOf } from './connect-service.ts';
import { joinTeam, type WithoutTeam } from './join-team.ts';

export interface World extends ProcessWorld {
  /** A process of CI: it starts without a state every time. */
  readonly isRunner?: true;
}

export interface Workspace extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly memories: Memories;
  readonly till: Till;
  readonly books: Books;
  /** Absent: the config names no database. */
  readonly team?: Team;
  /** Absent: the config names no tree, and no other daemon uses the sources, jobs and queue. */
  readonly tree?: Tree;
  readonly baselines: Baselines;
  readonly left: LeftTexts;
  readonly drafts: Drafts;
  readonly trash: Trash;
  /** The right to change files without a claim. */
  readonly right: Right;
  /** A mutex for each job, for everybody who writes, moves or removes its targets. */
  readonly publications: Mutex;
  /** A mutex for each target, by its absolute path: saves of people and jobs that they overtook take turns. */
  readonly writers: Mutex;
  /** For each replacement of a target whose texts several jobs or people write. */
  readonly reservations: Reservations;
  readonly undo: UndoLog;
  /** Absent: the ledger is in a database, and its owner makes the copies. */
  readonly backups?: Backups;
  /** The links of reviewers. */
  readonly links: ReviewLinks;
  /** Who changed which text on the page or by an import. */
  readonly edits: EditLog;
  readonly service: Service;
  readonly languageSupport: LanguageSupport;
  /** Absent: the config names no lock. */
  readonly lock?: LockFiles;
  /** Absent: this process only reads a shared tree. */
  readonly stateLock?: StateLock;
}

export interface WorkspaceOptions extends Routed {
  readonly world: World;
  /** Milliseconds after which an unreachable service is given up; absent: never. */
  readonly patienceMs?: number;
  /** The behaviour when the database of the team is away at the start; absent: the process waits for it. */
  readonly withoutTeam?: WithoutTeam;
  /** The glossary and style files that this process works with; absent: it uses none. */
  readonly terminology?: Terminology;
  /** The role of a daemon; absent: a command, which leads a shared tree while it works. */
  readonly role?: Role;
  /**
   * For a command that only reads a shared tree: the records that it needs. It writes nothing, and locks neither the folder nor the
   * tree. Absent: the process works.
   */
  readonly looksAt?: Extent;
  /** A command that answers one question or does one thing: other processes wait for its end. */
  readonly isCommand?: true;
  /** Aborted when the process must end: it no longer waits for a database that is away or for a command that has the state. */
  readonly ending?: AbortSignal;
}

/**
 * Folders of the state that may have temporary files of a killed run. Those in the state folder itself are removed by the
 * ledger.
 */
const WITH_TEMPORARY_FILES = ['base', 'memory', 'spool', 'voice'];

/** @throws StateLocked when another process works on the state; JobFailure `damaged-state` */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { config, world } = options;
  await using opening = new AsyncDisposableStack();
  let stateLock: StateLock | undefined;
  if (options.looksAt === undefined) {
    stateLock = opening.use(await holdState(config.state, world.clock, options));
    for (const name of WITH_TEMPORARY_FILES) await removeForeignTemps(join(config.state, name));
  }
  const tree = config.team?.tree;
  const shared =
    tree === undefined
      ? await openFolder(options, opening)
      : await openShared(options, { tree, opening });
  const { team, baselines } = shared;
  const service = opening.use(
    await connectService({ ...options, ...(team && { rate: team.rate }) }),
  );
  const drafts = opening.use(new Drafts());
  const right = shared.tree?.right ?? ALONE;
  const trash = new Trash(trashFolders(config), world.clock, right);
  // The leader undoes what the workers of a tree replaced.
  const undo = new UndoLog({
    ...{ folder: join(spoolOf(config), 'undo'), clock: world.clock, baselines },
    ...(shared.tree === undefined ? {} : { shared: { isLed: () => !leads(shared) } }),
  });
  const links = await ReviewLinks.open(join(config.state, 'review-links.json'), world.clock);
  const stack = opening.move();
  return {
    ...shared,
    left: new LeftTexts(shared.memories, world.clock),
    drafts,
    trash,
    right,
    publications: new Mutex(),
    writers: new Mutex(),
    reservations: shared.tree?.reservations ?? UNSHARED,
    undo,
    links,
    edits: new EditLog(join(config.state, 'edits.jsonl'), world.clock),
    ...(tree === undefined ? { backups: new Backups(config.state, world.clock) } : {}),
    service,
    languageSupport: new LanguageSupport({ config, service, clock: world.clock }),
    ...(stateLock && { stateLock }),
    ...(config.lock === undefined ? {} : { lock: new LockFiles(config.lock, { right }) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** @throws JobFailure `team-state` for a folder with jobs while the tree has none: their documents would be bought again */
async function refuseUnpushed(
  folder: string,
  {
    team,
    tree,
    ledger,
  }: { readonly team: Team; readonly tree: TreeConfig; readonly ledger: Ledger },
): Promise<void> {
  if (ledger.size('jobs') + ledger.size('sources') > 0) return;
  if (!hasLedger(folder) || (await isPushedTo(folder, tree.name))) return;
  const message = `${folder} holds jobs, and the tree "${tree.name}" has none`;
  const { host } = team.status();
  throw new JobFailure({ kind: 'team-state', problem: 'unshared', host, message });
}

type MoneyHalf = Pick<Workspace, 'ledger' | 'memories' | 'till' | 'books'>;
type StateParts = MoneyHalf & Pick<Workspace, 'team' | 'tree' | 'baselines'>;

/** Without a tree: all state is in the folder; with a team, all but what was bought. */
async function openFolder(
  options: WorkspaceOptions,
  opening: AsyncDisposableStack,
): Promise<StateParts> {
  const { config, world } = options;
  await requireWhole(config.state);
  opening.defer(() => recordLeft(config.state));
  const onEvent = (event: Parameters<Events['emit']>[0]) => world.events.emit(event);
  const ledger = opening.use(
    await openLedger({ folder: config.state, clock: world.clock, onEvent }),
  );
  const forgetBefore = forgottenBefore(options);
  const memories = opening.use(
    new FolderMemories({
      folder: join(config.state, 'memory'),
      ...(forgetBefore === undefined ? {} : { forgetBefore }),
      onEvent,
    }),
  );
  const own = {
    ledger,
    memories,
    till: new LedgerTill({ ledger, memories }),
    books: new LedgerBooks(ledger),
  };
  const team = await joinTeam({
    ...{ ...options, since: forgetBefore, books: own.books },
    key: serviceKeyOf(config, world),
  });
  if (team !== undefined) opening.use(team);
  const baselines = opening.use(openBaselines(join(config.state, 'base')));
  return { ...(team === undefined ? own : sharedBy(team, own)), baselines };
}

/** A command leads the tree while it runs; a daemon works while another one leads. */
function taskOf(role: Role | undefined): TreeEntry['task'] {
  switch (role) {
    case 'worker':
      return 'works';
    case 'both':
    case 'leader':
      return 'may-lead';
    case undefined:
      return 'leads';
  }
}

/** With a tree: sources, jobs and baselines are in the team's database too. */
async function openShared(
  options: WorkspaceOptions,
  { tree, opening }: { readonly tree: TreeConfig; readonly opening: AsyncDisposableStack },
): Promise<StateParts> {
  const { config, world } = options;
  const doubted = await refuseNetwork(config.state);
  if (doubted !== undefined) {
    world.events.emit({ kind: 'state-doubted', folder: config.state, on: doubted });
  }
  const { looksAt, role } = options;
  const isLooking = looksAt !== undefined;
  // A daemon may be working in this folder: a process that only reads gets a temporary one.
  const state = isLooking ? opening.use(await passingFolder(config.state)) : { path: config.state };
  const team = await joinTeam({
    ...{ ...options, since: forgottenBefore(options), books: NO_BOOKS },
    config: { ...config, state: state.path },
    key: serviceKeyOf(config, world),
  });
  if (team === undefined) throw new RangeError(`the tree "${tree.name}" has no database`);
  opening.use(team);
  const task = isLooking ? 'looks' : taskOf(role);
  const daemon = role && { role, version: VERSION };
  const extent = looksAt?.of === 'everything' ? undefined : looksAt;
  const settings = sharedSettings(config, options.terminology);
  const roots = rootsOf(options);
  const { spool } = tree;
  const entry = {
    task,
    settings,
    roots,
    spool,
    hasLock: config.lock !== undefined,
    ...(extent && { extent }),
    ...(daemon && { daemon }),
  };
  const opened = opening.use(await team.openTree(tree.name, entry));
  const { ledger, baselines } = opened;
  await refuseUnpushed(config.state, { team, tree, ledger });
  return {
    ledger: new BookedLedger(ledger, (charges) => team.book(charges), 'elsewhere'),
    ...{
      baselines,
      team,
      tree: opened,
      memories: team.memories,
      till: team.till,
      books: team.books,
    },
  };
}

/** By the names of the projects: the absolute folders where their paths may begin, first that of the config. */
export function rootsOf(routed: Routed): ReadonlyMap<string, readonly string[]> {
  const { projects } = routed.config;
  return new Map(projects.map((project) => [project.name, [...rootsFor(routed, project)]]));
}

/** @param state the state folder, whose knowledge of the database counts */
async function passingFolder(state: string): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'dragoman-'));
  await copySeen(state, path);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Whether this daemon leads: of the daemons of a shared tree, one watches, plans and writes the lock. Without a tree it is
 * always true.
 */
export function leads({ tree }: Pick<Workspace, 'tree'>): boolean {
  return tree?.task !== 'works';
}

/** Shares what was bought with the team. Requests that the folder had under way before it joined are booked there too. */
function sharedBy(team: Team, own: MoneyHalf): MoneyHalf & Pick<Workspace, 'team'> {
  const ledger = new BookedLedger(own.ledger, (charges) => team.book(charges));
  const before = new LedgerTill({ ledger, memories: own.memories });
  const recover = async () => {
    await before.recover();
    await team.till.recover();
  };
  const till: Till = {
    begin: (...asked) => team.till.begin(...asked),
    lost: (...asked) => team.till.lost(...asked),
    end: (...asked) => team.till.end(...asked),
    forget: (request) => team.till.forget(request),
    othersEnd: (signal) => team.till.othersEnd(signal),
    recover,
  };
  return { ledger, memories: team.memories, till, books: team.books, team };
}

/** ISO 8601: translations that were bought earlier are forgotten; undefined: none are. */
function forgottenBefore({ config, world }: WorkspaceOptions): string | undefined {
  const { memory } = config.keep;
  return memory === undefined ? undefined : new Date(world.clock.now() - memory).toISOString();
}
