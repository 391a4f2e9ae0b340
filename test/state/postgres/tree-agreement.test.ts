/** A claim is made with the config of the tree: it is refused if the leader has changed that config meanwhile. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/clock.ts';
import type { SharedSettings } from '../../../src/config/shared-settings.ts';
import type { JobId } from '../../../src/job.ts';
import { Database } from '../../../src/state/postgres/database.ts';
import { Seal } from '../../../src/state/postgres/seal.ts';
import { TreeAgreement } from '../../../src/state/postgres/tree-agreement.ts';
import { TreeLedger } from '../../../src/state/postgres/tree-ledger.ts';
import { jobRecord } from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../../postgres.ts';

const JOB = 'j' as JobId;
const OLD = { 'projects.app.targets': 'a', 'service.url': 'u' };
const NEW = { ...OLD, 'projects.app.targets': 'b' };

describe.skipIf(NO_POSTGRES !== undefined)('the config of a tree', () => {
  let postgres: Postgres;
  let schema: string;
  let database: Database;
  let trees = 0;
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

  async function daemon(tree: string, settings: SharedSettings, view: 'tree' | 'claims') {
    const runner = { id: randomUUID(), name: view === 'tree' ? 'one' : 'two' };
    const troubles: (string | undefined)[] = [];
    const agreement = new TreeAgreement({
      ...{ database, tree, runner, settings },
      onChange: (trouble) => troubles.push(trouble),
    });
    const seal = Seal.from('7'.repeat(64)) as Seal;
    const options = { database, clock: manualClock(), tree, seal, agreement };
    const ledger = await TreeLedger.open({ ...options, view });
    return { runner, agreement, ledger, troubles };
  }

  async function pair(of: { readonly leader: SharedSettings; readonly worker: SharedSettings }) {
    const tree = `tree-${++trees}`;
    const leader = await daemon(tree, of.leader, 'tree');
    await database.call('take_lease', `tree ${tree}`, leader.runner.id, 3600);
    const worker = await daemon(tree, of.worker, 'claims');
    await leader.ledger.commit([{ table: 'jobs', add: jobRecord('j') }]);
    const fence = async () => {
      const [row] = await postgres.query(
        `select fence::int as fence from ${schema}.tree_jobs where tree = '${tree}'`,
      );
      return row?.['fence'];
    };
    return { leader, worker, fence };
  }

  test('refuses the claim of a daemon that does not know the new one yet, and the claim changes nothing', async () => {
    const { leader, worker, fence } = await pair({ leader: OLD, worker: OLD });
    expect(await leader.agreement.lead()).toBe(1);
    await worker.agreement.refresh();
    await leader.agreement.change(NEW);
    const before = await fence();
    expect(await worker.ledger.claim(JOB)).toBeUndefined();
    expect(await fence()).toBe(before);
    expect(worker.agreement.name).toBeUndefined();
    expect(worker.troubles.at(-1)).toContain('that of one, which leads (projects.app.targets)');
    await worker.agreement.change(NEW);
    expect(worker.troubles.at(-1)).toBeUndefined();
    expect(await worker.ledger.claim(JOB)).toMatchObject({ id: JOB });
  });

  test('is empty where a leader of an earlier version sent none, and settings that only one version knows are no difference', async () => {
    const later = { ...OLD, 'service.later': 'x' };
    const { leader, worker } = await pair({ leader: later, worker: OLD });
    expect((await worker.ledger.claim(JOB))?.id).toBe(JOB);
    await leader.agreement.lead();
    await worker.agreement.refresh();
    expect((await worker.ledger.claim(JOB))?.id).toBe(JOB);
  });

  test('is set by the leader alone, and each lead has a number of its own', async () => {
    const { leader, worker } = await pair({ leader: OLD, worker: NEW });
    expect(await leader.agreement.lead()).toBe(1);
    await expect(worker.agreement.lead()).rejects.toThrow('another daemon leads');
    await leader.agreement.change(NEW);
    expect(await leader.agreement.lead()).toBe(2);
  });
});
