/** Opens what a config needs to be worked on: lock, ledger, memories, bases, service. Disposing closes it in reverse. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Baselines } from '../baseline.ts';
import type { Clock } from '../clock.ts';
import { LanguageSupport } from '../config/load-language-support.ts';
import type { SecretPlaces } from '../config/load-secret.ts';
import type { Config, TreeConfig } from '../config.ts';
import type { Events } from '../event.ts';
import { JobFailure } from '../failure.ts';
import { lockState } from '../files/exclusive.ts';
import { Mutex } from '../files/mutex.ts';
import { refuseNetwork } from '../files/network.ts';
import { ALONE, type Right } from '../files/right.ts';
import { removeForeignTemps } from '../files/temporary.ts';
import type { Ledger } from '../ledger.ts';
import type { Service } from '../service/client.ts';
import type { ProxySettings } from '../service/http.ts';
import { VERSION } from '../service/version.ts';
import { Backups } from '../state/backup.ts';
import { openBaselines } from '../state/baseline.ts';
import { BookedLedger } from '../state/booked-ledger.ts';
import { LedgerBooks } from '../state/books/ledger-books.ts';
import { type Books, NO_BOOKS } from '../state/books.ts';
import { EditLog } from '../state/edit-log.ts';
import { openLedger } from '../state/json-ledger.ts';
import { LockFiles } from '../state/lock-file.ts';
import { FolderMemories } from '../state/memories/folder.ts';
import type { Memories } from '../state/memory.ts';
import { SNAPSHOT } from '../state/recovery.ts';
import { ReviewLinks } from '../state/review-links.ts';
import type { Team } from '../state/team.ts';
import type { Till } from '../state/till.ts';
import { LedgerTill } from '../state/tills/ledger-till.ts';
import { Trash } from '../state/trash.ts';
import { PUSHED, type Role, type Tree, type TreeEntry } from '../state/tree.ts';
import { UndoLog } from '../state/undo-log.ts';
import { nameVolume } from '../state/volume.ts';
import { Drafts } from '../translate/drafts.ts';
import { connectService, serviceKeyOf } from './connect-service.ts';
import { joinTeam, type WithoutTeam } from './join-team.ts';

/** What surrounds the process, handed in so that tests own it. */
export interface World {
  readonly clock: Clock;
  readonly events: Events;
  /** In [0, 1). */
  random(): number;
  readonly secrets: SecretPlaces;
  readonly proxy?: ProxySettings;
  /** A runner of CI: each begins without a state, and nobody can do anything about that. */
  readonly isRunner?: true;
}

export interface Workspace extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly memories: Memories;
  readonly till: Till;
  readonly books: Books;
  /** Absent: the config names no database. */
  readonly team?: Team;
  /** Absent: the config names none; sources, jobs and queue are this daemon's alone. */
  readonly tree?: Tree;
  readonly baselines: Baselines;
  readonly drafts: Drafts;
  readonly trash: Trash;
  /** To change files without a claim. */
  readonly right: Right;
  /** Turns by job, for whoever writes, moves or removes its targets. */
  readonly publications: Mutex;
  readonly undo: UndoLog;
  /** Absent: the ledger is in a database, whose owner makes copies of it. */
  readonly backups?: Backups;
  /** Of people who review. */
  readonly links: ReviewLinks;
  /** Who changed which text on the page or by an import. */
  readonly edits: EditLog;
  readonly service: Service;
  readonly languageSupport: LanguageSupport;
  /** Absent: the config names none. */
  readonly lock?: LockFiles;
}

export interface WorkspaceOptions {
  readonly config: Config;
  readonly world: World;
  /** Milliseconds after which an unreachable service is given up; absent: never. */
  readonly patienceMs?: number;
  /** What happens while the database of a team is away at the start; absent: it is waited for. */
  readonly withoutTeam?: WithoutTeam;
  /** Of a daemon; absent: a command, which leads a tree that daemons share as long as it works. */
  readonly role?: Role;
  /** Of a tree that daemons share it only asks: nothing is written, and neither folder nor tree is locked. */
  readonly isLooking?: true;
  /** It answers one question or does one thing: others wait for its end. */
  readonly isCommand?: true;
  /** The process is asked to end: neither a database that is away nor a command that holds the state is waited for any longer. */
  readonly ending?: AbortSignal;
}

/** Folders of the state in which a killed run may have left temporary files; the ledger looks after the state's own. */
const WITH_TEMPORARY_FILES = ['base', 'memory', 'spool', 'voice'];

/** @throws StateLocked when a daemon works on the state; JobFailure `damaged-state` */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { config, world } = options;
  await using opening = new AsyncDisposableStack();
  if (options.isLooking !== true) {
    opening.use(await lockState(config.state, world.clock, options));
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
  const trash = new Trash(join(config.state, 'trash'), world.clock, right);
  const undo = new UndoLog({ folder: join(config.state, 'undo'), clock: world.clock, baselines });
  const links = await ReviewLinks.open(join(config.state, 'review-links.json'), world.clock);
  const stack = opening.move();
  return {
    ...shared,
    drafts,
    trash,
    right,
    publications: new Mutex(),
    undo,
    links,
    edits: new EditLog(join(config.state, 'edits.jsonl'), world.clock),
    ...(tree === undefined ? { backups: new Backups(config.state, world.clock) } : {}),
    service,
    languageSupport: new LanguageSupport({ config, service, clock: world.clock }),
    ...(config.lock === undefined ? {} : { lock: new LockFiles(config.lock, right) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/**
 * @throws JobFailure `team-state` for a folder with jobs of its own where the tree has none: those of its documents would be
 * paid again
 */
function refuseUnpushed(
  folder: string,
  {
    team,
    tree,
    ledger,
  }: { readonly team: Team; readonly tree: TreeConfig; readonly ledger: Ledger },
): void {
  if (ledger.size('jobs') + ledger.size('sources') > 0) return;
  if (!existsSync(join(folder, SNAPSHOT)) || existsSync(join(folder, PUSHED))) return;
  const message = `${folder} holds jobs, and the tree "${tree.name}" has none`;
  const { host } = team.status();
  throw new JobFailure({ kind: 'team-state', problem: 'unshared', host, message });
}

type MoneyHalf = Pick<Workspace, 'ledger' | 'memories' | 'till' | 'books'>;
type StateParts = MoneyHalf & Pick<Workspace, 'team' | 'tree' | 'baselines'>;

/** All state is in the folder, or all but what was bought. */
async function openFolder(
  options: WorkspaceOptions,
  opening: AsyncDisposableStack,
): Promise<StateParts> {
  const { config, world } = options;
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

/** A command leads the tree as long as it runs; a daemon works while another one leads. */
function taskOf(role: Role | undefined): TreeEntry['task'] {
  switch (role) {
    case 'worker':
      return 'works';
    case 'both':
      return 'may-lead';
    case 'leader':
    case undefined:
      return 'leads';
  }
}

/** What belongs to the tree is in the team's database as well. */
async function openShared(
  options: WorkspaceOptions,
  { tree, opening }: { readonly tree: TreeConfig; readonly opening: AsyncDisposableStack },
): Promise<StateParts> {
  const { config, world } = options;
  await refuseNetwork(config.state);
  const { isLooking = false, role } = options;
  // A daemon may be at work in its own folder: who only asks has no answers to keep.
  const state = isLooking ? opening.use(await passingFolder()) : { path: config.state };
  const team = await joinTeam({
    ...{ ...options, since: forgottenBefore(options), books: NO_BOOKS },
    config: { ...config, state: state.path },
    key: serviceKeyOf(config, world),
  });
  if (team === undefined) throw new RangeError(`the tree "${tree.name}" has no database`);
  opening.use(team);
  const task = isLooking ? 'looks' : taskOf(role);
  const daemon = role && { role, version: VERSION, volume: await nameVolume(tree.spool) };
  const opened = opening.use(await team.openTree(tree.name, { task, ...(daemon && { daemon }) }));
  const { ledger, baselines } = opened;
  refuseUnpushed(config.state, { team, tree, ledger });
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

async function passingFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'dragoman-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Whether this daemon plans: of a tree that daemons share, one does. */
export function leads({ tree }: Pick<Workspace, 'tree'>): boolean {
  return tree?.task !== 'works';
}

/** What was bought belongs to all; what the folder had under way before it joined them is booked there. */
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

/** ISO 8601: what was bought earlier is not remembered; undefined: everything is. */
function forgottenBefore({ config, world }: WorkspaceOptions): string | undefined {
  const { memory } = config.keep;
  return memory === undefined ? undefined : new Date(world.clock.now() - memory).toISOString();
}
