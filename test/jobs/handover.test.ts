/**
 * Daemons of one tree that work on the same files: when one is suspended, its jobs go on in another daemon. When the first one wakes
 * up, it changes nothing. Their ledgers are in a real PostgreSQL, and the steps are those that the test chooses.
 */
import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import type { JobId } from '../../src/job.ts';
import { Database } from '../../src/state/postgres/database.ts';
import { Seal } from '../../src/state/postgres/seal.ts';
import { TreeBaselines } from '../../src/state/postgres/tree-baselines.ts';
import { TreeLedger } from '../../src/state/postgres/tree-ledger.ts';
import { NO_POSTGRES, openPostgres, type Postgres } from '../postgres.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Gate, translated, WorkModel } from './work-model.ts';

const JOB = 'app/de/en/a.json' as JobId;

describe.skipIf(NO_POSTGRES !== undefined)(`daemons of one tree ${NO_POSTGRES ?? ''}`, () => {
  let postgres: Postgres;
  let schema: string;
  let database: Database;
  let trees = 0;
  beforeAll(async () => {
    postgres = await openPostgres();
    schema = await postgres.schema();
    const quiet = { patienceMs: 60_000, onAway: () => {}, onBack: () => {} };
    database = new Database({ url: postgres.runner, schema, clock: systemClock, ...quiet });
  });
  afterAll(async () => {
    await database[Symbol.asyncDispose]();
    await postgres[Symbol.asyncDispose]();
  });

  /** The first one leads. */
  async function daemons(count: number) {
    const tree = `tree-${++trees}`;
    const root = await temporaryFolder();
    const leader = randomUUID();
    await database.call('take_lease', `tree ${tree}`, leader, 3600);
    const seal = Seal.from('7'.repeat(64)) as Seal;
    await using opening = new AsyncDisposableStack();
    const models: WorkModel[] = [];
    for (let n = 0; n < count; n++) {
      const leads = n === 0 ? { leader } : {};
      const common = { database, tree, clock: systemClock, view: 'tree', seal } as const;
      const ledger = await TreeLedger.open({ ...common, ...leads });
      const baselines = new TreeBaselines({ database, tree, leader: n === 0 ? leader : undefined });
      const state = join(root, `.dragoman-${n}`);
      models.push(opening.use(await WorkModel.open(root, { ledger, baselines, state })));
    }
    const look = async () => {
      for (const { ledger } of models) await (ledger as TreeLedger).refresh();
    };
    /** The time is over in which only the daemon that puts the target in place may change the job. */
    const lapse = () =>
      postgres.query(`update ${schema}.tree_jobs set held_until = null where tree = '${tree}'`);
    const stack = opening.move();
    const close = () => stack.disposeAsync();
    return { root, models, look, lapse, [Symbol.asyncDispose]: close };
  }

  function offer(model: WorkModel, id: JobId): void {
    void model.queue.offer({ id, lane: 'text' });
  }

  test.each<[string, Gate, number]>([
    ['had sent its texts', 'buy', 2],
    ['had its answer and put nothing in place', 'publish', 2],
    // The baseline knows the target that it put in place, and nobody buys it again.
    ['had put its target in place and not settled', 'settle', 0],
  ])(
    'another daemon does the jobs of a daemon that %s, which changes nothing when it wakes up',
    async (_when, gate, bought) => {
      await using tree = await daemons(2);
      const { root, models, look, lapse } = tree;
      const [first, second] = models as [WorkModel, WorkModel];
      await first.write('en/a.json', json('one'));
      await first.tell(0);
      await first.goOnTo(gate);
      await look();
      const fence = (second.ledger.get('jobs', JOB)?.fence ?? 0) + 1;
      await lapse();
      second.openGates();
      offer(second, JOB);
      await second.quiet();
      const target = join(root, 'de/a.json');
      const seen = await stat(target, { bigint: true });
      const job = second.ledger.get('jobs', JOB);
      expect(job).toMatchObject({ fence, state: { kind: 'done' } });
      expect(second.bought).toBe(bought);
      first.openGates();
      await first.quiet();
      expect((await stat(target, { bigint: true })).ctimeNs).toBe(seen.ctimeNs);
      await look();
      for (const { ledger } of models) expect(ledger.get('jobs', JOB)).toEqual(job);
      await first.settle();
      expect(await first.files('de')).toEqual({ 'a.json': json('one', translated) });
    },
  );

  test.each<[string, boolean]>([
    ['while another one works at it', true],
    ['before anybody else has looked at it', false],
  ])(
    'a target that was put in place and not settled is removed with its source, also when the source is removed %s',
    async (_when, isTakenOver) => {
      await using tree = await daemons(2);
      const { models, look, lapse } = tree;
      const [leader, worker] = models as [WorkModel, WorkModel];
      await leader.write('en/a.json', json('one'));
      await leader.tell(0);
      await leader.goOnTo('settle');
      await leader.remove('en/a.json');
      await lapse();
      await look();
      if (isTakenOver) {
        worker.openGates();
        offer(worker, JOB);
        await worker.quiet();
        // No look has found yet that its source is gone: it is tried again in a moment.
        expect(worker.ledger.get('jobs', JOB)).toMatchObject({
          state: { kind: 'running', attempt: 2 },
        });
        await look();
      }
      await leader.settle();
      expect(await leader.files('de')).toEqual({});
      expect(leader.ledger.get('jobs', JOB)).toBeUndefined();
    },
  );

  const name = fc.constantFrom('a', 'b');
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ write: name, text: fc.constantFrom('one', 'two') }) },
    { weight: 2, arbitrary: fc.record({ remove: name }) },
    { weight: 3, arbitrary: fc.constant({ tell: true } as const) },
    { weight: 4, arbitrary: fc.record({ takeOver: name, by: fc.nat(2) }) },
    { weight: 8, arbitrary: fc.record({ goOn: fc.nat(2), which: fc.nat(2) }) },
  );

  test('after any handovers of a job and any changes of its source, each target is right in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        await using tree = await daemons(3);
        const { models, look, lapse } = tree;
        const [leader] = models as [WorkModel];
        for (const one of steps) {
          if ('write' in one) await leader.write(`en/${one.write}.json`, json(one.text));
          else if ('remove' in one) await leader.remove(`en/${one.remove}.json`);
          else if ('tell' in one) await leader.tell(0);
          else if ('takeOver' in one) {
            const id = `app/de/en/${one.takeOver}.json` as JobId;
            const taker = models[one.by] as WorkModel;
            if (taker.ledger.get('jobs', id) !== undefined) offer(taker, id);
          } else models[one.goOn]?.letOneGoOn(one.which);
          await lapse();
          await look();
        }
        for (const model of models) model.openGates();
        await lapse();
        for (const model of models) await model.quiet();
        await look();
        await leader.settle();
        const sources = Object.keys(await leader.files('en'));
        const jobs = [...leader.ledger.all('jobs')].map(({ id, state }) => [id, state.kind]);
        expect(Object.fromEntries(jobs)).toEqual(
          Object.fromEntries(sources.map((each) => [`app/de/en/${each}`, 'done'])),
        );
        const texts = Object.entries(await leader.files('en')).map(([each, file]) => {
          const { first } = JSON.parse(file) as { first: string };
          return [each, json(first.slice('Some '.length), translated)];
        });
        expect(await leader.files('de')).toEqual(Object.fromEntries(texts));
      }),
      { numRuns: 8 },
    );
  });
});

function json(text: string, as: (text: string) => string = (plain) => plain): string {
  return `${JSON.stringify({ first: as(`Some ${text}`), second: as('The same') }, null, 2)}\n`;
}
