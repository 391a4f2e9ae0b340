/** Copies the jobs of a state folder to a tree. Records that the tree has already stay, so the copy may be repeated. */
import { randomUUID } from 'node:crypto';
import type { Baselines } from '../../baseline.ts';
import { type Clock, isoTime } from '../../clock.ts';
import { JobFailure } from '../../failure.ts';
import type { Ledger } from '../../ledger.ts';
import type { Database } from './database.ts';
import { leaseOf } from './lead-lease.ts';
import type { Seal } from './seal.ts';
import { TreeBaselines } from './tree-baselines.ts';
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
}

const PORTION = 500;
/** A portion takes less. After a killed process, others wait this long. */
const LEASE_S = 60;

/** @returns how many jobs the tree did not have */
export async function pushTree(options: PushTreeOptions, run: 'dry' | 'real'): Promise<number> {
  const { database, tree, seal, ledger, baselines } = options;
  const key = new TreeKey({ database, tree, seal, name: 'state push' });
  await key.check();
  const rows = await database.rows<{ id: string }>('select id from @.tree_jobs where tree = $1', [
    tree,
  ]);
  const known = new Set(rows.map(({ id }) => id));
  const jobs = [...ledger.all('jobs')].filter(({ id }) => !known.has(id));
  if (run === 'dry') return jobs.length;
  const leader = randomUUID();
  await lead(options, leader);
  await using there = await TreeLedger.open({ ...options, view: 'tree', leader });
  await key.keep(isoTime(options.clock));
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
  await database.call('drop_lease', leaseOf(tree), leader);
  return jobs.length;
}

/** Takes the lead until the next portion. @throws JobFailure `team-state` while a daemon leads the tree */
async function lead({ database, tree }: PushTreeOptions, leader: string): Promise<void> {
  if (await database.call<boolean>('take_lease', leaseOf(tree), leader, LEASE_S)) return;
  const message = `a daemon leads the tree "${tree}"`;
  throw new JobFailure({ kind: 'team-state', problem: 'taken', host: database.host, message });
}
