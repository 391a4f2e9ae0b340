import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { allSteps } from '../../src/clock.ts';
import { hashBytes, statOf } from '../../src/files/disk.ts';
import { Inventory } from '../../src/intake/inventory.ts';
import { judgeFiles, reconcile, toHash } from '../../src/intake/reconcile.ts';
import { jobRecord } from '../intake/model.ts';
import { closeOpened, folderWith, quiet, watchFolder } from './rig.ts';

afterAll(closeOpened);

test('a thousand files of our own, published inside a watched tree, are not hashed and change nothing', async () => {
  const names = Array.from({ length: 1000 }, (_, n) => `${n}.json`);
  const staging = await folderWith(...names);
  const watched = await watchFolder({ root: await folderWith('en/a.json', 'de/old.json') });
  await watched.ready();
  await watched.watch.settle();
  const inventory = new Inventory();
  for (const name of names) {
    const target = join(watched.root, 'de', name);
    await rename(join(staging, name), target);
    const stat = await statOf(target);
    if (stat === undefined) throw new Error(`${target} was not published`);
    const written = { path: `de/${name}`, hash: hashBytes(name), stat };
    inventory.putJob(jobRecord(`en/${name}`, written));
  }
  await watched.told(2 + names.length);
  await quiet(watched);
  const told = watched.events.filter((event) => event.kind === 'settled').slice(1);
  const isSource = (path: string) => path.startsWith('en/');
  for (const observed of told) {
    const reconciling = { observed, inventory, isSource, jobsOf: () => [] };
    expect(allSteps(toHash(reconciling))).toEqual([]);
    expect(reconcile(allSteps(judgeFiles(reconciling, new Map())))).toEqual([]);
  }
});
