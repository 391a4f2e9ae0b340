/** How many connections a process opens for its statements: asked of one real database. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Connections } from '../../../src/state/postgres/connections.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';

describe.skipIf(NO_POSTGRES !== undefined)('the connections of a process', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await openPostgres();
  });
  afterAll(async () => await postgres[Symbol.asyncDispose]());

  function opened() {
    const connections = new Connections(postgres.owner);
    const pidOf = async () => {
      const { rows } = await connections.ask<{ pid: number }>('select pg_backend_pid() as pid');
      return rows[0]?.pid;
    };
    return { connections, pidOf, [Symbol.asyncDispose]: () => connections.end() };
  }

  test('one serves all statements that come one after the other, and transactions between them', async () => {
    await using process = opened();
    const pids = new Set([await process.pidOf()]);
    await process.connections.transaction(async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      pids.add(rows[0].pid);
    });
    pids.add(await process.pidOf());
    expect(pids.size).toBe(1);
  });

  test('a transaction that takes long holds up no other statement, also not one that it waits for', async () => {
    await using process = opened();
    const [own, other] = await process.connections.transaction(async (client) => {
      const { rows } = await client.query('select pg_backend_pid() as pid');
      return [rows[0].pid, await process.pidOf()];
    });
    expect(other).not.toBe(own);
  });

  test('statements wait for each other when there are as many connections as a process may have', async () => {
    await using process = opened();
    const over = Promise.withResolvers<void>();
    const begun = Array.from({ length: 8 }, () => Promise.withResolvers<void>());
    const held = begun.map(({ resolve }) =>
      process.connections.transaction(async (client) => {
        const { rows } = await client.query('select pg_backend_pid() as pid');
        resolve();
        await over.promise;
        return rows[0].pid as number;
      }),
    );
    await Promise.all(begun.map(({ promise }) => promise));
    const ninth = process.pidOf();
    over.resolve();
    const pids = await Promise.all(held);
    expect(pids).toContain(await ninth);
  });
});
