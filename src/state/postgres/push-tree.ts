/** Copies the jobs of a state folder to a tree. Records that the tree has already stay, so the copy may be repeated. */
import { hostname } from 'node:os';
import { isoTime } from '../../clock.ts';
import type { JobRecord, Ledger } from '../../ledger.ts';
import type { PushRecord } from '../copies.ts';
import { CopyLead } from './copy-lead.ts';
import type { PullTreeOptions } from './pull-tree.ts';
import { TreeBaselines } from './tree-baselines.ts';
import { TreeFilling } from './tree-filling.ts';
import { TreeKey } from './tree-key.ts';
import { TreeLedger } from './tree-ledger.ts';

export interface PushTreeOptions extends Omit<PullTreeOptions, 'mark'> {
  /** The state folder that is copied, and the mark of the copy. */
  readonly folder: string;
  readonly mark: PushRecord;
}

const PORTION = 500;
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
  await new TreeFilling(database, tree).giveUpEarlier(options.mark);
  const lead = new CopyLead({ ...options, name: 'state push', copy: options.mark });
  await lead.take();
  try {
    await fill(options, { lead, key, jobs });
  } finally {
    await lead.end();
  }
  return jobs.length;
}

interface Copy {
  readonly lead: CopyLead;
  readonly key: TreeKey;
  /** The jobs that the tree does not have. */
  readonly jobs: readonly JobRecord[];
}

async function fill(options: PushTreeOptions, { lead, key, jobs }: Copy): Promise<void> {
  const { database, tree, ledger, baselines, mark, folder, clock } = options;
  const { push, leader } = mark;
  await using there = await TreeLedger.open({ ...options, view: 'tree', leader });
  const at = isoTime(clock);
  await key.keep(at);
  const filling = { push, leader, by: hostname(), folder, at };
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
    await lead.take();
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
