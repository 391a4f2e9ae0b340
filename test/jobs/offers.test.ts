/** Jobs that nobody would take up are found and offered, and work that does not move is told. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Event, Events } from '../../src/event.ts';
import { Mutex } from '../../src/files/mutex.ts';
import { type Hash, type JobId, type JobState, type Stat, sourceId } from '../../src/job.ts';
import { inProcessQueue } from '../../src/jobs/in-process-queue.ts';
import { LOOK_MS, Offers } from '../../src/jobs/offers.ts';
import type { OfferOutcome } from '../../src/jobs/queue.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { Claim, JobRecord, SourceRecord } from '../../src/ledger.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { jobRecord, presentJob } from '../contracts/ledger.ts';
import { manualClock } from '../manual-clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { inForceAt } from './in-force.ts';

const LANGUAGE = 'de' as LanguageTag;
const RUNNING: JobState = { kind: 'running', attempt: 1, step: { kind: 'started' } };

/** Offers over a real ledger and queue; jobs that run end when the test ends them. */
async function offersOf(...names: readonly string[]) {
  const root = await temporaryFolder();
  const clock = manualClock();
  const ledger = await openLedger({ folder: join(root, '.dragoman'), clock });
  const sources = names.map(sourceOf);
  await ledger.commit(sources.map((put) => ({ table: 'sources', put, from: undefined })));
  const planner = inForceAt(root, ledger).planner;
  const running = new Map<JobId, PromiseWithResolvers<OfferOutcome>>();
  const worker = async ({ id }: { id: JobId }) => {
    const ended = Promise.withResolvers<OfferOutcome>();
    running.set(id, ended);
    return await ended.promise;
  };
  const windows = { text: 1, document: 1, subtitle: 1, voice: 1 };
  const queue = inProcessQueue({ worker, windows, clock });
  const events = new Events();
  const heard: Event[] = [];
  events.subscribe((event) => void heard.push(event));
  const spending = { bills: 0 };
  const offers = new Offers({
    ...{ ledger, queue, events, clock },
    inForce: { planner },
    spending,
    publications: new Mutex(),
  });
  const add = async (name: string, state: JobState, changes: Partial<JobRecord> = {}) => {
    const source = sourceOf(name);
    const fingerprint = planner.fingerprint(source, LANGUAGE);
    if (fingerprint === undefined) throw new Error(`no route matches ${name}`);
    const id = `app/de/${source.path}`;
    const targets = { file: `de/${name}.md` };
    const job = jobRecord(id, { source: source.path, targets, fingerprint, state, ...changes });
    await ledger.commit([{ table: 'jobs', add: job }]);
    return job.id;
  };
  const look = async () => {
    await clock.pass(LOOK_MS);
    return offers.look().map(({ job }) => job.id);
  };
  return { root, planner, clock, ledger, offers, spending, queue, running, heard, add, look };
}

function sourceOf(name: string): SourceRecord {
  const path = `en/${name}.md`;
  const content = { hash: `hash of ${name}` as Hash, stat: '1:1:1:1' as Stat };
  return { id: sourceId('app', path), project: 'app', path, ...content, since: 'then' };
}

test('a job that is queued and was offered by nobody is found by the second look', async () => {
  const { ledger, offers, queue, add, look } = await offersOf('a');
  await using _ = ledger;
  const id = await add('a', { kind: 'queued' });
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([id]);
  await offers.enter(
    ledger.get('jobs', id) ? [{ job: presentJob(ledger, id), reason: 'new' }] : [],
  );
  expect(queue.has(id)).toBe(true);
  expect(await look()).toEqual([]);
});

test('many jobs are written in portions, and all of them before the first is offered', async () => {
  const names = Array.from({ length: 2001 }, (_, n) => `page-${n}`);
  const { root, planner, ledger, offers, queue, running } = await offersOf(...names);
  await using _ = ledger;
  const { work } = planner.plan('none');
  let written = 0;
  const offer = queue.offer.bind(queue);
  queue.offer = (each) => {
    if (written === 0) written = ledger.size('jobs');
    offer(each);
  };
  await offers.enter(work);
  expect(written).toBe(2001);
  expect(queue.waiting + running.size).toBe(2001);
  const folder = join(root, '.dragoman');
  const journals = (await readdir(folder)).filter((name) => name.startsWith('journal.'));
  const texts = await Promise.all(journals.map((name) => readFile(join(folder, name), 'utf8')));
  const jobsIn = (line: string) => line.split('"table":"jobs"').length - 1;
  expect(Math.max(...texts.flatMap((text) => text.split('\n')).map(jobsIn))).toBe(1000);
});

test('a job that runs and that nobody runs is found, and so is one that a person released', async () => {
  const { ledger, add, look } = await offersOf('a', 'b');
  await using _ = ledger;
  const hold = { kind: 'undone', run: 'r' } as const;
  const lost = await add('a', RUNNING);
  const released = await add('b', { kind: 'held', at: 'now', hold });
  const from = presentJob(ledger, released);
  const release = { kind: 'retry', fingerprint: from.fingerprint, at: 'now' } as const;
  await ledger.commit([{ table: 'jobs', from, set: { release } }]);
  await look();
  expect(await look()).toEqual([lost, released]);
});

test('jobs that are offered, done, held, or written since the last look are not found', async () => {
  const { ledger, offers, add, look } = await offersOf('a', 'b', 'c', 'd');
  await using _ = ledger;
  const offered = await add('a', { kind: 'queued' });
  offers.offer([offered]);
  await add('b', { kind: 'done', at: 'now' });
  await add('c', { kind: 'held', at: 'now', hold: { kind: 'undone', run: 'r' } });
  expect(await look()).toEqual([]);
  const late = await add('d', { kind: 'queued' });
  expect(await look()).toEqual([]);
  const claim = (await ledger.claim(late)) as Claim;
  await ledger.settle(claim, { state: { kind: 'queued' } });
  expect(await look()).toEqual([]);
});

test('a job that nothing asks for any more is not found', async () => {
  const { ledger, add, look } = await offersOf();
  await using _ = ledger;
  await add('a', { kind: 'queued' });
  await look();
  expect(await look()).toEqual([]);
});

test('when no queued job has made progress for a minute, their number is reported until one does', async () => {
  const { ledger, offers, spending, running, add, look, clock } = await offersOf('a', 'b', 'c');
  await using _ = ledger;
  const ids = [await add('a', RUNNING), await add('b', { kind: 'queued' })];
  await add('c', { kind: 'queued' });
  offers.offer(ids);
  await look();
  expect(running.size).toBe(1);
  expect(offers.standstill).toBeUndefined();
  await look();
  expect(offers.standstill).toBeUndefined();
  await look();
  expect(offers.standstill).toEqual({ jobs: 2, seconds: 60 });
  await clock.pass(15_000);
  expect(offers.standstill).toEqual({ jobs: 2, seconds: 75 });
  const moves = [() => offers.progressed(), () => (spending.bills += 1)];
  for (const move of moves) {
    move();
    expect(offers.standstill).toBeUndefined();
    await look();
    await look();
    expect(offers.standstill).toBeUndefined();
    await look();
    expect(offers.standstill).toEqual({ jobs: 2, seconds: 60 });
  }
  offers.rest();
  expect(offers.standstill).toBeUndefined();
});

test('without queued jobs there is no standstill', async () => {
  const { ledger, offers, add, look } = await offersOf('a');
  await using _ = ledger;
  offers.offer([await add('a', RUNNING)]);
  for (let looks = 0; looks < 5; looks++) await look();
  expect(offers.standstill).toBeUndefined();
});
