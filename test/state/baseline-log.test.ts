import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baselineId } from '../../src/state/baselines/hash-index.ts';
import {
  BaselineLog,
  isLogWhole,
  type LogReader,
  openLogReader,
} from '../../src/state/baselines/log.ts';
import { journalLine } from '../../src/state/journal-line.ts';
import { temporaryFolder } from '../temporary-folder.ts';

type Change =
  | { readonly kind: 'write'; readonly name: string; readonly text: string }
  | { readonly kind: 'remove'; readonly name: string }
  | { readonly kind: 'swap'; readonly names: readonly [string, string] };

const NAMES = ['a', 'b', 'c'];
const name = fc.constantFrom(...NAMES);
const text = fc.string({ minLength: 1, maxLength: 5 });
const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('write'), name, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('remove'), name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('swap'), names: fc.tuple(name, name) }) },
);

async function take(log: BaselineLog, change: Change): Promise<void> {
  switch (change.kind) {
    case 'write':
      return await log.write(baselineId(change.name), Buffer.from(journalLine(change.text, 0)));
    case 'remove':
      return await log.remove(baselineId(change.name));
    case 'swap': {
      const [from, to] = [baselineId(change.names[0]), baselineId(change.names[1])];
      return await log.move([
        { from, to },
        { from: to, to: from },
      ]);
    }
  }
}

async function texts(log: LogReader): Promise<(string | undefined)[]> {
  const found = await Promise.all(NAMES.map((name) => log.read(baselineId(name))));
  return found.map((bytes) => bytes?.toString());
}

/** A log with these changes, and what it held when it was how long. */
async function writeLog(folder: string, changes: readonly Change[]) {
  await using log = await BaselineLog.open(folder);
  const file = join(folder, 'log.1');
  const states = [{ size: 0, texts: await texts(log) }];
  for (const each of changes) {
    await take(log, each);
    states.push({ size: (await stat(file)).size, texts: await texts(log) });
  }
  return { bytes: await readFile(file), states };
}

test('a log that ends at any byte holds what was whole before it, and takes what comes after', async () => {
  const home = await temporaryFolder();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 3, maxLength: 4 }), async (changes) => {
      const { bytes, states } = await writeLog(join(home, `${run++}`), changes);
      const folder = join(home, `${run++}`);
      await mkdir(folder);
      for (let end = bytes.length; end >= 0; end--) {
        await writeFile(join(folder, 'log.1'), bytes.subarray(0, end));
        const expected = states.findLast(({ size }) => size <= end)?.texts;
        {
          await using log = await BaselineLog.open(folder);
          expect(await texts(log)).toEqual(expected);
          await log.write(baselineId('new'), Buffer.from('new'));
        }
        await using again = (await openLogReader(folder)) ?? expect.unreachable();
        expect(await texts(again)).toEqual(expected);
        expect(await again.read(baselineId('new'))).toEqual(Buffer.from('new'));
      }
    }),
    { numRuns: 2 },
  );
});

test('one damaged byte costs one baseline at most, and gives no other one a wrong one', async () => {
  const folder = await temporaryFolder();
  const changes = NAMES.map((name): Change => ({ kind: 'write', name, text: name }));
  const { bytes, states } = await writeLog(folder, changes);
  const whole = states.at(-1)?.texts ?? [];
  for (let at = 0; at < bytes.length; at++) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(at) ^ 1, at);
    await writeFile(join(folder, 'log.1'), damaged);
    await using log = (await openLogReader(folder)) ?? expect.unreachable();
    const found = await texts(log);
    const other = found.filter((text, n) => text !== whole[n]);
    expect(other.length).toBeLessThanOrEqual(1);
    // A damaged baseline is found, and refused by its own checksum.
    expect(other.filter((text) => whole.includes(text))).toEqual([]);
    // A line end is proved by the line behind it.
    const isEnd = bytes.readUInt8(at) === '\n'.charCodeAt(0);
    expect({ at, isWhole: await isLogWhole(join(folder, 'log.1')) }).toEqual({
      at,
      isWhole: isEnd,
    });
  }
  await writeFile(join(folder, 'log.1'), bytes);
  expect(await isLogWhole(join(folder, 'log.1'))).toBe(true);
});
