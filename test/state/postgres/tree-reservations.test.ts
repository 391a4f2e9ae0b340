/** Reservations of targets among the daemons of a tree: asked of one real database. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { TreeReservations } from '../../../src/state/postgres/tree-reservations.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';
import { until } from '../../until.ts';

const TARGET = { project: 'app', path: 'app/all.xcstrings' };

describe.skipIf(NO_POSTGRES !== undefined)('a target of a tree', () => {
  let postgres: Postgres;
  let database: Database;
  let schema: string;
  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    database = new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 60_000 },
      onAway: () => {},
      onBack: () => {},
    });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  /** A daemon; `refused` counts how often the database said no. */
  function daemon(tree: string, clock = systemClock) {
    let refused = 0;
    const counting = {
      callOnce: database.callOnce.bind(database),
      call: async <T>(...asked: Parameters<Database['call']>): Promise<T> => {
        const answer = await database.call<T>(...asked);
        if (answer === false) refused += 1;
        return answer;
      },
    };
    const reservations = new TreeReservations({ database: counting, tree, clock });
    onTestFinished(() => reservations[Symbol.asyncDispose]());
    return { reservations, refused: () => refused };
  }

  const lapse = async () =>
    await postgres.query(
      `update ${schema}.leases set until = now() - interval '1 s' where name like 'file %'`,
    );

  test('is reserved for one at a time, in one daemon or in several, until its reservation ends', async () => {
    const [first, second] = [daemon('turns'), daemon('turns')];
    const taken = await first.reservations.take(TARGET);
    expect(taken.isValid()).toBe(true);
    const order: string[] = [];
    const others = [first, second].map(async ({ reservations }, nth) => {
      using other = await reservations.take(TARGET);
      order.push(`${nth} ${other.isValid()}`);
    });
    await until(() => first.refused() > 0 && second.refused() > 0);
    expect(order).toEqual([]);
    taken[Symbol.dispose]();
    await Promise.all(others);
    expect(new Set(order)).toEqual(new Set(['0 true', '1 true']));
    for (const { reservations } of [first, second]) await reservations[Symbol.asyncDispose]();
    // Nothing is left of them.
    expect(await postgres.query(`select name from ${schema}.leases`)).toEqual([]);
  });

  test('is reserved apart from other paths, projects and trees', async () => {
    const [one, other] = [daemon('apart'), daemon('apart too')];
    using _first = await one.reservations.take(TARGET);
    using _path = await one.reservations.take({ ...TARGET, path: 'app/other.xcstrings' });
    using _project = await one.reservations.take({ ...TARGET, project: 'web' });
    using _tree = await other.reservations.take(TARGET);
    expect(one.refused() + other.refused()).toBe(0);
  });

  test('is not replaced by a daemon that was suspended: it asks again, and waits for who has the target now', async () => {
    const clock = manualClock();
    const [late, next] = [daemon('stalls', clock), daemon('stalls')];
    using reserved = await late.reservations.take(TARGET);
    await clock.pass(3999);
    expect(reserved.isValid()).toBe(true);
    await clock.pass(1);
    expect(reserved.isValid()).toBe(false);
    await lapse();
    const taken = await next.reservations.take(TARGET);
    const renewed = reserved.renew();
    await until(() => clock.timers > 0);
    expect([late.refused(), reserved.isValid()]).toEqual([1, false]);
    taken[Symbol.dispose]();
    await next.reservations[Symbol.asyncDispose]();
    await clock.pass(50);
    await renewed;
    expect(reserved.isValid()).toBe(true);
  });

  test('stays with the next daemon when one ends that was too late', async () => {
    const [late, next, third] = [daemon('late'), daemon('late'), daemon('late')];
    const reserved = await late.reservations.take(TARGET);
    await lapse();
    const taken = await next.reservations.take(TARGET);
    reserved[Symbol.dispose]();
    await late.reservations[Symbol.asyncDispose]();
    const waiting = third.reservations.take(TARGET);
    await until(() => third.refused() > 0);
    expect(taken.isValid()).toBe(true);
    taken[Symbol.dispose]();
    (await waiting)[Symbol.dispose]();
  });
});
