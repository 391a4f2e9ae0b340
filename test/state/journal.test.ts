import { cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { allSteps } from '../../src/clock.ts';
import { Journal } from '../../src/state/journal.ts';
import { journalLine, lineOfPieces } from '../../src/state/journal-line.ts';
import { replay } from '../../src/state/replay.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function journalOf(lines: readonly string[]): Promise<string> {
  const path = join(await temporaryFolder(), 'journal.log');
  await using journal = await Journal.open(path);
  for (const line of lines) await journal.append(JSON.stringify(line));
  return path;
}

async function read(path: string) {
  const lines: string[] = [];
  const replayed = await replay(path, (json) => lines.push(JSON.parse(json)));
  return { ...replayed, lines };
}

const LINES = ['one', 'zwei: äöü', 'drei\n', '四 🦀', 'five'];

test('lines come back in order, whatever is in them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 20 }), async (lines) => {
      expect(await read(await journalOf(lines))).toMatchObject({ lines, torn: 0, damaged: [] });
    }),
    { numRuns: 15 },
  );
});

test('a line is the same whether its JSON is encoded whole or in pieces', () => {
  const json = JSON.stringify(LINES);
  const pieces = [json.slice(0, 7), json.slice(7, 12), json.slice(12)].map((text) =>
    Buffer.from(text),
  );
  expect(allSteps(lineOfPieces(pieces)).toString()).toBe(journalLine(json, 0));
});

test('lines longer than what is read at once come back', async () => {
  const lines = ['a', 'x'.repeat(5_000_000), 'b', 'ü'.repeat(1_500_000)];
  expect((await read(await journalOf(lines))).lines).toEqual(lines);
});

test('cut off at any byte, it holds exactly the lines that are whole, and can be written on', async () => {
  const whole = await readFile(await journalOf(LINES));
  const ends = LINES.map((_, n) => whole.length - tailBytes(whole, LINES.length - 1 - n));
  const path = join(await temporaryFolder(), 'cut.log');
  for (let length = 0; length < whole.length; length++) {
    await writeFile(path, whole.subarray(0, length));
    const kept = ends.filter((end) => end <= length).length;
    const { lines, end, torn, damaged } = await read(path);
    expect([lines, torn, damaged]).toEqual([LINES.slice(0, kept), length - end, []]);
    await using journal = await Journal.open(path, end);
    await journal.append('"next"');
    expect((await read(path)).lines).toEqual([...LINES.slice(0, kept), 'next']);
  }
});

test('a flipped bit anywhere loses at most its own line, and says so unless it is the last one', async () => {
  const whole = await readFile(await journalOf(LINES));
  const path = join(await temporaryFolder(), 'flipped.log');
  const last = whole.length - tailBytes(whole, 1);
  const silent: number[] = [];
  for (let at = 0; at < whole.length; at++) {
    const bytes = Buffer.from(whole);
    bytes.writeUInt8(bytes.readUInt8(at) ^ 4, at);
    await writeFile(path, bytes);
    const { lines, damaged, torn } = await read(path);
    expect(LINES.length - lines.length).toBeLessThanOrEqual(1);
    expect(LINES).toEqual(expect.arrayContaining(lines));
    if (lines.length < LINES.length && damaged.length === 0) silent.push(at);
    expect(torn > 0).toBe(lines.length < LINES.length && damaged.length === 0);
  }
  expect(silent.every((at) => at >= last)).toBe(true);
});

test('zeros and holes in a batch that was never acknowledged are torn, not damaged', async () => {
  const path = await journalOf(['acknowledged']);
  const acknowledged = (await stat(path)).size;
  {
    await using journal = await Journal.open(path, acknowledged);
    await Promise.all(['a', 'b', 'c'].map((line) => journal.append(JSON.stringify(line))));
  }
  const bytes = await readFile(path);
  bytes.fill(0, acknowledged + 8, acknowledged + 20);
  await writeFile(path, Buffer.concat([bytes, Buffer.alloc(4096)]));
  expect(await read(path)).toMatchObject({
    lines: ['acknowledged'],
    end: acknowledged,
    damaged: [],
  });
});

test('a hole in lines that were acknowledged is damage, and the lines behind it are kept', async () => {
  const path = await journalOf(['a', 'b', 'c', 'd', 'e']);
  const bytes = await readFile(path);
  const second = bytes.length - tailBytes(bytes, 4);
  const fourth = bytes.length - tailBytes(bytes, 2);
  bytes.fill(0, second + 3, fourth - 3);
  await writeFile(path, bytes);
  const { lines, damaged } = await read(path);
  expect(lines).toEqual(['a', 'd', 'e']);
  expect(damaged[0]?.offset).toBe(second);
});

test('lines that wait together are flushed together', async () => {
  const path = join(await temporaryFolder(), 'journal.log');
  await using journal = await Journal.open(path);
  const first = journal.append('0');
  const others = Array.from({ length: 1000 }, (_, n) => journal.append(`${n}`));
  expect(new Set([first, ...others]).size).toBe(1);
  await Promise.all(others);
  expect((await read(path)).lines).toHaveLength(1001);
});

test('a rotation takes its turn between the lines before and after it', async () => {
  const folder = await temporaryFolder();
  const [one, two] = [join(folder, '1.log'), join(folder, '2.log')];
  {
    await using journal = await Journal.open(one);
    const before = journal.append('"before"');
    const rotation = journal.rotate(two);
    const after = journal.append('"after"');
    await Promise.all([before, rotation, after]);
  }
  expect([(await read(one)).lines, (await read(two)).lines]).toEqual([['before'], ['after']]);
});

test('after a failure nothing is written any more, though it could be', async () => {
  const folder = join(await temporaryFolder(), 'journals');
  await mkdir(folder);
  await using journal = await Journal.open(join(folder, '1.log'));
  await journal.append('"kept"');
  await cp(folder, `${folder}.copy`, { recursive: true });
  await rm(folder, { recursive: true });
  const rotation = journal.rotate(join(folder, '2.log'));
  const behind = journal.append('"behind"');
  await expect(rotation).rejects.toMatchObject({ failure: { kind: 'unwritable', code: 'ENOENT' } });
  await expect(behind).rejects.toMatchObject({ failure: { kind: 'unwritable' } });
  await cp(`${folder}.copy`, folder, { recursive: true });
  await expect(journal.append('"later"')).rejects.toMatchObject({
    failure: { kind: 'unwritable', code: 'ENOENT' },
  });
});

/** Bytes of the last `count` lines. */
function tailBytes(journal: Buffer, count: number): number {
  let at = journal.length;
  for (let n = 0; n < count; n++) at = journal.lastIndexOf('\n', at - 2) + 1;
  return journal.length - at;
}
