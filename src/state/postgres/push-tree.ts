/** Copies the jobs of a state folder to a tree. Records that the tree has already stay, so the copy may be repeated. */
import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import type { Baselines } from '../../baseline.ts';
import { type Clock, isoTime } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import type { JobRecord, Ledger } from '../../ledger.ts';
import type { PushMark } from '../copies.ts';
import type { Database } from './database.ts';
import { leaseOf } from './lead-lease.ts';
import type { Seal } from './seal.ts';
import { TreeBaselines } from './tree-baselines.ts';
import { TreeFilling } from './tree-filling.ts';
import { TreeKey } from './tree-key.ts';
import { TreeLedger } from './tree-ledger.ts';

export interface PushTreeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly tree: string;
  readonly seal: Seal;
  /** The ledger of the folder. */
  readonly ledger: Ledger;
  readonly baselines: Baselines;
  /** The state folder that is copied, and the mark of the copy. */
  readonly folder: string;
  readonly mark: PushMark;
}

const PORTION = 500;
/** A portion takes less. After a killed process, others wait this long. */
const LEASE_S = 60;
/** Seconds of silence after which a leader may be dead, and after which it is given up. A daemon beats every two seconds. */
const QUIET_S = 4;
const SILENCE_S = 6;
/** A dead leader is given up by a runner that was in touch with the database for the whole silence. */
const WITNESS_MS = 15_000;
const WITNESS_PAUSE_MS = 1000;

/** @returns how many jobs the tree did not have */
export async function pushTree(options: PushTreeOptions, run: 'dry' | 'real'): Promise<number> {
  const { database, tree, seal, ledger } = options;
  const key = new TreeKey({ database, tree, seal, name: 'state push' });
  await key.check();
  const rows = await database.rows<{ id: string }>('select id from @.tree_jobs where tree = $1', [
    tree,
  ]);
  const known = new Set(rows.map(({ id }) => id));
  const jobs = [...ledger.all('jobs')].filter(({ id }) => !known.has(id));
  if (run === 'dry') return jobs.length;
  const leader = randomUUID();
  await new TreeFilling(database, tree).giveUpEarlier(options.mark);
  await lead(options, leader);
  try {
    await fill(options, { leader, key, jobs });
  } finally {
    await database.attempt('drop_lease', leaseOf(tree), leader).catch(() => {});
  }
  return jobs.length;
}

interface Copy {
  readonly leader: string;
  readonly key: TreeKey;
  /** The jobs that the tree does not have. */
  readonly jobs: readonly JobRecord[];
}

async function fill(options: PushTreeOptions, { leader, key, jobs }: Copy): Promise<void> {
  const { database, tree, ledger, baselines, mark, folder, clock } = options;
  await using there = await TreeLedger.open({ ...options, view: 'tree', leader });
  const at = isoTime(clock);
  await key.keep(at);
  const filling = { ...mark, leader, by: hostname(), folder, at };
  const fills = new TreeFilling(database, tree);
  // Before anything else: everybody refuses a tree whose copy breaks off.
  await fills.begin(filling);
  const to = new TreeBaselines({ database, tree, leader });
  const missing = <T extends 'sources' | 'remotes'>(table: T) =>
    [...ledger.all(table)]
      .filter(({ id }) => there.get(table, id) === undefined)
      .map((put) => ({ table, put, from: undefined }));
  await there.commit([...missing('remotes'), ...missing('sources')] as Parameters<
    Ledger['commit']
  >[0]);
  // Baselines before their jobs: without its baseline, the edits of a person would count as text of unknown origin.
  for (let from = 0; from < jobs.length; from += PORTION) {
    await lead(options, leader);
    const portion = jobs.slice(from, from + PORTION);
    for (const { project, language, source: path } of portion) {
      const key = { project, language, path };
      const bytes = await baselines.copyOf(key);
      if (bytes !== undefined) await to.putBack(key, bytes);
    }
    await there.commit(portion.map((add) => ({ table: 'jobs', add })));
  }
  await fills.end(filling);
}

/** Takes the lead until the next portion. @throws JobFailure `team-state` while a daemon leads the tree */
async function lead(options: PushTreeOptions, leader: string): Promise<void> {
  const { database, tree } = options;
  const take = () => database.call<boolean>('take_lease', leaseOf(tree), leader, LEASE_S);
  if (await take()) return;
  if ((await giveUpDead(options)) && (await take())) return;
  const message = `a daemon leads the tree "${tree}"`;
  throw new JobFailure({ kind: 'team-state', problem: 'taken', host: database.host, message });
}

/**
 * Gives up a leader that died, or that only a restored backup names. The daemons give each other up; here none may run.
 * @returns false when the leader lives
 */
async function giveUpDead({ database, clock, tree }: PushTreeOptions): Promise<boolean> {
  const witness = { id: randomUUID(), name: 'state push', waiting: 0 };
  try {
    for (const began = clock.now(); clock.now() - began < WITNESS_MS; ) {
      const [leader] = await database.rows<{ lives: boolean }>(LEADER, [leaseOf(tree), QUIET_S]);
      if (leader === undefined) return true;
      if (leader.lives) return false;
      await database.call('beat', JSON.stringify(witness));
      await database.rows('select @.reap($1, $2)', [witness.id, SILENCE_S]);
      await clock.sleep(WITNESS_PAUSE_MS);
    }
    return false;
  } finally {
    await database.call('give_up', witness.id);
  }
}

/** Another `state push` has no beat: its lease ends soon. */
const LEADER = `select coalesce(r.beat > clock_timestamp() - $2::float8 * interval '1 s', true) as lives
  from @.leases l left join @.runners r on r.id = l.runner where l.name = $1`;
