/** Which files of the spool are removed when they are old. */
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Spool } from '../../../src/lanes/document/spool.ts';
import { hourlySweep } from '../../../src/lanes/document/sweep.ts';
import { Purchases } from '../../../src/state/document-purchases.ts';
import { openLedger } from '../../../src/state/json-ledger.ts';
import { manualClock } from '../../manual-clock.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

test('a daemon that does not know all jobs removes no result: the job of another one may wait for it', async () => {
  const folder = await temporaryFolder();
  const clock = manualClock();
  await using ledger = await openLedger({ folder, clock });
  const result = join(folder, 'spool', 'key.result');
  mkdirSync(join(folder, 'spool'));
  writeFileSync(result, 'paid');
  utimesSync(result, 1, 1);
  let knowsAll = false;
  const sweep = hourlySweep({
    purchasing: { spool: new Spool(join(folder, 'spool')), purchases: new Purchases(ledger) },
    ...{ ledger, clock, knowsAllJobs: () => knowsAll },
    inForce: { config: { keep: { spool: 1000 } } } as never,
  });
  await sweep();
  expect(existsSync(result)).toBe(true);
  knowsAll = true;
  await sweep();
  expect(existsSync(result)).toBe(false);
});
