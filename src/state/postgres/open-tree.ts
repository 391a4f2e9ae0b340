/** Opens the tree half of a state in the database of a team: one daemon at a time leads, others work for it. */
import { isoTime } from '../../clock.ts';
import { describeFailure, failureOf, JobFailure } from '../../failure.ts';
import type { JobId } from '../../job.ts';
import type { RemoteRecord } from '../../ledger.ts';
import type { Tree, TreeEntry, TreeTask } from '../tree.ts';
import { TreeQueues } from './boss.ts';
import { LeadLease, type LeadLeaseOptions } from './lead-lease.ts';
import { LookingBaselines } from './looking-baselines.ts';
import type { Seal } from './seal.ts';
import { TreeAgreement } from './tree-agreement.ts';
import { TreeBaselines } from './tree-baselines.ts';
import { TreeDaemons } from './tree-daemons.ts';
import { TreeFiles } from './tree-files.ts';
import { TreeFilling } from './tree-filling.ts';
import { TreeKey } from './tree-key.ts';
import { TreeLedger } from './tree-ledger.ts';
import { TreeReservations } from './tree-reservations.ts';
import { TreeSpool } from './tree-spool.ts';

export interface OpenTreeOptions extends TreeEntry, LeadLeaseOptions {
  /** Id of the daemon that worked in the state folder before and is gone. */
  readonly former: string | undefined;
  /** Absent: the config names no key. */
  readonly seal: Seal | undefined;
  /** Called when the reasons why this daemon cannot do its part change; empty: it can. */
  onTroubles(troubles: Tree['troubles']): void;
  /** Called when this daemon becomes the leader. @param epoch how often a daemon has begun to lead the tree */
  onLead(epoch: number): void;
}

/** @throws JobFailure `team-state` when another daemon still leads the tree after the wait, or when the tree has another key */
export async function openTree(name: string, options: OpenTreeOptions): Promise<Tree> {
  const { database, clock, runner, task } = options;
  const seal = requireSeal(name, options);
  await using opening = new AsyncDisposableStack();
  const key = new TreeKey({ database, tree: name, seal, name: runner.name });
  await key.check();
  const filling = new TreeFilling(database, name);
  await filling.requireNone();
  const spool = new TreeSpool({ ...options, tree: name });
  if (task !== 'looks') await spool.requireOwn();
  const daemons = new TreeDaemons({ database, clock, tree: name, runner });
  if (options.daemon !== undefined) {
    await daemons.enter({ ...options.daemon, volume: spool.volume }, options.former);
    opening.defer(() => daemons.leave().catch(() => {}));
  }
  const lease = opening.use(new LeadLease(name, options));
  const files = new TreeFiles({ ...options, tree: name });
  if (task === 'leads') await lease.take();
  else if (task === 'may-lead' && (await isHere({ files, spool }))) await lease.ask();
  // Under the lease no copy begins.
  await filling.requireNone();
  if (task === 'leads') await files.require();
  const leader = lease.isOurs ? runner.id : undefined;
  const reservations = opening.use(new TreeReservations({ database, clock, tree: name }));
  const queues = opening.use(await TreeQueues.open({ database, tree: name, runner }));
  const [listeners, troubles] = [new ChangeListeners(), new Troubles(options)];
  const agreement = new TreeAgreement({
    ...{ database, tree: name, runner, settings: options.settings },
    onChange: (trouble) => troubles.report('config', trouble),
  });
  const ledger = opening.use(
    await TreeLedger.open({
      ...{ database, clock, tree: name, seal, agreement, queues, ...listeners.told },
      ...{ view: leader === undefined && task !== 'looks' ? 'claims' : 'tree' },
      ...{ isLooking: task === 'looks', ...(leader === undefined ? {} : { leader }) },
      ...(await extentOf(options, daemons)),
      hasLock: options.hasLock === true,
      onLook: (error) => troubles.report('view', error === undefined ? undefined : unseen(error)),
    }),
  );
  if (leader !== undefined) await spool.take();
  if (task === 'may-lead' || task === 'works') await reportFolders({ files, spool }, troubles);
  if (task !== 'looks') await key.keep(isoTime(clock));
  if (leader === undefined) await agreement.refresh();
  else options.onLead(await agreement.lead(await spool.mark(clock)));
  const baselines = new TreeBaselines({ database, tree: name, leader });
  const shared = { ledger, baselines, lease, reservations, queues };
  const parts = { name, options, ...shared, ...{ daemons, agreement, files, spool } };
  return new OpenedTree({ ...parts, listeners, troubles, stack: opening.move() });
}

/** When nobody leads, `status` compares the disk itself: it needs all records. */
async function extentOf(
  { extent }: OpenTreeOptions,
  daemons: TreeDaemons,
): Promise<Pick<OpenTreeOptions, 'extent'>> {
  if (extent === undefined) return {};
  const isLed = async () => (await daemons.lines()).value.some(({ state }) => state === 'leads');
  return extent.of === 'open work' && !(await isLed()) ? {} : { extent };
}

interface TreeParts {
  readonly name: string;
  readonly options: OpenTreeOptions;
  readonly ledger: TreeLedger;
  readonly baselines: TreeBaselines;
  readonly lease: LeadLease;
  readonly reservations: TreeReservations;
  readonly queues: TreeQueues;
  readonly daemons: TreeDaemons;
  readonly agreement: TreeAgreement;
  readonly files: TreeFiles;
  readonly spool: TreeSpool;
  readonly listeners: ChangeListeners;
  readonly troubles: Troubles;
  /** Closes the parts. */
  readonly stack: AsyncDisposableStack;
}

class OpenedTree implements Tree {
  readonly baselines: Tree['baselines'];
  readonly #parts: TreeParts;
  #task: TreeTask;

  constructor(parts: TreeParts) {
    const { options, lease, baselines } = parts;
    const isLooking = options.task === 'looks';
    this.baselines = isLooking ? new LookingBaselines(baselines) : baselines;
    this.#parts = parts;
    this.#task = isLooking ? 'looks' : lease.isOurs ? 'leads' : 'works';
  }

  get name(): string {
    return this.#parts.name;
  }

  get daemon(): string {
    return this.#parts.options.runner.name;
  }

  get task(): TreeTask {
    return this.#task;
  }

  get ledger(): TreeLedger {
    return this.#parts.ledger;
  }

  get counted(): TreeLedger['counted'] {
    return this.ledger.counted;
  }

  get right(): LeadLease {
    return this.#parts.lease;
  }

  get reservations(): TreeReservations {
    return this.#parts.reservations;
  }

  get queues(): TreeQueues {
    return this.#parts.queues;
  }

  get daemons(): TreeDaemons {
    return this.#parts.daemons;
  }

  get waits(): boolean {
    return this.#task === 'works' && this.#parts.options.daemon?.role === 'leader';
  }

  get isFit(): boolean {
    const { agreement, troubles } = this.#parts;
    return agreement.name !== undefined && !troubles.has('spool') && !troubles.has('files');
  }

  get troubles(): Tree['troubles'] {
    return this.#parts.troubles.all;
  }

  get volume(): Tree['volume'] {
    return this.#parts.spool.volume;
  }

  async lead(signal: AbortSignal): Promise<void> {
    const { name, lease, agreement, ledger, baselines, files, spool, options } = this.#parts;
    const { id } = options.runner;
    for (;;) {
      // `compare` reports it meanwhile.
      while (!(await isHere({ files, spool }))) await options.clock.sleep(FILES_LOOK_MS, signal);
      await lease.take(signal);
      if (await isHere({ files, spool })) break;
      // The volume went away during the wait, perhaps for all daemons: this one waits until it is back.
      await lease.drop();
    }
    await new TreeFilling(options.database, name).requireNone();
    await files.require();
    await spool.take();
    // Other daemons must know this config before anything is planned with it.
    const epoch = await agreement.lead(await spool.mark(options.clock));
    await ledger.lead(id);
    baselines.lead(id);
    this.#task = 'leads';
    options.onLead(epoch);
  }

  async configure({ settings, roots }: Pick<TreeEntry, 'settings' | 'roots'>): Promise<void> {
    this.#parts.files.configure(roots);
    await this.#parts.agreement.change(settings);
  }

  async compare(): Promise<void> {
    const { agreement, files, lease, spool, troubles, options } = this.#parts;
    await agreement.refresh();
    await reportFolders({ files, spool }, troubles);
    if (this.#task !== 'leads') return;
    // A leader without work writes nothing to the database, and would not be told by a refusal.
    await lease.requireOurs();
    if (troubles.has('files')) await files.require();
    if (troubles.has('spool')) await spool.require();
    await spool.take();
    await spool.renewMark(options.clock, (mark) => agreement.mark(mark));
  }

  async isInAgreement(): Promise<boolean> {
    const { agreement } = this.#parts;
    await agreement.refresh();
    return agreement.name !== undefined;
  }

  onJobs(listener: ChangeListeners['ofJobs']): void {
    this.#parts.listeners.ofJobs = listener;
  }

  onRemotes(listener: ChangeListeners['ofRemotes'][number]): void {
    this.#parts.listeners.ofRemotes.push(listener);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.stack.disposeAsync();
  }
}

/** The listeners for changes by other daemons. */
class ChangeListeners {
  ofJobs: (jobs: readonly JobId[]) => void = () => {};
  readonly ofRemotes: ((record: RemoteRecord) => void)[] = [];

  /** The callbacks of the ledger. */
  readonly told = {
    onOthers: (jobs: readonly JobId[]) => this.ofJobs(jobs),
    onRemote: (record: RemoteRecord) => {
      for (const hear of this.ofRemotes) hear(record);
    },
  };
}

type Trouble = 'view' | 'config' | 'spool' | 'files';

/** Milliseconds between two looks whether the volume is mounted now. */
const FILES_LOOK_MS = 2000;

/** The present troubles of a tree. Reports each change of them. */
class Troubles {
  readonly #options: Pick<OpenTreeOptions, 'onTroubles'>;
  readonly #of = new Map<Trouble, string>();

  constructor(options: Pick<OpenTreeOptions, 'onTroubles'>) {
    this.#options = options;
  }

  get all(): readonly string[] {
    return [...this.#of.values()];
  }

  has(what: Trouble): boolean {
    return this.#of.has(what);
  }

  report(what: Trouble, trouble: string | undefined): void {
    if (this.#of.get(what) === trouble) return;
    if (trouble === undefined) this.#of.delete(what);
    else this.#of.set(what, trouble);
    this.#options.onTroubles(this.all);
  }
}

/** Where a tree is on this machine: its files and its spool may be on two volumes. */
type TreeFolders = Pick<TreeParts, 'files' | 'spool'>;

/** Whether the volumes of the tree are mounted. */
async function isHere({ files, spool }: TreeFolders): Promise<boolean> {
  return (await files.problem()) === undefined && (await spool.problem())?.kind !== 'elsewhere';
}

/** A daemon that cannot write the spool would fail its jobs at once, and take the next ones before others do. */
async function reportFolders({ files, spool }: TreeFolders, troubles: Troubles): Promise<void> {
  const idle = { shut: 'it takes no jobs', elsewhere: 'it takes no jobs and does not lead' };
  const shut = await spool.problem();
  troubles.report('spool', shut && `${idle[shut.kind]}, because ${shut.message}`);
  const problem = await files.problem();
  troubles.report('files', problem && `${idle.elsewhere}, because ${problem}`);
}

function unseen(error: unknown): string {
  return `it does not see what other daemons do: ${describeFailure(failureOf(error))}`;
}

function requireSeal(name: string, { seal }: OpenTreeOptions): Seal {
  if (seal !== undefined) return seal;
  const message = `the tree "${name}" needs one`;
  throw new JobFailure({ kind: 'team-state', problem: 'key', host: 'state.key', message });
}
