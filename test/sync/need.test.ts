import { expect, test } from 'vitest';
import { StaleRecord } from '../../src/ledger.ts';
import { type Need, Needs } from '../../src/sync/need.ts';
import type { SyncKey, SyncRecord } from '../../src/sync/records.ts';

const NOTE = { id: 'g1', version: '1', pairs: [] } as unknown as SyncRecord;
const KEY = { kind: 'glossary', file: 'terms.csv' } as const;

/** A sync that takes so long on a clock that only it moves, and fails until it is told to succeed. */
function slowSync(takesMs: number) {
  const time = { now: 0 };
  const sync = { begun: 0, fails: true };
  const need: Need = {
    key: KEY,
    fresh: undefined,
    isBehind: false,
    pick: ({ id }) => id,
    async makeEqual() {
      sync.begun += 1;
      await Promise.resolve();
      time.now += takesMs;
      if (sync.fails) throw new Error('refused');
      return NOTE;
    },
  };
  /** A tree in which this daemon has the config and the files of the leader, or not. */
  const tree = { inAgreement: true, isInAgreement: async () => tree.inAgreement };
  const expired: SyncKey[] = [];
  const records = { expire: async (key: SyncKey) => void expired.push(key) };
  const needs = new Needs({ clock: { now: () => time.now }, records, tree });
  return { time, sync, need, needs, tree, expired };
}

test('a sync that failed after a minute is not begun again for a minute: the jobs behind it do not wait in vain', async () => {
  const { time, sync, need, needs } = slowSync(60_000);
  for (let job = 0; job < 5; job += 1) await expect(needs.sync(need)).rejects.toThrow('refused');
  expect(sync.begun).toBe(1);
  time.now += 60_000;
  sync.fails = false;
  expect(await needs.sync(need)).toBe(NOTE);
});

test('a sync that failed at once is tried again by the next job', async () => {
  const { sync, need, needs } = slowSync(100);
  await expect(needs.sync(need)).rejects.toThrow('refused');
  sync.fails = false;
  expect(await needs.sync(need)).toBe(NOTE);
});

test('a clock that is set back by an hour does not keep a failed sync from another try', async () => {
  const { time, sync, need, needs } = slowSync(60_000);
  await expect(needs.sync(need)).rejects.toThrow('refused');
  time.now -= 3_600_000;
  await expect(needs.sync(need)).rejects.toThrow('refused');
  expect(sync.begun).toBe(1);
  time.now += 60_000;
  sync.fails = false;
  expect(await needs.sync(need)).toBe(NOTE);
});

test('a daemon whose files are not those of the leader changes nothing on the service', async () => {
  const { sync, need, needs, tree } = slowSync(0);
  sync.fails = false;
  tree.inAgreement = false;
  await expect(needs.sync(need)).rejects.toMatchObject({
    failure: { kind: 'changed-meanwhile', file: KEY.file },
  });
  expect(sync.begun).toBe(0);
  tree.inAgreement = true;
  expect(await needs.sync(need)).toBe(NOTE);
});

test('a daemon that was suspended during a sync, while the leader sent other files, leaves the comparison to the next daemon', async () => {
  const { need, needs, tree, expired } = slowSync(0);
  const overtaken = {
    ...need,
    makeEqual: async () => {
      tree.inAgreement = false;
      throw new StaleRecord('remotes', 'terms.csv');
    },
  };
  await expect(needs.sync(overtaken)).rejects.toMatchObject({
    failure: { kind: 'changed-meanwhile' },
  });
  expect(expired).toEqual([KEY]);
});
