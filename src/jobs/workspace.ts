/** Opens what a config needs to be worked on: lock, ledger, memories, bases, service. Disposing closes it in reverse. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Baselines } from '../baseline.ts';
import type { Clock } from '../clock.ts';
import { LanguageSupport } from '../config/load-language-support.ts';
import { readSecret, SecretMissing, type SecretPlaces } from '../config/load-secret.ts';
import type { Config, SecretReference } from '../config.ts';
import type { Events } from '../event.ts';
import { JobFailure } from '../failure.ts';
import { lockState } from '../files/exclusive.ts';
import { Mutex } from '../files/mutex.ts';
import { removeForeignTemps } from '../files/temporary.ts';
import type { Ledger } from '../ledger.ts';
import { connect, type Service } from '../service/client.ts';
import type { ProxySettings } from '../service/http.ts';
import { Backups } from '../state/backup.ts';
import { openBaselines } from '../state/baseline.ts';
import { LedgerBooks } from '../state/books/ledger-books.ts';
import type { Books } from '../state/books.ts';
import { openLedger } from '../state/json-ledger.ts';
import { LockFiles } from '../state/lock-file.ts';
import { FolderMemories } from '../state/memories/folder.ts';
import type { Memories } from '../state/memory.ts';
import type { Till } from '../state/till.ts';
import { LedgerTill } from '../state/tills/ledger-till.ts';
import { Trash } from '../state/trash.ts';
import { UndoLog } from '../state/undo-log.ts';
import { Drafts } from '../translate/drafts.ts';

/** What surrounds the process, handed in so that tests own it. */
export interface World {
  readonly clock: Clock;
  readonly events: Events;
  /** In [0, 1). */
  random(): number;
  readonly secrets: SecretPlaces;
  readonly proxy?: ProxySettings;
}

export interface Workspace extends AsyncDisposable {
  readonly ledger: Ledger;
  readonly memories: Memories;
  readonly till: Till;
  readonly books: Books;
  readonly baselines: Baselines;
  readonly drafts: Drafts;
  readonly trash: Trash;
  /** Turns by job, for whoever writes, moves or removes its targets. */
  readonly publications: Mutex;
  readonly undo: UndoLog;
  readonly backups: Backups;
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
}

/** Folders of the state in which a killed run may have left temporary files; the ledger looks after the state's own. */
const WITH_TEMPORARY_FILES = ['base', 'memory', 'spool', 'voice'];

/** @throws StateLocked when a daemon works on the state; JobFailure `damaged-state` */
export async function openWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { config, world } = options;
  const onEvent = (event: Parameters<Events['emit']>[0]) => world.events.emit(event);
  await using opening = new AsyncDisposableStack();
  opening.use(await lockState(config.state, world.clock));
  for (const folder of WITH_TEMPORARY_FILES) await removeForeignTemps(join(config.state, folder));
  const ledger = opening.use(
    await openLedger({ folder: config.state, clock: world.clock, onEvent }),
  );
  const { memory } = config.keep;
  const memories = opening.use(
    new FolderMemories({
      folder: join(config.state, 'memory'),
      ...(memory === undefined
        ? {}
        : { forgetBefore: new Date(world.clock.now() - memory).toISOString() }),
      onEvent,
    }),
  );
  const service = opening.use(await connectService(options));
  const baselines = opening.use(openBaselines(join(config.state, 'base')));
  const drafts = opening.use(new Drafts());
  const trash = new Trash(join(config.state, 'trash'), world.clock);
  const undo = new UndoLog({ folder: join(config.state, 'undo'), clock: world.clock, baselines });
  const stack = opening.move();
  return {
    ledger,
    memories,
    till: new LedgerTill({ ledger, memories }),
    books: new LedgerBooks(ledger),
    baselines,
    drafts,
    trash,
    publications: new Mutex(),
    undo,
    backups: new Backups(config.state, world.clock),
    service,
    languageSupport: new LanguageSupport({ config, service, clock: world.clock }),
    ...(config.lock === undefined ? {} : { lock: new LockFiles(config.lock) }),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** The client of a config's service. The key is read when it is first needed, and again after it was refused. */
export async function connectService({
  config,
  world,
  patienceMs,
}: WorkspaceOptions): Promise<Service> {
  const { service } = config;
  const { adminKey } = service;
  return connect({
    url: service.url,
    key: keyOf(config, world),
    ...(adminKey === undefined ? {} : { adminKey: () => readKey(adminKey, world) }),
    scheme: service.scheme,
    signatureScheme: service.signatureScheme,
    headers: service.headers,
    dialect: service.dialect,
    capabilities: service.capabilities,
    concurrency: service.concurrency,
    ...(service.perSecond === undefined ? {} : { perSecond: service.perSecond }),
    limits: service.limits,
    // Jobs wait for a service that is down, however long.
    patienceMs: patienceMs ?? Number.POSITIVE_INFINITY,
    ...(service.caFile === undefined ? {} : { ca: await readFile(service.caFile, 'utf8') }),
    ...(world.proxy === undefined ? {} : { proxy: world.proxy }),
    clock: world.clock,
    random: () => world.random(),
    onEvent: (event) => world.events.emit(event),
  });
}

/** Where the key of a config comes from; read when it is needed. */
export function keyOf({ service }: Config, world: World): () => Promise<string> {
  return () => readKey(service.key, world);
}

async function readKey(reference: SecretReference, { secrets }: World): Promise<string> {
  try {
    return await readSecret(reference, secrets);
  } catch (error) {
    if (!(error instanceof SecretMissing)) throw error;
    throw new JobFailure({ kind: 'key-missing', message: error.message }, { cause: error });
  }
}
