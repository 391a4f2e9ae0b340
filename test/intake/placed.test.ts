/** Targets of a job that did not come to its end. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { hashIfPresent } from '../../src/files/disk.ts';
import { recordPlaced } from '../../src/intake/placed.ts';
import type { Hash } from '../../src/job.ts';
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
  const noting = recordPlaced(ledger, [presentJob(ledger, 'a')], () => root);
  await ledger.commit([{ table: 'jobs', from: presentJob(ledger, 'a'), set: { estimate: 7 } }]);
  await noting;
  expect(ledger.get('jobs', 'a')).toMatchObject({ estimate: 7, wrote: [{ path: 'de.md', hash }] });
});
