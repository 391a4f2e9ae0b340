import { chmod, link, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { hashBytes, hashFile, statOf, writeFailure } from '../../src/files/disk.ts';
import {
  publishStaged,
  replaceFile,
  stageFile,
  writeIfDifferent,
} from '../../src/files/replace.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('a new file appears with its folders, and nothing else is left', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'de', 'deep', 'app.json');
  const placed = await replaceFile({ path, root, content: '{}' });
  expect(placed).toEqual({ hash: hashBytes('{}'), stat: await statOf(path), size: 2 });
  expect(await readdir(join(root, 'de', 'deep'))).toEqual(['app.json']);
});

test('a replaced file keeps its permissions', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.txt');
  await writeFile(path, 'old');
  await chmod(path, 0o640);
  await replaceFile({ path, root, content: 'new' });
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

test('a replacement is a new inode, so that readers of the old one never see half of each', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.txt');
  await writeFile(path, 'old');
  await link(path, join(root, 'reader'));
  await replaceFile({ path, root, content: 'new' });
  expect(await readFile(join(root, 'reader'), 'utf8')).toBe('old');
});

test('content may be a stream', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.bin');
  async function* content() {
    yield Buffer.from('one ');
    yield Buffer.from('two');
  }
  const placed = await replaceFile({ path, root, content: content(), durability: 'cached' });
  expect(placed).toMatchObject({ size: 7, hash: hashBytes('one two') });
});

test('content of several megabytes is written whole, and has the hash of the whole', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'large.json');
  const content = Buffer.alloc(2.5 * 1024 * 1024, 'every piece of it, in its order; ');
  const replaced = await replaceFile({ path, root, content });
  expect(replaced).toMatchObject({ hash: hashBytes(content), size: content.byteLength });
  expect(content.equals(await readFile(path))).toBe(true);
});

test('a stream that breaks off leaves the old file and no temporary one', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.bin');
  await writeFile(path, 'old');
  async function* content() {
    yield Buffer.from('half');
    throw new Error('connection lost');
  }
  await expect(replaceFile({ path, root, content: content() })).rejects.toThrow();
  expect(await readdir(root)).toEqual(['a.bin']);
  expect(await readFile(path, 'utf8')).toBe('old');
});

test('a file that a person changed meanwhile is not overwritten', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.txt');
  await writeFile(path, 'seen');
  const expectedOld = await hashFile(path);
  const staged = await stageFile({ path, root, content: 'ours' });
  await writeFile(path, 'theirs');
  await expect(publishStaged(staged, expectedOld)).rejects.toMatchObject({
    failure: { kind: 'changed-meanwhile' },
  });
  expect([await readFile(path, 'utf8'), await readdir(root)]).toEqual(['theirs', ['a.txt']]);
});

test.each([10, 3_000_000])(
  'when two writers replace the same file of %i bytes at once, one succeeds, and the other one gets an error',
  async (bytes) => {
    const root = await temporaryFolder();
    const path = join(root, 'a.txt');
    const old = 'x'.repeat(bytes);
    for (let round = 0; round < 10; round += 1) {
      await writeFile(path, old);
      const writers = ['job', 'person'].map((content) =>
        replaceFile({ path, root, content, expectedOld: hashBytes(old) }).then(
          () => content,
          (error: { failure: { kind: string } }) => error.failure.kind,
        ),
      );
      const outcomes = await Promise.all(writers);
      expect(outcomes.toSorted()).toEqual([
        'changed-meanwhile',
        expect.stringMatching(/^(?:job|person)$/),
      ]);
      expect(outcomes).toContain(await readFile(path, 'utf8'));
    }
  },
);

test('a file that appeared where nothing was expected is not overwritten', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.txt');
  await writeFile(path, 'theirs');
  await expect(
    replaceFile({ path, root, content: 'ours', expectedOld: null }),
  ).rejects.toMatchObject({ failure: { kind: 'changed-meanwhile', file: path } });
});

test('when two writers replace a file at the same moment, each gets the fingerprint of its own content', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.txt');
  const placed = await Promise.all(
    ['one', 'two'].map((content) => replaceFile({ path, root, content })),
  );
  const [first, second] = placed.map(({ stat }) => stat);
  expect(first).not.toBe(second);
  expect([first, second]).toContain(await statOf(path));
});

test('equal content is not written again', async () => {
  const root = await temporaryFolder();
  const path = join(root, 'a.txt');
  const first = await writeIfDifferent({ path, root, content: 'same' });
  const second = await writeIfDifferent({ path, root, content: 'same' });
  expect(second).toEqual({ ...first, written: false });
});

test('a symbolic link inside the root is followed to its file', async () => {
  const root = await temporaryFolder();
  await writeFile(join(root, 'real.txt'), 'old');
  await symlink('real.txt', join(root, 'link.txt'));
  await replaceFile({ path: join(root, 'link.txt'), root, content: 'new' });
  expect(await readFile(join(root, 'real.txt'), 'utf8')).toBe('new');
});

test('neither a link nor a linked folder leads out of the root', async () => {
  const root = await temporaryFolder();
  const outside = await temporaryFolder();
  await writeFile(join(outside, 'a.txt'), 'private');
  await symlink(join(outside, 'a.txt'), join(root, 'link.txt'));
  await symlink(outside, join(root, 'folder'));
  const failure = { kind: 'unwritable', code: 'it leads out of the root' };
  for (const path of ['link.txt', 'folder/b.txt', 'folder/new/c.txt', '../b.txt']) {
    await expect(replaceFile({ path: join(root, path), root, content: 'x' })).rejects.toMatchObject(
      { failure },
    );
  }
  expect([await readdir(outside), await readFile(join(outside, 'a.txt'), 'utf8')]).toEqual([
    ['a.txt'],
    'private',
  ]);
});

test('a link to nowhere is refused', async () => {
  const root = await temporaryFolder();
  await symlink('/nonexistent/file', join(root, 'link.txt'));
  await expect(
    replaceFile({ path: join(root, 'link.txt'), root, content: 'x' }),
  ).rejects.toMatchObject({ failure: { kind: 'unwritable' } });
});

test('a folder in the place of the target is an unwritable file, and nothing is left beside it', async () => {
  const root = await temporaryFolder();
  await mkdir(join(root, 'a.json', 'full'), { recursive: true });
  await expect(
    replaceFile({ path: join(root, 'a.json'), root, content: '{}' }),
  ).rejects.toMatchObject({ failure: { kind: 'unwritable', code: 'EISDIR' } });
  expect(await readdir(root)).toEqual(['a.json']);
});

test('a full disk is another failure than a file that may not be written', async () => {
  const full = await writeFile('/dev/full', 'x').catch((error) => error);
  const forbidden = await writeFile('/proc/version', 'x').catch((error) => error);
  expect([full, forbidden].map((error) => writeFailure('a.txt', error).failure)).toEqual([
    { kind: 'disk-full', file: 'a.txt' },
    { kind: 'unwritable', file: 'a.txt', code: expect.stringMatching(/^E/) },
  ]);
});
