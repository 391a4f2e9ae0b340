/** Targets of a job that did not come to its end. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { hashIfPresent } from '../../src/files/disk.ts';
import { recordPlaced } from '../../src/intake/placed.ts';
import type { Hash, JobId } from '../../src/job.ts';
import type { Claim } from '../../src/ledger.ts';
import { openLedger } from '../../src/state/json-ledger.ts';
import { jobRecord, presentJob } from '../contracts/ledger.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('placed targets are noted also where somebody changes the job while its files are read, and neither change is lost', async () => {
  const root = await temporaryFolder();
  await using ledger = await openLedger({ folder: await temporaryFolder(), clock: systemClock });
  await writeFile(join(root, 'de.md'), 'Hallo');
  const hash = (await hashIfPresent(join(root, 'de.md'))) as Hash;
  const placed = [{ path: 'de.md', hash, from: hash }];
  await ledger.commit([{ table: 'jobs', add: jobRecord('a', { placed }) }]);
  const noting = recordPlaced(ledger, [presentJob(ledger, 'a')], {
    rootOf: () => root,
    edited: 'left',
  });
  await ledger.commit([{ table: 'jobs', from: presentJob(ledger, 'a'), set: { estimate: 7 } }]);
  await noting;
  expect(ledger.get('jobs', 'a')).toMatchObject({ estimate: 7, wrote: [{ path: 'de.md', hash }] });
});

test.each([
  ['ours', null, true],
  ['ours', 'other content', false],
  ['left', null, false],
] as const)(
  'an edited file (%s) in the place of a target, where %j was before, is recorded: %s',
  async (edited, before, isRecorded) => {
    const root = await temporaryFolder();
    await using ledger = await openLedger({ folder: await temporaryFolder(), clock: systemClock });
    await writeFile(join(root, 'de.md'), 'Von Hand');
    const step = { kind: 'publishing', path: 'de.md', hash: 'h' as Hash } as const;
    const expectedOld = before as Hash | null;
    const state = { kind: 'running', attempt: 1, step: { ...step, expectedOld } } as const;
    await ledger.commit([{ table: 'jobs', add: jobRecord('a', { state }) }]);
    await recordPlaced(ledger, [presentJob(ledger, 'a')], { rootOf: () => root, edited });
    const recorded = isRecorded ? [{ path: 'de.md', hash: 'h', stat: '0:0:0:0' }] : [];
    expect(ledger.get('jobs', 'a')?.wrote).toMatchObject(recorded);
    expect(ledger.get('jobs', 'a')?.wrote).toHaveLength(recorded.length);
  },
);

test.each(['document', 'voice'] as const)(
  'an edited file in the place of a first target (%s) is recorded also where the job had begun to put another one in place',
  async (lane) => {
    const root = await temporaryFolder();
    await using ledger = await openLedger({ folder: await temporaryFolder(), clock: systemClock });
    await writeFile(join(root, 'de.txt'), 'Von Hand');
    await ledger.commit([{ table: 'jobs', add: jobRecord('a', { lane }) }]);
    const claim = (await ledger.claim('a' as JobId)) as Claim;
    for (const [path, hash, before] of [
      ['de.txt', 'h1', null],
      // The attempt after a kill finds it there, and then a newer result replaces it.
      ['de.txt', 'h1', 'h1'],
      ['de.txt', 'h2', 'h1'],
      ['de.srt', 'h3', null],
    ] as const) {
      const expectedOld = before as Hash | null;
      await ledger.step(claim, { kind: 'publishing', path, hash: hash as Hash, expectedOld });
    }
    await recordPlaced(ledger, [presentJob(ledger, 'a')], { rootOf: () => root, edited: 'ours' });
    const recorded = [{ path: 'de.txt', hash: 'h2', stat: '0:0:0:0' }];
    expect(ledger.get('jobs', 'a')?.wrote).toMatchObject(recorded);
    expect(ledger.get('jobs', 'a')?.wrote).toHaveLength(1);
  },
);
