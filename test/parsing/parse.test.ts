import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { HERE_MS, isReadHere, parse, readOnThreads } from '../../src/parsing/parse.ts';
import { limitFor } from '../../src/parsing/thread-call.ts';
import { ParserThreads } from '../../src/parsing/threads.ts';
import { inBatches, TookTooLong, within, withinTurn } from '../../src/parsing/within.ts';
import { spawnSync } from '../in-time.ts';
import { DEEP, ECHO, FILL, HANG, NEXT, REFUSE, SPIN, STAND, WAIT } from './readings.ts';

const PROGRAM = new URL('./readings-process.ts', import.meta.url);
const SMALL = { file: 'a.json5', bytes: 10 };
const LIMIT_MS = 1000;
const threads = new ParserThreads({ program: PROGRAM, limitFor: () => LIMIT_MS });
afterAll(() => threads[Symbol.asyncDispose]());

test.each(['loop', 'expression'] as const)('an endless %s on this thread is ended', (how) => {
  const work = () => (how === 'loop' ? endless() : /^(?:a+)+$/.test(`${'a'.repeat(60)}b`));
  expect(() => within(50, work)).toThrow(TookTooLong);
  expect(within(50, () => 'alive')).toBe('alive');
});

function endless(): never {
  for (;;);
}

test('nested work has the shorter of both limits, and its errors reach the caller', () => {
  expect(() => within(60, () => within(10_000, endless))).toThrow('took longer than 0.1 s');
  expect(() =>
    within(1000, () => {
      throw new RangeError('as it was thrown');
    }),
  ).toThrow(RangeError);
  expect(within(1000, () => within(1000, () => 7))).toBe(7);
});

test('work in batches begins together, and what waits for the item before keeps the order', async () => {
  const [begun, ordered]: [number[], number[]] = [[], []];
  const items = Array.from({ length: 70 }, (_, nth) => nth);
  const batches = inBatches(items, async (nth, before) => {
    begun.push(nth);
    if (nth === 0) await setImmediate();
    await before;
    ordered.push(nth);
    return nth * 2;
  });
  const first = (await batches.next()).value;
  expect([begun, ordered]).toEqual([items.slice(0, 64), items.slice(0, 64)]);
  expect([first, ...(await Array.fromAsync(batches))].flat()).toEqual(items.map((nth) => nth * 2));
});

test('work that ends at once, as with a file that cannot be read, does not let the work behind it begin before its turn', async () => {
  const ended: string[] = [];
  const first = Promise.withResolvers<void>();
  const items = ['slow', 'fails', 'behind'];
  const batches = inBatches(items, async (item, before) => {
    if (item === 'slow') await first.promise;
    if (item === 'fails') {
      void setImmediate().then(first.resolve);
      return;
    }
    await before;
    ended.push(item);
  });
  await Array.fromAsync(batches);
  expect(ended).toEqual(['slow', 'behind']);
});

test('in batches, the item behind one that fails does not wait for ever, and the failure reaches the caller', async () => {
  const behind = Promise.withResolvers<void>();
  const batches = inBatches(['fails', 'behind'], async (item, before) => {
    if (item === 'fails') throw new RangeError('as it was thrown');
    await before;
    behind.resolve();
  });
  await expect(batches.next()).rejects.toThrow(RangeError);
  await behind.promise;
});

test('each piece of work in a turn has its own result, also after a piece that was ended', async () => {
  const outcomes = await Promise.allSettled([
    withinTurn(50, () => 'before'),
    withinTurn(50, () => {
      throw new RangeError('as it was thrown');
    }),
    withinTurn(50, endless),
    withinTurn(50, () => 'behind'),
    withinTurn(50, endless),
    withinTurn(50, () => 'last'),
  ]);
  const [ended, failed] = [expect.any(TookTooLong), expect.any(RangeError)];
  expect(outcomes.map((each) => (each.status === 'fulfilled' ? each.value : each.reason))).toEqual([
    'before',
    failed,
    ended,
    'behind',
    ended,
    'last',
  ]);
});

test.each(['as it is', 'in a failure'] as const)(
  'a file that is nested too deeply is named, here and on a thread, where the error comes %s',
  async (how) => {
    const failure = {
      kind: 'malformed',
      where: { file: SMALL.file },
      message: 'nested too deeply',
    };
    await expect(parse(DEEP, how, SMALL)).rejects.toMatchObject({ failure });
    await expect(threads.run(DEEP, how, SMALL)).rejects.toMatchObject({ failure });
  },
);

test('work that got no processor time starts again, but not endlessly', async () => {
  const stand = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  let tries = 0;
  const once = withinTurn(200, () => {
    tries += 1;
    return tries === 1 ? stand() : 'read';
  });
  const always = withinTurn(200, stand);
  expect(await once).toBe('read');
  await expect(always).rejects.toThrow(TookTooLong);
  tries = 0;
  const atOnce = within(200, () => {
    tries += 1;
    return tries === 1 ? stand() : 'read';
  });
  expect(atOnce).toBe('read');
  expect(() => within(200, stand)).toThrow(TookTooLong);
});

test('work that other work of the same turn waits for runs in the next turn', async () => {
  const first = withinTurn(50, () => withinTurn(50, () => 'inner'));
  expect(await first).toBe('inner');
});

test.each(['loop', 'expression'] as const)(
  'an endless %s on a thread fails its file by name, and later calls go on on another thread',
  async (how) => {
    const hung = threads.run(HANG, how, { file: 'locales/en/a.json5', bytes: 10 });
    const behind = [1, 2, 3].map((n) => threads.run(ECHO, `${n}`, SMALL));
    await expect(hung).rejects.toMatchObject({
      failure: {
        kind: 'malformed',
        where: { file: 'locales/en/a.json5' },
        message: 'reading it took longer than 1 s',
      },
    });
    expect(await Promise.all(behind)).toEqual(['1', '2', '3']);
  },
);

test('content whose texts are bought has four times the limit', async () => {
  await using hurried = new ParserThreads({ program: PROGRAM, limitFor: () => 50 });
  const paid = { file: 'locales/de/a.json', bytes: 10, isPaid: true } as const;
  await expect(hurried.run(HANG, 'loop', paid)).rejects.toMatchObject({
    failure: { message: 'reading it took longer than 0.2 s' },
  });
});

test('a file does not fail by its neighbours, however many of them end its thread', async () => {
  await using hurried = new ParserThreads({ program: PROGRAM, limitFor: () => 60 });
  const hung = ['a', 'b', 'c', 'd'].map((name) =>
    hurried.run(HANG, 'loop', { file: `${name}.md`, bytes: 10 }),
  );
  const sound = hurried.run(ECHO, 'read', SMALL);
  const outcomes = await Promise.allSettled(hung);
  expect(outcomes).toMatchObject(
    ['a', 'b', 'c', 'd'].map((name) => ({
      reason: { failure: { kind: 'malformed', where: { file: `${name}.md` } } },
    })),
  );
  expect(await sound).toBe('read');
});

test('a call that comes while a thread is ending gets another thread', async () => {
  await using own = new ParserThreads({ program: PROGRAM });
  await own.run(ECHO, 'first', SMALL);
  const ending = own.end();
  expect(await own.run(ECHO, 'next', SMALL)).toBe('next');
  await ending;
});

test('a file does not fail as an error of the program where the program of the thread is gone', async () => {
  const program = new URL('./gone.js', import.meta.url);
  await using gone = new ParserThreads({ program });
  const failure = { kind: 'unreadable', file: fileURLToPath(program), code: 'ENOENT' };
  await expect(gone.run(ECHO, 'read', SMALL)).rejects.toMatchObject({ failure });
});

test('small content does not wait behind large content', async () => {
  const large = threads.run(WAIT, 400, { file: 'large.json', bytes: 10_000_000 });
  expect(await threads.run(ECHO, 'first', SMALL)).toBe('first');
  expect(await large).toBe(400);
});

test('time without computing does not count', async () => {
  expect(await threads.run(STAND, 2 * LIMIT_MS, SMALL)).toBe(2 * LIMIT_MS);
});

test('time in which the whole process is suspended does not count', async () => {
  await using hurried = new ParserThreads({ program: PROGRAM, limitFor: () => 400 });
  await hurried.run(ECHO, 'warm', SMALL);
  const answer = hurried.run(STAND, 1500, SMALL);
  // The thread says that it has begun.
  await new Promise((resolve) => setTimeout(resolve, 150));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
  expect(await answer).toBe(1500);
});

test('time that the disk needs does not count', async () => {
  expect(await threads.run(WAIT, 2 * LIMIT_MS, SMALL)).toBe(2 * LIMIT_MS);
});

test('a failure from a thread keeps its facts', async () => {
  await expect(threads.run(REFUSE, 'b.json', SMALL)).rejects.toMatchObject({
    failure: { kind: 'malformed', where: { file: 'b.json', line: 7 }, message: 'no' },
  });
});

test('content that needs more memory than is allowed fails, and other content is still read', async () => {
  await using little = new ParserThreads({ program: PROGRAM, heapMegabytes: 16 });
  await expect(little.run(FILL, 100_000, { file: 'big.json', bytes: 10 })).rejects.toMatchObject({
    failure: { kind: 'unsupported', what: 'big.json needs more memory than this process may use' },
  });
  expect(await little.run(ECHO, 'next', SMALL)).toBe('next');
});

test('with a lease, later calls find the state that an earlier call left on the thread', async () => {
  using lease = threads.lease(SMALL);
  const first = await lease.thread.run(NEXT, null, SMALL);
  expect(await lease.thread.run(NEXT, null, SMALL)).toBe(first + 1);
});

test('small content is read on this thread, and slow content is then read on another thread', async () => {
  const here = await parse(NEXT, null, { ...SMALL, on: threads });
  expect(await parse(NEXT, null, { ...SMALL, on: threads })).toBe(here + 1);
  await using patient = new ParserThreads({ program: PROGRAM });
  expect(await parse(SPIN, 2 * HERE_MS, { ...SMALL, on: patient })).toBe(2 * HERE_MS);
});

test('everything is read on threads until the last daemon of the process has ended', () => {
  expect(isReadHere(SMALL.bytes)).toBe(true);
  {
    using _first = readOnThreads();
    {
      using _second = readOnThreads();
    }
    expect(isReadHere(SMALL.bytes)).toBe(false);
  }
  expect(isReadHere(SMALL.bytes)).toBe(true);
});

test('the limit grows with the size of the content, up to a maximum', () => {
  expect(limitFor(0)).toBe(3000);
  expect(limitFor(12_000)).toBeLessThan(4000);
  expect(limitFor(1_000_000)).toBe(63_000);
  expect(limitFor(1_000_000_000)).toBe(300_000);
});

test('a process whose only open work is the end of its threads does not exit before it', () => {
  const program = join(import.meta.dirname, 'ending-process.ts');
  const { status, stdout } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'ended\n' });
});
