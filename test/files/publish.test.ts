/** Putting a target in place: noted before it is written, and never over what nobody has read. */

import { hash as digest } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Publication, publish, publishFile } from '../../src/files/publish.ts';
import type { Hash, JobId, Step } from '../../src/job.ts';
import type { LaneRun } from '../../src/lane.ts';
import { StaleClaim } from '../../src/ledger.ts';
import { jobRecord } from '../contracts/ledger.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const TARGET = 'de/a.md';
const hashOf = (text: string) => digest('sha256', text) as Hash;

/** @param onStep what happens when a step is to be durable, before it is */
async function placeWith(current: string | null, onStep: (step: Step) => void = () => {}) {
  const root = await temporaryFolder();
  await mkdir(join(root, 'de'));
  const file = join(root, TARGET);
  if (current !== null) await writeFile(file, current);
  const steps: Step[] = [];
  const run: LaneRun = {
    job: jobRecord('a'),
    resumeFrom: { kind: 'started' },
    signal: new AbortController().signal,
    step: async (step) => {
      onStep(step);
      steps.push(step);
    },
    mayPublish: () => true,
    record: async () => {},
    replan: () => {},
  };
  const publication = (text: string, expected = current): Publication => ({
    ...{ root, path: TARGET, bytes: Buffer.from(text), hash: hashOf(text) },
    expectedOld: expected === null ? null : hashOf(expected),
  });
  return { root, file, run, steps, publication, read: () => readFile(file, 'utf8') };
}

const STALE = () => {
  throw new StaleClaim({ id: 'a' as JobId, fence: 1 });
};

test('a target is noted before it is written, and the result has its stat', async () => {
  const { file, run, steps, publication, read } = await placeWith('alt\n', (step) => {
    order.push(step.kind);
  });
  const order: string[] = [];
  const prepare = async () => void order.push('prepare');
  const wrote = await publish(run, { ...publication('neu\n'), prepare });
  expect(await read()).toBe('neu\n');
  expect(order).toEqual(['prepare', 'publishing']);
  expect(steps).toMatchObject([
    { path: TARGET, hash: hashOf('neu\n'), expectedOld: hashOf('alt\n') },
  ]);
  expect(wrote).toMatchObject({ path: TARGET, hash: hashOf('neu\n') });
  expect(wrote.stat).toContain(`${(await stat(file)).size}`);
});

test('a process that leaves its jobs to others puts no target in place any more, also one that waited for its turn', async () => {
  const { run, steps, publication, read } = await placeWith('alt\n');
  const order: string[] = [];
  const ends = new AbortController();
  const place = {
    ...publication('neu\n'),
    prepare: async () => void order.push('prepare'),
    withdraw: async () => void order.push('withdraw'),
    reserve: async () => {
      ends.abort();
      const right = { isValid: () => true, renew: async () => {} };
      return { ...right, [Symbol.dispose]: () => void order.push('free') };
    },
  };
  const ending = { ...run, leaves: ends.signal };
  await expect(publish(ending, place)).rejects.toMatchObject({ failure: { kind: 'stopped' } });
  expect(order).toEqual(['prepare', 'free', 'withdraw']);
  await expect(publish(ending, place)).rejects.toMatchObject({ failure: { kind: 'stopped' } });
  expect([order.length, await read(), steps]).toEqual([3, 'alt\n', []]);
});

test('a target that is there as it would be written is not touched, and nothing is noted', async () => {
  const { file, run, steps, publication } = await placeWith('same\n');
  const before = await stat(file, { bigint: true });
  await publish(run, publication('same\n'));
  const after = await stat(file, { bigint: true });
  expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  expect(steps).toEqual([]);
});

test('a target whose worker was suspended is noted again, and only a worker that still has the claim puts it in place', async () => {
  const { run, steps, publication, read } = await placeWith('alt\n');
  let lapses = 2;
  const late = { ...run, mayPublish: () => lapses-- <= 0 };
  await publish(late, publication('neu\n'));
  expect(await read()).toBe('neu\n');
  expect(steps).toHaveLength(3);
  const lost = await placeWith('alt\n');
  const never = { ...lost.run, mayPublish: () => false };
  let asked = 0;
  const step = async () => void (asked++ > 0 && STALE());
  await expect(publish({ ...never, step }, lost.publication('neu\n'))).rejects.toThrow(StaleClaim);
  expect(await lost.read()).toBe('alt\n');
  expect(await readdir(join(lost.root, 'de'))).toEqual(['a.md']);
});

test.each([
  ['edited it', 'von Hand\n', 'alt\n'],
  ['put one where none was', 'von Hand\n', null],
])('a person who %s since it was read keeps what is there', async (_, current, expected) => {
  const { root, run, publication, read } = await placeWith(current);
  await expect(publish(run, publication('neu\n', expected))).rejects.toMatchObject({
    failure: { kind: 'changed-meanwhile' },
  });
  const streamed = { root, path: TARGET, content: streamOf([Buffer.from('neu\n')]) };
  const expectedOld = expected === null ? null : hashOf(expected);
  await expect(publishFile(run, { ...streamed, expectedOld })).rejects.toMatchObject({
    failure: { kind: 'changed-meanwhile' },
  });
  expect(await read()).toBe('von Hand\n');
  expect(await readdir(join(root, 'de'))).toEqual(['a.md']);
});

test('what was on record for a target is taken back only when somebody else wrote the target', async () => {
  const kept = await placeWith('alt\n');
  const taken: string[] = [];
  const withdraw = async () => void taken.push('withdraw');
  await publish(kept.run, { ...kept.publication('neu\n'), withdraw });
  expect(taken).toEqual([]);
  const { run, file, publication } = await placeWith('alt\n');
  const prepare = () => writeFile(file, 'von Hand\n');
  const overtaken = publish(run, { ...publication('neu\n'), prepare, withdraw });
  await expect(overtaken).rejects.toMatchObject({ failure: { kind: 'changed-meanwhile' } });
  expect(taken).toEqual(['withdraw']);
});

test('a worker that lost the job to newer content writes nothing and leaves no temporary file', async () => {
  const { root, run, publication, read } = await placeWith('alt\n', STALE);
  await expect(publish(run, publication('neu\n'))).rejects.toThrow(StaleClaim);
  const content = streamOf([Buffer.from('neu\n')]);
  const streamed = { root, path: TARGET, content, expectedOld: hashOf('alt\n') };
  await expect(publishFile(run, streamed)).rejects.toThrow(StaleClaim);
  expect(await read()).toBe('alt\n');
  expect(await readdir(join(root, 'de'))).toEqual(['a.md']);
});

test('a large target is written beside its place as it comes, and noted with its hash before it is put there', async () => {
  const { root, file, run, steps, read } = await placeWith('alt\n');
  const content = streamOf([Buffer.from('ne'), Buffer.from('u\n')]);
  const wrote = await publishFile(run, {
    root,
    path: TARGET,
    content,
    expectedOld: hashOf('alt\n'),
  });
  expect(await read()).toBe('neu\n');
  expect(steps).toMatchObject([{ kind: 'publishing', hash: hashOf('neu\n') }]);
  expect(wrote.hash).toBe(hashOf('neu\n'));
  expect(await readdir(join(file, '..'))).toEqual(['a.md']);
});

async function* streamOf(parts: Iterable<Uint8Array>): AsyncIterable<Uint8Array> {
  yield* parts;
}
