/** Whether a daemon may change files of a tree that it leads: asked of one real database. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { LeadLease } from '../../../src/state/postgres/lead-lease.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';

const TAKEN = { failure: { kind: 'team-state', problem: 'taken' } };

describe.skipIf(NO_POSTGRES !== undefined)('a leader of a tree', () => {
  let postgres: Postgres;
  let database: Database;
  let schema: string;
  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    database = new Database({
      ...{ url: postgres.runner, schema, clock: systemClock, patienceMs: 5000 },
      onAway: () => {},
      onBack: () => {},
    });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  async function daemon(tree: string, clock = manualClock()) {
    const runner = { id: randomUUID(), name: 'daemon' };
    await database.call('beat', JSON.stringify({ ...runner, waiting: 0 }));
    const [patienceMs, ending] = [0, undefined];
    return new LeadLease(tree, { database, clock, runner, patienceMs, ending, onTaken: () => {} });
  }

  test('may change files for four seconds after a beat, and asks again after a longer pause', async () => {
    const clock = manualClock();
    await using lease = await daemon('pauses', clock);
    await lease.take();
    expect(lease.isValid()).toBe(false);
    await lease.renew();
    await clock.pass(3999);
    expect(lease.isValid()).toBe(true);
    await clock.pass(1);
    expect(lease.isValid()).toBe(false);
    await lease.renew();
    expect(lease.isValid()).toBe(true);
  });

  test('that was given up may change nothing, though it lives again', async () => {
    const clock = manualClock();
    await using lease = await daemon('stalls', clock);
    await using next = await daemon('stalls');
    await lease.take();
    await lease.renew();
    await postgres.query(
      `select ${schema}.give_up(runner) from ${schema}.leases where name = 'tree stalls'`,
    );
    await next.take();
    await clock.pass(6000);
    await expect(lease.renew()).rejects.toMatchObject(TAKEN);
    expect(lease.isValid()).toBe(false);
    await next.renew();
    expect(next.isValid()).toBe(true);
  });

  test('may change nothing where it works for another one, or has ended', async () => {
    const lease = await daemon('ends');
    await using worker = await daemon('ends');
    await lease.take();
    await worker.ask();
    await expect(worker.renew()).rejects.toMatchObject(TAKEN);
    await lease.renew();
    await lease[Symbol.asyncDispose]();
    expect(lease.isValid()).toBe(false);
  });
});
