import { readFileSync, writeFileSync } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { LanguageTag } from '../../src/language.ts';
import type { UnitId } from '../../src/segments/statements.ts';
import { LockFiles } from '../../src/state/lock-file.ts';
import { readLockBytes } from '../../src/state/lock-reader.ts';
import { parseLock } from '../../src/state/lock-text.ts';
import { packLock, unpackLock } from '../../src/state/thread-locks.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const NAME = { project: 'app', language: 'de' as LanguageTag };
const LINE = 'Rk3v9a 4Qm2xZ7p aP0_d1 m';

test('a lock is written once, read again, and not touched where nothing changed', async () => {
  const files = new LockFiles(join(await temporaryFolder(), 'dragoman.lock'));
  expect(await files.index(NAME)).toBeUndefined();
  const { sections } = parseLock(`# a.json\n\n${LINE}\n`);
  expect(await files.write(NAME, sections)).toBe(true);
  expect(await files.write(NAME, sections)).toBe(false);
  expect((await files.index(NAME))?.size).toBe(1);
});

test('calls for a lock that is being read share one read', async () => {
  const folder = join(await temporaryFolder(), 'dragoman.lock');
  await new LockFiles(folder).write(NAME, parseLock(`# a.json\n\n${LINE}\n`).sections);
  const files = new LockFiles(folder);
  const [first, ...others] = await Promise.all([1, 2, 3].map(() => files.index(NAME)));
  expect(first?.size).toBe(1);
  for (const other of others) expect(other).toBe(first);
});

test('what this process wrote is read at once, and what another one wrote in the next turn', async () => {
  const files = new LockFiles(join(await temporaryFolder(), 'dragoman.lock'));
  const sections = async () =>
    [...((await files.lock(NAME))?.sections.keys() ?? [])].filter(Boolean);
  const other = new LockFiles(files.folder);
  const one = parseLock(`# a.json\n\n${LINE}\n`).sections;
  expect(await sections()).toEqual([]);
  await files.write(NAME, one);
  expect(await sections()).toEqual(['a.json']);
  await other.write(NAME, parseLock(`# b.json\n\n${LINE}\n`).sections);
  await setImmediate();
  expect(await sections()).toEqual(['b.json']);
  await files.change(NAME, (lock) => new Map([...(lock?.sections ?? []), ...one]));
  expect(new Set(await sections())).toEqual(new Set(['a.json', 'b.json']));
  await files.remove(files.pathOf(NAME));
  expect(await sections()).toEqual([]);
});

test('what another thread wrote is read at once by the thread that gets its lock', async () => {
  const files = new LockFiles(join(await temporaryFolder(), 'dragoman.lock'));
  await files.write(NAME, parseLock(`# a.json\n\n${LINE}\n`).sections);
  const before = packLock(files);
  await unpackLock(before).lock(NAME);
  await setImmediate();
  const inThisTurn = unpackLock(before).lock(NAME);
  const content = readFileSync(files.pathOf(NAME), 'utf8');
  writeFileSync(files.pathOf(NAME), content.replace('# a.json', '# bb.json'));
  const found = unpackLock({ ...before, writings: before.writings + 1 }).lock(NAME);
  expect([...((await found)?.sections.keys() ?? [])]).toContain('bb.json');
  await inThisTurn;
  await files.remove(files.pathOf(NAME));
  expect(packLock(files).writings).toBe(before.writings + 1);
});

test('the index of some units has their statements of all sections, and no others', async () => {
  const folder = join(await temporaryFolder(), 'dragoman.lock');
  const other = 'x81LmQ 9sTTw0Kd 77bcDe h+';
  const merged = `${LINE.slice(0, 6)} 9sTTw0Kd 77bcDe h+`;
  const { sections } = parseLock(`# a.json\n\n${LINE}\n\n${other}\n\n# b.json\n\n${merged}\n`);
  await new LockFiles(folder).write(NAME, sections);
  const files = new LockFiles(folder);
  const unit = LINE.slice(0, 6) as UnitId;
  const some = await files.indexOf(NAME, [unit, 'absent' as UnitId]);
  expect([...(some ?? [])].map(([key, { length }]) => [key, length])).toEqual([[unit, 2]]);
  const all = await files.index(NAME);
  expect(some?.get(unit)).toEqual(all?.get(unit));
  expect(await files.indexOf(NAME, [unit])).toBe(all);
  expect(await files.indexOf({ ...NAME, language: 'fr' as LanguageTag }, [unit])).toBeUndefined();
});

test('a lock of a newer program is neither read nor written', async () => {
  const folder = join(await temporaryFolder(), 'dragoman.lock');
  const files = new LockFiles(folder);
  await mkdir(join(folder, 'app'), { recursive: true });
  await writeFile(files.pathOf(NAME), `# dragoman lock 2; x\n\n# a.json\n\n${LINE}\n`);
  await expect(files.index(NAME)).rejects.toThrow('version 2');
  await expect(files.write(NAME, new Map())).rejects.toThrow('version 2');
});

test('a lock that is larger than any is damaged: it is neither read nor written', async () => {
  const folder = join(await temporaryFolder(), 'dragoman.lock');
  const files = new LockFiles(folder);
  await files.write(NAME, parseLock(`# a.json\n\n${LINE}\n`).sections);
  const file = files.pathOf(NAME);
  await truncate(file, 4 * 1024 ** 3);
  const failure = { kind: 'damaged-state', file };
  await expect(files.index(NAME)).rejects.toMatchObject({ failure });
  await expect(files.write(NAME, new Map())).rejects.toMatchObject({ failure });
  await expect(readLockBytes(file)).rejects.toMatchObject({ failure });
});

test('our own write changes the version of its own section, and that of somebody else changes all versions', async () => {
  const files = new LockFiles(join(await temporaryFolder(), 'dragoman.lock'));
  const other = LINE.replace('Rk3v9a', 'Qk3v9a');
  const lock = (a: string, b: string) =>
    parseLock(`# a.json\n\n${a}\n\n# b.json\n\n${b}\n`).sections;
  const versions = async () => [
    await files.version(NAME, 'a.json'),
    await files.version(NAME, 'b.json'),
  ];
  expect(await versions()).toEqual([undefined, undefined]);
  await files.write(NAME, lock(LINE, other));
  const [a, b] = await versions();
  await files.write(NAME, lock(`${LINE}+`, other));
  expect(await versions()).toEqual([expect.not.stringMatching(a ?? ''), b]);
  expect((await files.lock(NAME))?.sections.get('a.json')?.[0]?.review).toBe('reviewed');
  await writeFile(files.pathOf(NAME), `# dragoman lock 1;\n\n# a.json\n\n${LINE}\n`);
  const [, later] = await versions();
  expect(later).not.toBe(b);
  expect((await files.index(NAME))?.size).toBe(1);
});

test('the second of two changes at once is made to the result of the first', async () => {
  const files = new LockFiles(join(await temporaryFolder(), 'dragoman.lock'));
  const add = (path: string, line: string) =>
    files.change(NAME, async (known) => {
      await files.has(NAME);
      return new Map([...(known?.sections ?? []), ...parseLock(`# ${path}\n\n${line}\n`).sections]);
    });
  await Promise.all([add('a.json', LINE), add('b.json', LINE.replace('R', 'Q'))]);
  const sections = (await new LockFiles(files.folder).lock(NAME))?.sections;
  expect([...(sections?.keys() ?? [])].filter((path) => path !== '')).toEqual(
    expect.arrayContaining(['a.json', 'b.json']),
  );
});
