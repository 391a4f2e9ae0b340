/** The daemons of a tree have one time, that of its database: each compares times that others wrote. Real processes. */
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { startTree } from '../tree-rig.ts';
import { until } from '../until.ts';

const HOUR_MS = 3_600_000;
/** Half of it: a slow machine does no harm. */
const OFF = `abs(extract(epoch from (record->'state'->>'at')::timestamptz - clock_timestamp())) > 1800`;

describe.skipIf(NO_POSTGRES !== undefined)('a tree', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  test.each([HOUR_MS, -HOUR_MS])(
    'a clock of a machine that is wrong by %i ms changes nothing in the tree',
    async (ahead) => {
      const { team, member, start, end, count } = await startTree(postgres, { files: 1 });
      await using _team = team;
      const wrong = await start('both', undefined, { ahead });
      await until(() => count() === 1);
      await team.until(`select from @.tree_jobs where record->'state'->>'kind' = 'done'`);
      expect(await end(wrong, 'SIGTERM')).toBe(0);
      const off = await postgres.query(`select record from ${team.schema}.tree_jobs where ${OFF}`);
      expect(off).toEqual([]);
      const runs = readdirSync(member.path('.dragoman-spool/undo')).filter((name) =>
        name.endsWith('Z'),
      );
      const offBy = runs.map((run) => Math.abs(Date.parse(run) - Date.now()));
      expect([runs.length, Math.max(...offBy) < HOUR_MS / 2]).toEqual([1, true]);
    },
  );
});
