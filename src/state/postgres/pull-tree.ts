/** Copies the jobs of a tree to a state folder, so that the folder can work alone. */
import type { Baselines } from '../../baseline.ts';
import type { Clock } from '../../clock.ts';
import type { Fact, Ledger } from '../../ledger.ts';
import type { PullRecord } from '../copies.ts';
import { CopyLead } from './copy-lead.ts';
import type { Database } from './database.ts';
import type { Seal } from './seal.ts';
import { TreeBaselines } from './tree-baselines.ts';
import { TreeKey } from './tree-key.ts';
import { TreeLedger } from './tree-ledger.ts';

export interface PullTreeOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly tree: string;
  readonly seal: Seal;
  /** The ledger of the folder. */
  readonly ledger: Ledger;
  readonly baselines: Baselines;
  /** The mark of the copy in the folder. */
  readonly mark: PullRecord;
}

const PORTION = 500;

/**
 * Replaces the sources, jobs and remotes of the folder with those of the tree.
 * @param requireIdle throws when a daemon works on the tree
 * @returns how many jobs the tree has
 */
export async function pullTree(
  options: PullTreeOptions,
  requireIdle: () => Promise<void>,
): Promise<number> {
  const { database, tree, seal } = options;
  await new TreeKey({ database, tree, seal, name: 'state pull' }).check();
  const lead = new CopyLead({ ...options, name: 'state pull', copy: options.mark });
  await lead.take();
  try {
    await requireIdle();
    const jobs = await copy(options, lead);
    // A worker needs no leader: one that began meanwhile may have changed what was copied before.
    await requireIdle();
    return jobs;
  } finally {
    await lead.end();
  }
}

async function copy(options: PullTreeOptions, lead: CopyLead): Promise<number> {
  const { database, tree, ledger, baselines } = options;
  await using from = await TreeLedger.open({ ...options, view: 'tree', isLooking: true });
  const kept = new TreeBaselines({ database, tree, leader: undefined });
  const jobs = [...from.all('jobs')];
  await ledger.commit(removals(from, ledger));
  await inPortions([...puts(from, ledger)], async (facts) => await ledger.commit(facts));
  await inPortions(jobs, async (portion) => {
    await lead.take();
    for (const { project, language, source: path } of portion) {
      const key = { project, language, path };
      const bytes = await kept.copyOf(key);
      if (bytes !== undefined) await baselines.putBack(key, bytes);
    }
    await ledger.commit(portion.map((add) => ({ table: 'jobs', add })));
  });
  await ledger.checkpoint();
  return jobs.length;
}

async function inPortions<T>(
  all: readonly T[],
  act: (portion: readonly T[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < all.length; from += PORTION) await act(all.slice(from, from + PORTION));
}

/** All jobs of the folder, and its sources and remotes that the tree does not have. */
function removals(from: Ledger, to: Ledger): Fact[] {
  const gone = <T extends 'sources' | 'remotes'>(table: T) =>
    [...to.all(table)]
      .filter(({ id }) => from.get(table, id) === undefined)
      .map((remove) => ({ table, remove }) as Fact);
  const jobs = [...to.all('jobs')].map((drop): Fact => ({ table: 'jobs', drop }));
  return [...jobs, ...gone('sources'), ...gone('remotes')];
}

function* puts(from: Ledger, to: Ledger): Generator<Fact> {
  for (const table of ['remotes', 'sources'] as const) {
    for (const put of from.all(table)) yield { table, put, from: to.get(table, put.id) } as Fact;
  }
}
