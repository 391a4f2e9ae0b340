/** Voice jobs share the space on the disk, and have an order. */
import { readdir, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JobId } from '../../../src/job.ts';
import { GREATEST_PRIORITY } from '../../../src/jobs/queue.ts';
import { priorityOf } from '../../../src/lanes/voice/priority.ts';
import { VoiceSpool } from '../../../src/lanes/voice/spool.ts';
import { UploadRate } from '../../../src/lanes/voice/upload-rate.ts';
import type { LedgerTables, LedgerView } from '../../../src/ledger.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('a recording whose results would not fit on the disk is not begun', async () => {
  const spool = new VoiceSpool(await temporaryFolder());
  await spool.requireSpace(1000);
  await expect(spool.requireSpace(2 ** 60)).rejects.toMatchObject({
    failure: { kind: 'disk-full' },
  });
});

test('results need room in the spool and again in the project, which may be on the same disk', async () => {
  const folder = await temporaryFolder();
  const spool = new VoiceSpool(join(folder, 'voice'));
  const { bavail, bsize } = await statfs(folder);
  await spool.requireSpaceForCopies((bavail * bsize) / 4, folder);
  await expect(spool.requireSpaceForCopies((bavail * bsize * 2) / 3, folder)).rejects.toMatchObject(
    {
      failure: { kind: 'disk-full' },
    },
  );
});

test('a sweep keeps jobs that are sent or known, and results until their time is over', async () => {
  const folder = await temporaryFolder();
  for (const name of ['a.source', 'b.source', 'b.flac', 'known-0.result', 'old-12.result.part'])
    await writeFile(join(folder, name), '');
  const needed = {
    source: (content: string) => content === 'a',
    results: (id: string) => id === 'known',
  };
  await new VoiceSpool(folder).sweep(needed, 0);
  expect(await readdir(folder)).toEqual(['a.source', 'known-0.result', 'old-12.result.part']);
  await new VoiceSpool(folder).sweep(needed, Date.now() + 60_000);
  expect(await readdir(folder)).toEqual(['a.source', 'known-0.result']);
});

describe('of jobs that wait', () => {
  const uploadedAt = Date.parse('2026-10-19T10:00:00Z');
  const view = (stage: object): LedgerView => ({
    get: (table, id) => {
      const job = { state: { kind: 'running', attempt: 0, step: { kind: 'voice', voiceJob: id } } };
      const remote = { id, kind: 'voice', value: { stage } };
      return (table === 'jobs' ? job : remote) as unknown as LedgerTables[typeof table];
    },
    condition: 'intact',
    all: () => [][Symbol.iterator](),
    size: () => 0,
  });
  const priority = (stage: object) => priorityOf('a' as JobId, view(stage)).priority ?? 0;

  test('the one whose results expire first goes first; new uploads come last', () => {
    const early = priority({ kind: 'uploaded', job_id: 'j', at: uploadedAt });
    const late = priority({ kind: 'uploaded', job_id: 'j', at: uploadedAt + 60_000 });
    const fresh = priority({ kind: 'created', ticket: {}, at: uploadedAt, refused: 0 });
    expect([late, fresh, early].sort((a, b) => a - b)).toEqual([early, late, fresh]);
    expect(late - early).toBe(60);
    // A database keeps it in 32 bits, with either sign.
    expect(Math.abs(early)).toBeLessThanOrEqual(GREATEST_PRIORITY);
    expect(fresh).toBe(0);
  });
});

test('the rate of uploads is that of the newest large one, and small files do not change it', () => {
  const rate = new UploadRate();
  rate.learn(1000, 1000);
  expect(rate.measured).toBeUndefined();
  rate.learn(10_000_000, 1000);
  rate.learn(20_000_000, 1000);
  expect(rate.measured).toBe(15_000_000);
  expect(rate.timeFor(30_000_000)).toBe(2000);
});
