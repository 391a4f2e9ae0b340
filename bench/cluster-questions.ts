/**
 * The cost of a question on a machine that does not lead the tree. Measures time and memory of `usage`, `explain` and `status` with very
 * many jobs. `--smoke`: small sizes; `--jobs N`: so many (100,000).
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { NO_POSTGRES, openPostgres, type Postgres } from '../test/postgres.ts';
import { type Member, Team } from '../test/shared-team.ts';
import { MAIN, type WitnessedCost, witnessedCostOf } from './program.ts';
import { report } from './row.ts';

const { values } = parseArgs({
  options: {
    smoke: { type: 'boolean', default: process.argv.includes('--smoke') },
    jobs: { type: 'string', default: '100000' },
  },
});
const JOBS = values.smoke ? 2000 : Number(values.jobs);
const TREE = 'website';
/** The number of failed and of queued jobs among 100; the others are done. */
const FAILED = 1;
const QUEUED = 10;

if (NO_POSTGRES === undefined) await measure();
else console.log(`not measured: ${NO_POSTGRES}`);

async function measure(): Promise<void> {
  await using postgres = await openPostgres();
  await using team = await Team.start(postgres, { members: 1, texts: 10, program: MAIN });
  const [member] = team.members as [Member];
  await postgres.queues(team.schema, TREE);
  await fill(postgres, team.schema);
  const folder = await mkdtemp(join(tmpdir(), 'dragoman-bench-'));
  const state = `, folder: "${folder}", key: { env: STATE_KEY }, tree: ${TREE}`;
  member.configure(team.schema, '', { state });
  const STATE_KEY = Buffer.alloc(32, 7).toString('base64');
  Object.assign(process.env, { STATE_URL: postgres.runner, STATE_KEY });
  process.env['DRAGOMAN_KEY'] = team.sandbox.key;
  const ask = async (...args: readonly string[]) =>
    await witnessedCostOf([MAIN, ...args, '--json'], member.path('.'));
  const bare = await ask('state', 'status');
  tell('usage', await ask('usage'), bare);
  tell('explain', await ask('explain', 'en/file_0.json'), bare);
  tell('status', await ask('status'), bare);
  await rm(folder, { recursive: true });
}

function tell(command: string, cost: WitnessedCost, bare: WitnessedCost): void {
  const size = JOBS.toLocaleString('en-US');
  report({
    what: `${command} away from the leader of ${size} jobs`,
    ...{ today: cost.wallMs / 1000, bare: bare.wallMs / 1000, unit: 's', goal: { most: 2 } },
  });
  report({
    what: `${command} away from the leader of ${size} jobs, memory`,
    ...{ today: cost.peakMb, bare: bare.peakMb, unit: 'MB', goal: { most: 200 } },
  });
}

/** Jobs and sources as a ledger writes them, a charge for each twenty, and a daemon that leads and never falls silent. */
async function fill(postgres: Postgres, schema: string): Promise<void> {
  const sql = (text: string) => postgres.query(text.replaceAll('@', schema));
  await sql(`insert into @.trees (name) values ('${TREE}')`);
  await sql(
    `insert into @.tree_jobs (tree, id, record, fence, mark, by)
     select '${TREE}', 'app/de/en/' || n || '.json', jsonb_build_object('id', 'app/de/en/' || n || '.json', 'project', 'app',
       'lane', 'text', 'source', 'en/' || n || '.json', 'language', 'de', 'targets', jsonb_build_object('file', 'de/' || n || '.json'),
       'fingerprint', repeat(md5(n::text), 2), 'delivered', repeat(md5(n::text), 2), 'estimate', 100,
       'state', case when n % 100 < ${FAILED} then '{"kind": "failed", "failure": {"kind": "unsupported", "what": "it", "advice": "Nothing."}}'::jsonb
         when n % 100 < ${FAILED + QUEUED} then '{"kind": "queued"}' else '{"kind": "done", "at": "2026-10-19T10:00:00.000Z"}' end,
       'wrote', jsonb_build_array(jsonb_build_object('path', 'de/' || n || '.json', 'hash', repeat(md5(n::text), 2),
         'stat', '10:1:1:' || n))), 1, 'm' || n, 'bench' from generate_series(1, ${JOBS}) n`,
  );
  await sql(
    `insert into @.tree_records (tree, tbl, id, record, by, mark)
     select '${TREE}', 'sources', 'app/en/' || n || '.json', jsonb_build_object('id', 'app/en/' || n || '.json', 'project', 'app',
       'path', 'en/' || n || '.json', 'hash', repeat(md5(n::text), 2), 'stat', '10:1:1:' || n, 'since', '2026-10-19T10:00:00.000Z'),
       'bench', 'm' || n from generate_series(1, ${JOBS}) n`,
  );
  await sql(
    `insert into @.charges (id, project, at, characters, seconds, record)
     select 'c' || n, 'app', now(), 100, 0, jsonb_build_object('id', 'c' || n, 'job', 'app/de/en/' || n || '.json', 'project', 'app',
       'language', 'de', 'lane', 'text', 'at', '2026-10-19T10:00:00.000Z', 'kind', 'billed', 'characters', 100, 'estimated', 100)
     from generate_series(1, ${JOBS} / 20) n`,
  );
  await sql(
    `with leader as (insert into @.runners (id, name, beat, waiting)
       values (gen_random_uuid(), 'leader', now() + interval '1 day', 0) returning id),
     led as (insert into @.leases select 'tree ${TREE}', id, now() + interval '1 day' from leader)
     insert into @.daemons (id, tree, name, host, role, version) select id, '${TREE}', 'leader', 'elsewhere', 'both', '0' from leader`,
  );
  await sql('analyze @.tree_jobs, @.tree_records, @.charges');
}
