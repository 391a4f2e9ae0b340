/** Opens the tree half of a state in the database of a team: one daemon at a time leads, others work for it. */
import type { Clock } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import type { JobId } from '../../job.ts';
import type { Tree, TreeEntry } from '../tree.ts';
import { TreeQueues } from './boss.ts';
import type { Database } from './database.ts';
import { LookingBaselines } from './looking-baselines.ts';
import type { Runner } from './runner.ts';
import type { Seal } from './seal.ts';
import { TreeBaselines } from './tree-baselines.ts';
import { TreeDaemons } from './tree-daemons.ts';
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
}

/** It ends with its runner: who is silent is given up, with its leases. */
const LEASE_S = 10 * 365 * 86_400;
const ASK_AGAIN_MS = 500;

/** @throws JobFailure `team-state` where another daemon works on the tree for longer than that */
export async function openTree(name: string, options: OpenTreeOptions): Promise<Tree> {
  const { database, clock, runner, task, seal } = options;
  if (seal === undefined) {
    const message = `the tree "${name}" needs one`;
    throw new JobFailure({ kind: 'team-state', problem: 'key', host: 'state.key', message });
  }
  await using opening = new AsyncDisposableStack();
  const daemons = new TreeDaemons({ database, tree: name, runner });
  if (options.daemon !== undefined) {
    await daemons.enter(options.daemon, options.former);
    opening.defer(() => daemons.leave().catch(() => {}));
  }
  if (task === 'leads') {
    const lease = `tree ${name}`;
    await take(lease, name, options);
    // Where the database is away, the lease ends with this runner.
    opening.defer(
      async () => void (await database.attempt('drop_lease', lease, runner.id).catch(() => {})),
    );
  }
  const queues = opening.use(await TreeQueues.open({ database, tree: name, runner }));
  let listener: (jobs: readonly JobId[]) => void = () => {};
  const ledger = opening.use(
    await TreeLedger.open({
      ...{ database, clock, tree: name, seal },
      ...{ view: task === 'works' ? 'claims' : 'tree', isLooking: task === 'looks' },
      ...(task === 'leads' ? { leader: runner.id } : {}),
      onOthers: (jobs) => listener(jobs),
    }),
  );
  const baselines = new TreeBaselines(database, name);
  const stack = opening.move();
  return {
    ...{ name, task, ledger },
    baselines: task === 'looks' ? new LookingBaselines(baselines) : baselines,
    queues,
    daemons,
    hear(next) {
      listener = next;
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

async function take(lease: string, name: string, options: OpenTreeOptions): Promise<void> {
  const { database, clock, runner, patienceMs, ending } = options;
  const began = clock.now();
  let told: string | undefined;
  while (!(await database.call<boolean>('take_lease', lease, runner.id, LEASE_S))) {
    const by = await holderOf(lease, database);
    if (by === undefined) continue;
    if (clock.now() - began >= patienceMs || ending?.aborted === true) {
      const message = `${by} works on the tree "${name}"`;
      throw new JobFailure({ kind: 'team-state', problem: 'taken', host: database.host, message });
    }
    if (told !== by) options.onTaken(by);
    told = by;
    await clock.sleep(ASK_AGAIN_MS, ending).catch(() => {});
  }
}

/** Undefined: it has just ended. */
async function holderOf(lease: string, database: Database): Promise<string | undefined> {
  const [row] = await database.rows<{ name: string }>(
    'select coalesce(r.name, l.runner::text) as name from @.leases l left join @.runners r on r.id = l.runner where l.name = $1',
    [lease],
  );
  return row?.name;
}
