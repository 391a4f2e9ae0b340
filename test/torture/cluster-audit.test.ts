/** The torture of a tree finds a file that a daemon wrote which had lost its claim. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import type { TracedRename } from '../traced-renames-process.ts';
import { Audit } from './cluster-audit.ts';

const [FIRST, SECOND] = [11, 22];
const TEMPORARY = '.dragoman-11-0123abcd-4567ef89.tmp';

describe.skipIf(NO_POSTGRES !== undefined)('the audit of who wrote which file', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  /** The first daemon had the job of a target and the lead; now the second one has them. */
  async function audited() {
    const schema = await postgres.schema();
    const audit = await Audit.begin(postgres, schema);
    const root = await temporaryFolder();
    const trace = join(root, '..', `renames-${schema}`);
    const ask = async (sql: string) => await postgres.query(sql.replaceAll('@', schema));
    const now = async () => {
      const [row] = await ask('select extract(epoch from clock_timestamp())::float8 * 1000 as now');
      return Number(row?.['now']);
    };
    await ask(`insert into @.trees (name) values ('website')`);
    await ask(`insert into @.tree_jobs (tree, id, record, fence, mark, by)
      values ('website', 'job', '{"targets": {"file": "de/a.json"}}', 0, '', '')`);
    const begin = async (pid: number) => {
      const id = crypto.randomUUID();
      await ask(`insert into @.runners (id, name) values ('${id}', 'host-${pid}')`);
      await ask(`insert into @.turns (id, tree, lane, job, runner, record)
        values (gen_random_uuid(), 'website', 'text', 'job', '${id}', '{}')`);
      await ask(`insert into @.leases values ('tree website', '${id}', now() + interval '1 h')
        on conflict (name) do update set runner = excluded.runner`);
      return await now();
    };
    const first = await begin(FIRST);
    await ask('delete from @.turns');
    await ask('select pg_sleep(0.3)');
    const second = await begin(SECOND);
    const require = async (...renames: readonly Partial<TracedRename>[]) => {
      const lines = renames.map((rename) => {
        const { made = 0, from = TEMPORARY, to = 'de/a.json', ...rest } = rename;
        const paths = { from: join(root, from), to: join(root, to) };
        return JSON.stringify({ asked: made - 10, made, ...rest, ...paths });
      });
      writeFileSync(trace, `${lines.join('\n')}\n`);
      return await audit.require(trace, root);
    };
    return { first, second, require };
  }

  test('accepts what was written by the daemon that had the job, by the leader, and in the middle of a rename', async () => {
    const { first, second, require } = await audited();
    const said = await require({ pid: FIRST, made: first }, { pid: SECOND, made: second }, {
      pid: FIRST,
      made: first,
      to: 'dragoman.lock/app/de',
    }, { pid: FIRST, made: second, asked: second - 12_000 }, {
      pid: FIRST,
      made: second,
      to: '.dragoman-spool/a',
    });
    expect(said).toMatch(/^2 files .* that had the job, 1 by the leader, and 1 by one that/);
  });

  test('refuses targets, the lock, moves and sources that a daemon wrote which has neither the job nor the lead any more', async () => {
    const { second, require } = await audited();
    for (const rename of [
      { to: 'de/a.json' },
      { to: 'dragoman.lock/app/de' },
      { from: 'de/b.json' },
      { to: 'en/a.json' },
    ]) {
      const made = second + 1000;
      await expect(require({ pid: FIRST, made, ...rename })).rejects.toThrow(
        /^1 files written by a daemon that had no right to/,
      );
    }
  });
});
