/** A document purchase step by step: a real ledger and spool, the sandbox over a socket, time that the test lets pass. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Events } from '../../../src/event.ts';
import { JobFailure } from '../../../src/failure.ts';
import { hashBytes } from '../../../src/files/disk.ts';
import { Semaphore } from '../../../src/files/semaphore.ts';
import type { Fingerprint } from '../../../src/job.ts';
import { buyDocument, type DocumentOrder } from '../../../src/lanes/document/buy.ts';
import type { DocumentCase } from '../../../src/lanes/document/document-case.ts';
import { fetchRemaining } from '../../../src/lanes/document/fetch-remaining.ts';
import {
  DocumentReservations,
  type PurchaseContext,
  type PurchaseProgress,
} from '../../../src/lanes/document/purchase-context.ts';
import { Spool } from '../../../src/lanes/document/spool.ts';
import { InProgress } from '../../../src/lanes/remote-purchase.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { Ledger } from '../../../src/ledger.ts';
import { recipeFor } from '../../../src/plan/recipe.ts';
import type { SimulatedFault } from '../../../src/sandbox/faults.ts';
import { startSandbox } from '../../../src/sandbox/server.ts';
import { connect } from '../../../src/service/client.ts';
import { type DocumentPurchase, purchaseKey } from '../../../src/state/document-purchase.ts';
import { Purchases } from '../../../src/state/document-purchases.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { jobRecord } from '../../contracts/ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { projectOf } from '../../projects.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const UPLOAD = 'POST /v2/document';
const STATUS = 'POST /v2/document/{document_id}';
const RESULT = 'POST /v2/document/{document_id}/result';
const TEXT = 'Hello, world. Good morning.';

async function open(faults: SimulatedFault[] = []) {
  const folder = await temporaryFolder();
  const clock = manualClock();
  const sandbox = await startSandbox({ timeScale: 10_000, faults });
  const ledger = await openLedger({ folder: join(folder, 'state'), clock });
  const service = connect({ url: sandbox.url, key: sandbox.key });
  onTestFinished(async () => {
    await service[Symbol.asyncDispose]();
    await ledger[Symbol.asyncDispose]();
    await sandbox[Symbol.asyncDispose]();
  });
  const purchasing = (over: Ledger = ledger): PurchaseContext => ({
    documents: service.documents,
    abilities: { dialect: 'document', limits: {}, styles: 'unknown' },
    purchases: new Purchases(over),
    spool: new Spool(join(folder, 'spool')),
    clock,
    events: new Events(),
    reservations: new DocumentReservations({
      allow: async () => ({ kind: 'allowed', [Symbol.dispose]: () => {} }),
      setAside: () => ({ [Symbol.dispose]: () => {} }),
      ended: () => {},
      booked: () => {},
    }),
    downloads: new Semaphore(2),
    polls: new Map(),
    inProgress: new InProgress(),
    sourceTerms: new Map(),
    rootOf: () => folder,
    remoteIds: async () => ({}),
    doubt: () => {},
    inForce: { serviceDigest: '' },
  });
  const order = await orderIn(folder);
  const calls = (operation: string) => sandbox.counters().operations[operation]?.calls ?? 0;
  return { ledger, purchasing, order, clock, calls };
}

async function orderIn(folder: string): Promise<DocumentOrder> {
  const sourcePath = join(folder, 'a.txt');
  await writeFile(sourcePath, TEXT);
  const hash = hashBytes(TEXT);
  const fingerprint = `${hash}.recipe` as Fingerprint;
  const job = jobRecord('a', { lane: 'document', source: 'a.txt', fingerprint });
  const project = projectOf();
  const doc = {
    job,
    project,
    route: project.routes[0],
    recipe: recipeFor(project, 'de' as LanguageTag),
    source: { hash },
    sourcePath,
    extension: 'txt',
    output: 'txt',
    minify: false,
    key: purchaseKey(hash, { target_lang: 'de', output: 'txt' }),
    projectTerms: {},
  } as unknown as DocumentCase;
  return { job, doc, signal: new AbortController().signal };
}

/** Goes on, as the queue would, until there is no time to wait for. */
async function goOn(
  { clock, order }: Awaited<ReturnType<typeof open>>,
  purchasing: PurchaseContext,
): Promise<PurchaseProgress> {
  for (;;) {
    const progress = await buyDocument(purchasing, order);
    if (progress.kind !== 'wait') return progress;
    await clock.pass(progress.at - clock.now());
  }
}

/** The ledger, on a disk that refuses to take one record. */
function refusing(ledger: Ledger, stage: DocumentPurchase['stage']['kind']): Ledger {
  const commit: Ledger['commit'] = async (facts) => {
    const isThat = facts.some(
      (fact) => 'put' in fact && 'value' in fact.put && stageOf(fact.put.value) === stage,
    );
    if (isThat) throw new JobFailure({ kind: 'unwritable', file: 'journal', code: 'EIO' });
    await ledger.commit(facts);
  };
  return new Proxy(ledger, {
    get(target, name) {
      if (name === 'commit') return commit;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

const stageOf = (value: unknown) => (value as DocumentPurchase).stage.kind;

test('a document is uploaded once, billed once and fetched once', async () => {
  const rig = await open();
  const purchasing = rig.purchasing();
  expect(await goOn(rig, purchasing)).toMatchObject({ kind: 'kept' });
  expect(await goOn(rig, purchasing)).toMatchObject({ kind: 'kept' });
  expect([rig.calls(UPLOAD), rig.calls(RESULT)]).toEqual([1, 1]);
  expect([...rig.ledger.all('charges')]).toMatchObject([{ kind: 'billed', lane: 'document' }]);
});

test('an upload that was accepted and could not be recorded is in doubt, and is not sent again', async () => {
  const rig = await open();
  const failing = buyDocument(rig.purchasing(refusing(rig.ledger, 'uploaded')), rig.order);
  await expect(failing).rejects.toMatchObject({ failure: { kind: 'unwritable' } });
  const after = await buyDocument(rig.purchasing(), rig.order);
  expect(after).toMatchObject({ kind: 'hold', hold: { kind: 'in-doubt' } });
  expect(rig.calls(UPLOAD)).toBe(1);
});

test('an upload in doubt is on the books at once, and not a second time when a person buys it again', async () => {
  const rig = await open();
  await buyDocument(rig.purchasing(refusing(rig.ledger, 'uploaded')), rig.order).catch(() => {});
  await buyDocument(rig.purchasing(), rig.order);
  await buyDocument(rig.purchasing(), rig.order);
  const doubtful = { kind: 'possibly-twice', lane: 'document' };
  expect([...rig.ledger.all('charges')]).toMatchObject([doubtful]);
  const { fingerprint } = rig.order.job;
  const release = { kind: 'retry', fingerprint, at: '2026-10-19T11:00:00.000Z' } as const;
  const order = { ...rig.order, job: { ...rig.order.job, release } };
  expect(await goOn({ ...rig, order }, rig.purchasing())).toMatchObject({ kind: 'kept' });
  expect([...rig.ledger.all('charges')]).toMatchObject([doubtful, { kind: 'billed' }]);
});

test('an upload in doubt whose source has other content by now is on the books too', async () => {
  const rig = await open();
  await buyDocument(rig.purchasing(refusing(rig.ledger, 'uploaded')), rig.order).catch(() => {});
  const { job, signal } = rig.order;
  const newer = { ...job, fingerprint: `${hashBytes('Newer.')}.recipe` as Fingerprint };
  await fetchRemaining(rig.purchasing(), { job: newer, signal });
  expect([...rig.ledger.all('charges')]).toMatchObject([{ kind: 'possibly-twice' }]);
});

test('an upload that the service refuses bills nothing and is started again', async () => {
  const rig = await open([{ kind: 'status', status: 400, operation: UPLOAD, times: 1 }]);
  const purchasing = rig.purchasing();
  await expect(buyDocument(purchasing, rig.order)).rejects.toMatchObject({
    failure: { kind: 'rejected' },
  });
  expect(purchasing.purchases.get(rig.order.doc.key)?.stage).toEqual({ kind: 'intent' });
  expect(await goOn(rig, purchasing)).toMatchObject({ kind: 'kept' });
});

test('a result that came whole before its record could say so is not fetched again', async () => {
  const rig = await open();
  const failing = goOn(rig, rig.purchasing(refusing(rig.ledger, 'downloaded')));
  await expect(failing).rejects.toMatchObject({ failure: { kind: 'unwritable' } });
  expect(await goOn(rig, rig.purchasing())).toMatchObject({ kind: 'kept' });
  expect(rig.calls(RESULT)).toBe(1);
});

test('a document that is never done is given up after an hour, says so, and is asked for again without being bought again', async () => {
  const stuck = { kind: 'unknown_state', state: 'translating', operation: STATUS } as const;
  const rig = await open([{ ...stuck, times: 300 }]);
  const purchasing = rig.purchasing();
  const begun = rig.clock.now();
  await expect(goOn(rig, purchasing)).rejects.toMatchObject({
    failure: { kind: 'unanswered', message: expect.stringContaining('more than an hour') },
  });
  const hours = (rig.clock.now() - begun) / 3_600_000;
  expect([hours > 1, hours < 1.1]).toEqual([true, true]);
  expect(await goOn(rig, purchasing)).toMatchObject({ kind: 'kept' });
  expect(rig.calls(UPLOAD)).toBe(1);
});

test('a document is asked for in its time when the clock is set back by a day', async () => {
  const rig = await open();
  const purchasing = rig.purchasing();
  expect(await buyDocument(purchasing, rig.order)).toMatchObject({ kind: 'wait' });
  rig.clock.setBack(24 * 3_600_000);
  const back = rig.clock.now();
  expect(await goOn(rig, purchasing)).toMatchObject({ kind: 'kept' });
  expect(rig.clock.now() - back).toBeLessThan(3_600_000);
});
