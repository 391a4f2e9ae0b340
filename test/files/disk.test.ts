import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, open, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  endHashingAt,
  hashBytes,
  hashFile,
  hashIfPresent,
  isPointer,
  parseStat,
  readBytes,
  removeAtOnce,
  standInFor,
  statOf,
} from '../../src/files/disk.ts';
import { readText } from '../../src/files/read-file.ts';
import type { Stat } from '../../src/job.ts';
import { execFileSync } from '../in-time.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('the hash of a file is the sha256 of its bytes, over several reads', async () => {
  const path = join(await temporaryFolder(), 'big.bin');
  const bytes = Buffer.alloc(3 * 1024 * 1024 + 17, 'dragoman');
  await writeFile(path, bytes);
  expect(await hashFile(path)).toBe(createHash('sha256').update(bytes).digest('hex'));
});

test('a rewrite of the same size with its time restored has another fingerprint', async () => {
  const path = join(await temporaryFolder(), 'a.txt');
  await writeFile(path, 'one');
  await utimes(path, 1000, 1000);
  const before = await statOf(path);
  await writeFile(path, 'two');
  await utimes(path, 1000, 1000);
  expect(await statOf(path)).not.toBe(before);
});

test('a fingerprint can be taken apart', async () => {
  const path = join(await temporaryFolder(), 'a.txt');
  await writeFile(path, 'four');
  await utimes(path, 1000, 1000);
  const stat = await statOf(path);
  expect(stat && parseStat(stat)).toMatchObject({ size: 4n, mtimeNs: 1_000_000_000_000n });
});

test('a missing file has no fingerprint and no hash', async () => {
  const path = join(await temporaryFolder(), 'nothing');
  expect([await statOf(path), await hashIfPresent(path)]).toEqual([undefined, undefined]);
});

test('a file over the limit is refused before it is read', async () => {
  const path = join(await temporaryFolder(), 'huge.json');
  const handle = await open(path, 'w');
  await handle.truncate(200 * 1024 * 1024 * 1024);
  await handle.close();
  await expect(readBytes(path, 1000)).rejects.toMatchObject({ failure: { kind: 'unsupported' } });
});

test('a file that grows while it is read is refused', async () => {
  const path = join(await temporaryFolder(), 'growing.json');
  await writeFile(path, Buffer.alloc(32 * 1024 * 1024));
  let reading = true;
  const writer = (async () => {
    while (reading) await appendFile(path, 'x');
  })();
  const read = readBytes(path, 1e9).finally(() => {
    reading = false;
  });
  await expect(read).rejects.toMatchObject({ failure: { kind: 'changed-meanwhile' } });
  await writer;
});

test('bytes come with the hash and fingerprint that belong to them', async () => {
  const path = join(await temporaryFolder(), 'a.json');
  await writeFile(path, '{}');
  expect(await readBytes(path, 10)).toEqual({
    bytes: Buffer.from('{}'),
    hash: hashBytes('{}'),
    stat: await statOf(path),
  });
});

test('a directory with the name of a file cannot be read, and the failure names it', async () => {
  const path = join(await temporaryFolder(), 'a.json');
  await mkdir(path);
  const failure = { kind: 'unreadable', file: path, code: 'EISDIR' };
  await expect(readBytes(path, 10)).rejects.toMatchObject({ failure });
  await expect(hashFile(path)).rejects.toMatchObject({ failure });
});

test('a file that no buffer takes is refused, whatever the limit', async () => {
  const path = join(await temporaryFolder(), 'a.json');
  await writeFile(path, 'x');
  await truncate(path, 4 * 1024 ** 3);
  const failure = { kind: 'unsupported' };
  await expect(readBytes(path, Number.POSITIVE_INFINITY)).rejects.toMatchObject({ failure });
});

test('a named pipe is refused and does not block', async () => {
  const path = join(await temporaryFolder(), 'pipe.json');
  execFileSync('/usr/bin/mkfifo', [path]);
  const failure = { kind: 'unreadable', code: 'not a regular file' };
  await expect(hashFile(path)).rejects.toMatchObject({ failure });
  await expect(readText(path)).rejects.toMatchObject({ failure });
});

describe('a file is not read to its end for its hash', () => {
  test('when it is larger than any file of a lane: a stand-in shows whether it changed', async () => {
    const path = join(await temporaryFolder(), 'a.html');
    await writeFile(path, 'x');
    await truncate(path, 300 * 1024 ** 3);
    const stat = (await statOf(path)) as Stat;
    expect(await hashFile(path)).toBe(standInFor(stat));
    expect(await hashIfPresent(path)).toBe(standInFor(stat));
    await truncate(path, 301 * 1024 ** 3);
    expect(await hashFile(path)).not.toBe(standInFor(stat));
  });

  test('after a signal', async () => {
    const path = join(await temporaryFolder(), 'a.html');
    await writeFile(path, 'x');
    await truncate(path, 8 * 1024 ** 3);
    const over = new AbortController();
    const hashing = hashFile(path, over.signal);
    over.abort(new Error('second SIGTERM'));
    await expect(hashing).rejects.toMatchObject({ failure: { kind: 'stopped' } });
  });

  test('after a signal that ends the process, except where it has one of its own', async () => {
    const path = join(await temporaryFolder(), 'a.html');
    await writeFile(path, 'x');
    await truncate(path, 2 * 1024 ** 2);
    const [over, own] = [new AbortController(), new AbortController()];
    const hash = await hashFile(path);
    using _ = endHashingAt(over.signal);
    const hashing = hashIfPresent(path);
    over.abort(new Error('second SIGTERM'));
    await expect(hashing).rejects.toMatchObject({ failure: { kind: 'stopped' } });
    expect(await hashFile(path, own.signal)).toBe(hash);
  });
});

test('a file is removed if it is there, and the error of one that cannot be removed has its code', async () => {
  const folder = await temporaryFolder();
  const file = join(folder, 'a.json');
  await writeFile(file, '{}');
  removeAtOnce(file);
  expect(await statOf(file)).toBeUndefined();
  removeAtOnce(file);
  expect(() => removeAtOnce(folder)).toThrow(
    expect.objectContaining({ code: expect.stringMatching(/^E[A-Z]+$/) }),
  );
});

test('no part removes a single file with rmSync: on a read-only disk its error has no code', () => {
  const src = join(import.meta.dirname, '..', '..', 'src');
  const removing = globSync('**/*.ts', { cwd: src }).flatMap((name) =>
    [...readFileSync(join(src, name), 'utf8').matchAll(/\brmSync\((?!.*recursive: true)/g)].map(
      () => name,
    ),
  );
  expect(removing).toEqual([]);
});

test('only one function asks what is at a path: Node fails where a file or a loop is in the place of a folder', async () => {
  const src = join(import.meta.dirname, '..', '..', 'src');
  const asking = globSync('**/*.ts', { cwd: src }).filter((name) =>
    /\blstatSync\([^)]*throwIfNoEntry/.test(readFileSync(join(src, name), 'utf8')),
  );
  expect(asking).toEqual(['files/disk.ts']);
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await symlink('loop', join(folder, 'loop'));
  for (const path of ['file/x', 'file/sub/x', 'loop/x', 'none/x'])
    expect(await statOf(join(folder, path)), path).toBeUndefined();
  expect(await statOf(join(folder, 'loop'))).toBeDefined();
});

test('pointers of git-LFS of every size are recognised, also through a link', async () => {
  const folder = await temporaryFolder();
  const least = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\n`;
  const wider = (bytes: number) => least.replace('oid', `ext-0-x ${'b'.repeat(bytes)}\noid`);
  const files = { least, sized: `${least}size 5\n`, most: wider(1023 - least.length - 9) };
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    await writeFile(path, content);
    await symlink(path, `${path}-link`);
    expect([name, await isPointer(path), await isPointer(`${path}-link`)]).toEqual([
      name,
      true,
      true,
    ]);
  }
  await writeFile(join(folder, 'text'), 'c'.repeat(least.length));
  expect(await isPointer(join(folder, 'text'))).toBe(false);
  expect(await isPointer(join(folder, 'absent'))).toBe(false);
});
