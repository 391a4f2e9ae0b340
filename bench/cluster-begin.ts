/**
 * The cost of reading a tree (`tree`: as its leader, `claims`: as a worker, `bare`: its records alone), for `cluster.ts`. It is a process of its
 * own with nothing else in it, bundled as the program that users start. Node itself needs 45 MB to read TypeScript.
 */
import pg from 'pg';
import type { TreeView } from '../src/state/postgres/tree-mirror.ts';
import { databaseAt, ledgerAt, type Place, TREE } from './cluster-tree.ts';

await begin(process.argv[2] as TreeView | 'bare');

async function begin(view: TreeView | 'bare'): Promise<void> {
  const { BENCH_URL: url = '', BENCH_SCHEMA: schema = '' } = process.env;
  const began = performance.now();
  if (view === 'bare') await bareBegin({ url, schema });
  else {
    await using database = databaseAt({ url, schema });
    await using _ledger = await ledgerAt(database, view);
    tell(began);
  }
  if (view === 'bare') tell(began);
}

/** All records in a map, each row parsed as it comes. */
async function bareBegin({ url, schema }: Place): Promise<void> {
  const client = new pg.Client({ connectionString: url, ssl: false });
  await client.connect();
  const known = new Map<string, unknown>();
  for (const table of ['tree_jobs', 'tree_records']) {
    for (let after = '0'; ; ) {
      const { rows } = await client.query<{ seq: string; id: string; record: string }>(
        `select seq, id, record::text from ${schema}.${table} where tree = $1 and seq > $2 order by seq limit 5000`,
        [TREE, after],
      );
      for (const { id, record } of rows) known.set(id, JSON.parse(record));
      const last = rows.at(-1);
      if (last === undefined) break;
      after = last.seq;
    }
  }
  await client.end();
}

function tell(began: number): void {
  const seconds = (performance.now() - began) / 1000;
  console.log(JSON.stringify({ seconds, mb: process.resourceUsage().maxRSS / 1024 }));
}
