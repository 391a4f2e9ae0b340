/** Paid results wait on the disk until the database has them, and are kept for a while after that. */
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/clock.ts';
import { JobFailure } from '../../../src/failure.ts';
import {
  allLetters,
  type Letter,
  lettersIn,
  Outbox,
  outboxIn,
} from '../../../src/state/postgres/outbox.ts';
import { temporaryFolder } from '../../temporary-folder.ts';

const DAY_MS = 86_400_000;

function letter(id: string): Letter {
  return { id, call: 'book', values: [id, `[{"id":"${id} a"}]`], count: 1 };
}

function clockAt(days: number): Clock {
  return { ...systemClock, now: () => days * DAY_MS };
}

async function idsIn(path: string): Promise<string[]> {
  const ids = new Set<string>();
  for await (const { id } of allLetters(path)) ids.add(id);
  return [...ids];
}

test('a letter that was taken is there for as long as it is kept, and waits no more', async () => {
  const path = outboxIn(await temporaryFolder());
  const open = (days: number) => Outbox.open(path, { clock: clockAt(days), keepMs: 10 * DAY_MS });
  {
    await using outbox = await open(100);
    for (const id of ['a', 'b']) await outbox.put(letter(id));
    outbox.taken(letter('a'));
  }
  {
    await using next = await open(101);
    expect(next.pending.map(({ id }) => id)).toEqual(['b']);
    next.taken(letter('b'));
  }
  expect(await idsIn(path)).toEqual(['a', 'b']);
  {
    await using late = await open(112);
    expect(late.pending).toEqual([]);
  }
  // The second one was taken in a file that was closed later.
  expect(await idsIn(path)).toEqual(['b']);
  await using _last = await open(130);
  expect(await idsIn(path)).toEqual([]);
});

test('a file that has grown is replaced by a new one; letters that wait and new letters are kept', async () => {
  const path = outboxIn(await temporaryFolder());
  let day = 100;
  const now = () => {
    day += 0.001;
    return day * DAY_MS;
  };
  const clock = { ...systemClock, now };
  const options = { clock, keepMs: 10 * DAY_MS, mostBytes: 300 };
  const ids = Array.from({ length: 40 }, (_, n) => `letter ${n}`);
  {
    await using outbox = await Outbox.open(path, options);
    await Promise.all(
      ids.map(async (id, n) => {
        await outbox.put(letter(id));
        if (n % 4 !== 0) outbox.taken(letter(id));
      }),
    );
    for (const id of ['more', 'last']) {
      await outbox.put(letter(id));
      outbox.taken(letter(id));
    }
  }
  expect(readdirSync(dirname(path)).length).toBeGreaterThan(1);
  expect(readFileSync(path, 'utf8')).not.toContain('"letter 1"');
  expect(new Set(await idsIn(path))).toEqual(new Set([...ids, 'more', 'last']));
  await using next = await Outbox.open(path, options);
  const waiting = next.pending.map(({ id }) => id);
  // A note that something was taken may be lost: it is told again.
  expect(waiting).toEqual(expect.arrayContaining(ids.filter((_, n) => n % 4 === 0)));
  expect(waiting).not.toContain('letter 1');
});

test('a file that could not be replaced is replaced at the next letter, and no waiting letter is lost', async () => {
  const path = outboxIn(await temporaryFolder());
  const folder = dirname(path);
  await using outbox = await Outbox.open(path, {
    clock: systemClock,
    keepMs: DAY_MS,
    mostBytes: 1,
  });
  await outbox.put(letter('a'));
  await outbox.put(letter('b'));
  renameSync(folder, `${folder} away`);
  writeFileSync(folder, 'in the way');
  outbox.taken(letter('a'));
  await expect(outbox.put(letter('c'))).rejects.toThrow(JobFailure);
  rmSync(folder);
  renameSync(`${folder} away`, folder);
  await outbox.put(letter('d'));
  expect([...(await lettersIn(path)).keys()]).toEqual(['b', 'd']);
});
