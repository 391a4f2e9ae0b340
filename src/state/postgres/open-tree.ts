/** Opens the tree half of a state in the database of a team: one daemon at a time leads, others work for it. */
import { type Clock, isoTime } from '../../clock.ts';
import { describeFailure, failureOf, JobFailure } from '../../failure.ts';
import type { JobId } from '../../job.ts';
import type { RemoteRecord } from '../../ledger.ts';
import type { Tree, TreeEntry, TreeTask } from '../tree.ts';
import { TreeQueues } from './boss.ts';
import type { Database } from './database.ts';
import { LeadLease } from './lead-lease.ts';
import { LookingBaselines } from './looking-baselines.ts';
import type { Runner } from './runner.ts';
import type { Seal } from './seal.ts';
import { TreeBaselines } from './tree-baselines.ts';
import { TreeDaemons } from './tree-daemons.ts';
import { TreeKey } from './tree-key.ts';
import { TreeLedger } from './tree-ledger.ts';

export interface OpenTreeOptions extends TreeEntry {
  readonly database: Database;
  readonly clock: Clock;
  readonly runner: Runner;
  /** Who worked in the state folder before, and is gone. */
  readonly former: string | undefined;
  /** Absent: the config names no key. */
  readonly seal: Seal | undefined;
  /** Milliseconds for which another daemon is waited for. */
  readonly patienceMs: number;
  /** Fires when it is not waited for any longer. */
  readonly ending: AbortSignal | undefined;
  /** Another daemon works on it. */
  onTaken(by: string): void;
  /** Something else keeps this daemon from its part, or nothing does any more. */
  onTroubles(troubles: Tree['troubles']): void;
}

/** @throws JobFailure `team-state` where another daemon works on the tree for longer than that */
export async function openTree(name: string, options: OpenTreeOptions): Promise<Tree> {
  const { database, clock, runner, task } = options;
  const seal = requireSeal(name, options);
  await using opening = new AsyncDisposableStack();
  const key = new TreeKey({ database, tree: name, seal, name: runner.name });
  await key.check();
  const daemons = new TreeDaemons({ database, tree: name, runner });
  if (options.daemon !== undefined) {
    await daemons.enter(options.daemon, options.former);
    opening.defer(() => daemons.leave().catch(() => {}));
  }
  const lease = opening.use(new LeadLease(name, options));
  if (task === 'leads') await lease.take();
  else if (task === 'may-lead') await lease.ask();
  const leader = lease.isOurs ? runner.id : undefined;
  const isWorker = leader === undefined && task !== 'looks';
  const queues = opening.use(await TreeQueues.open({ database, tree: name, runner }));
  const hearers = new Hearers();
  const troubles = new Troubles(options);
  const ledger = opening.use(
    await TreeLedger.open({
      ...{ database, clock, tree: name, seal },
      ...{ view: isWorker ? 'claims' : 'tree', isLooking: task === 'looks' },
      ...(leader === undefined ? {} : { leader }),
      ...hearers.told,
      onLook: (error) => troubles.note('view', error === undefined ? undefined : unseen(error)),
    }),
  );
  if (task !== 'looks') await key.keep(isoTime(clock));
  const baselines = new TreeBaselines({ database, tree: name, leader });
  let present: TreeTask = task === 'looks' ? task : isWorker ? 'works' : 'leads';
  const stack = opening.move();
  return {
    ...{ name, ledger, right: lease },
    baselines: task === 'looks' ? new LookingBaselines(baselines) : baselines,
    queues,
    daemons,
    get troubles() {
      return troubles.all;
    },
    get task() {
      return present;
    },
    async lead(signal) {
      await lease.take(signal);
      await ledger.lead(runner.id);
      baselines.lead(runner.id);
      present = 'leads';
    },
    hear(next) {
      hearers.ofJobs = next;
    },
    hearRemotes(next) {
      hearers.ofRemotes.push(next);
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Who is told what other daemons changed. */
class Hearers {
  ofJobs: (jobs: readonly JobId[]) => void = () => {};
  readonly ofRemotes: ((record: RemoteRecord) => void)[] = [];

  /** For the ledger. */
  readonly told = {
    onOthers: (jobs: readonly JobId[]) => this.ofJobs(jobs),
    onRemote: (record: RemoteRecord) => {
      for (const hear of this.ofRemotes) hear(record);
    },
  };
}

/** Told when it changes. */
class Troubles {
  readonly #options: Pick<OpenTreeOptions, 'onTroubles'>;
  readonly #of = new Map<'view', string>();

  constructor(options: Pick<OpenTreeOptions, 'onTroubles'>) {
    this.#options = options;
  }

  get all(): readonly string[] {
    return [...this.#of.values()];
  }

  note(what: 'view', trouble: string | undefined): void {
    if (this.#of.get(what) === trouble) return;
    if (trouble === undefined) this.#of.delete(what);
    else this.#of.set(what, trouble);
    this.#options.onTroubles(this.all);
  }
}

function unseen(error: unknown): string {
  return `it does not see what other daemons do: ${describeFailure(failureOf(error))}`;
}

function requireSeal(name: string, { seal }: OpenTreeOptions): Seal {
  if (seal !== undefined) return seal;
  const message = `the tree "${name}" needs one`;
  throw new JobFailure({ kind: 'team-state', problem: 'key', host: 'state.key', message });
}
