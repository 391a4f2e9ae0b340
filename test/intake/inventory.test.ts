import { expect, test } from 'vitest';
import { Inventory } from '../../src/intake/inventory.ts';
import type { Hash, Stat } from '../../src/job.ts';
import { jobRecord, sourceRecord } from '../contracts/ledger.ts';

const hash = (text: string) => text as Hash;
const STAT = '' as Stat;

function inventoryOf(count: number): Inventory {
  const inventory = new Inventory();
  for (let n = 0; n < count; n++) {
    inventory.putSource({ ...sourceRecord(`s${n}`), path: `en/${n}`, hash: hash(`h${n % 3}`) });
    const wrote = [{ path: `de/${n}`, hash: hash(`t${n % 3}`), stat: STAT }];
    inventory.putJob(jobRecord(`j${n}`, { wrote }));
  }
  return inventory;
}

test('sources and targets are found by their content, by the first questions and by many', () => {
  const inventory = inventoryOf(6);
  for (let question = 0; question < 30; question++) {
    expect([...inventory.sourcesWith(hash('h1'))]).toEqual(['en/1', 'en/4']);
    expect([...inventory.targetsWith(hash('t2'))]).toEqual(['de/2', 'de/5']);
    expect([...inventory.sourcesWith(hash('other'))]).toEqual([]);
  }
});

test('a file with new content is found by that alone, before and after many questions', () => {
  for (const questions of [0, 30]) {
    const inventory = inventoryOf(3);
    for (let n = 0; n < questions; n++) inventory.sourcesWith(hash('h0'));
    for (let n = 0; n < questions; n++) inventory.targetsWith(hash('t0'));
    inventory.putSource({ ...sourceRecord('s0'), path: 'en/0', hash: hash('new') });
    inventory.putJob(
      jobRecord('j0', { wrote: [{ path: 'de/0', hash: hash('newer'), stat: STAT }] }),
    );
    expect([...inventory.sourcesWith(hash('new'))]).toEqual(['en/0']);
    expect([...inventory.sourcesWith(hash('h0'))]).toEqual([]);
    expect([...inventory.targetsWith(hash('newer'))]).toEqual(['de/0']);
    expect([...inventory.targetsWith(hash('t0'))]).toEqual([]);
  }
});
