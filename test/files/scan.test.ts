import { rmSync } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Interest, Listing } from '../../src/files/listing.ts';
import { scan } from '../../src/files/scan.ts';
import { asNobody } from '../as-nobody.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const json: Interest = { wants: (path) => path.endsWith('.json'), enters: () => true };

async function folderWith(files: Record<string, string>): Promise<string> {
  const root = await temporaryFolder();
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return root;
}

async function listingOf(root: string, interest = json) {
  const listing = await scan(root, interest);
  if (listing.kind === 'offline') throw new Error(listing.reason);
  return { ...listing, paths: listing.files.map(({ path }) => path).sort() };
}

const reasons = (listing: Extract<Listing, { kind: 'online' }>) =>
  Object.fromEntries(listing.skipped.map(({ path, reason }) => [path, reason]));

test('wanted files are listed with size and fingerprint, all others are not', async () => {
  const root = await folderWith({ 'a.json': '{}', 'x/y/b.json': '{ }', 'x/readme.txt': '' });
  const listing = await listingOf(root);
  expect(listing.paths).toEqual(['a.json', 'x/y/b.json']);
  expect(listing.files.map(({ size }) => size).sort()).toEqual([2, 3]);
  expect(listing.files[0]?.stat).toMatch(/^\d+:\d{19}:\d{19}:\d+$/);
  expect(listing.folders).toBe(3);
});

test('a folder without interest is not looked into', async () => {
  const root = await folderWith({ 'in/a.json': '', 'out/b.json': '', 'in/deep/c.json': '' });
  const listing = await listingOf(root, { ...json, enters: (folder) => folder.startsWith('in') });
  expect(listing.paths).toEqual(['in/a.json', 'in/deep/c.json']);
});

test('ignored names are nowhere, whether files or folders', async () => {
  const root = await folderWith({ '.x.json': '', 'a.json~': '', 'node_modules/a.json': '' });
  expect(await listingOf(root)).toMatchObject({ files: [], skipped: [], folders: 1 });
});

test('a root that is not there is offline, not empty', async () => {
  const root = await temporaryFolder();
  expect(await scan(join(root, 'gone'), json)).toEqual({
    kind: 'offline',
    reason: 'it is not there',
  });
});

test('a file in place of the root is offline', async () => {
  const root = await folderWith({ file: '' });
  expect(await scan(join(root, 'file'), json)).toEqual({
    kind: 'offline',
    reason: 'it is not a folder',
  });
});

test('a symbolic link as root is resolved', async () => {
  const root = await folderWith({ 'real/a.json': '' });
  await symlink(join(root, 'real'), join(root, 'link'));
  expect((await listingOf(join(root, 'link'))).paths).toEqual(['a.json']);
});

test('links are not followed: out of the root, to a folder, in a loop, to nowhere', async () => {
  const outside = await folderWith({ 'secret.json': '{}' });
  const root = await folderWith({ 'sub/a.json': '{}' });
  await symlink(join(outside, 'secret.json'), join(root, 'out.json'));
  await symlink(outside, join(root, 'folder'));
  await symlink(join(root, 'sub'), join(root, 'sub', 'loop'));
  await symlink('round.json', join(root, 'round.json'));
  await symlink('nothing', join(root, 'broken.json'));
  const listing = await listingOf(root);
  expect(listing.paths).toEqual(['sub/a.json']);
  expect(reasons(listing)).toEqual({
    'out.json': 'it is a symbolic link; links are not followed',
    folder: 'it is a symbolic link to a folder; links are not followed',
    'sub/loop': 'it is a symbolic link to a folder; links are not followed',
    'round.json': 'it is a symbolic link in a loop',
    'broken.json': 'it is a symbolic link that leads nowhere',
  });
});

test('a folder named like a file is reported, and its files are listed', async () => {
  const root = await folderWith({ 'a.json/b.json': '{}' });
  const listing = await listingOf(root);
  expect(listing.paths).toEqual(['a.json/b.json']);
  expect(reasons(listing)).toEqual({ 'a.json': 'it is a folder, not a file' });
});

test('folders are not reported where files of every name are wanted', async () => {
  const root = await folderWith({ 'd.1/b.json': '{}', 'plain/c/d.json': '{}', 'a.json': '{}' });
  const listing = await listingOf(root, { ...json, wants: () => true });
  expect(listing.paths).toEqual(['a.json', 'd.1/b.json', 'plain/c/d.json']);
  expect(reasons(listing)).toEqual({});
});

test('a name that is not UTF-8 is reported as not representable', async () => {
  const root = await folderWith({ 'a.json': '{}' });
  await writeFile(
    Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.json')]),
    '',
  );
  await writeFile(join(root, 'real\ufffd.json'), '');
  const listing = await listingOf(root);
  expect(listing.paths).toEqual(['a.json', 'real\ufffd.json']);
  expect(reasons(listing)).toEqual({
    'caf\ufffd.json': 'its name is not representable (not UTF-8)',
  });
});

test('a name that reads like one that is not UTF-8 is reported as such', async () => {
  const root = await folderWith({ 'caf\ufffd.json': '{}' });
  const lost = [Buffer.from(`${root}/caf`), Buffer.from([0xe9]), Buffer.from('.json')];
  await writeFile(Buffer.concat(lost), '');
  const listing = await listingOf(root);
  expect(listing.paths).toEqual([]);
  expect(reasons(listing)).toEqual({
    'caf\ufffd.json': 'another name here is not UTF-8, and reads like this one (with U+FFFD)',
  });
});

test('a name in NFD is listed under its NFC name and can be read by its raw one', async () => {
  const root = await folderWith({ 'cafe\u0301/re\u0301sume\u0301.json': '{}' });
  const listing = await listingOf(root);
  expect(listing.files).toMatchObject([
    { path: 'caf\u00e9/r\u00e9sum\u00e9.json', raw: 'cafe\u0301/re\u0301sume\u0301.json' },
  ]);
});

test('two names that differ in the spelling of accents only are both refused', async () => {
  const root = await folderWith({
    'cafe\u0301.json': '1',
    'caf\u00e9.json': '2',
    'na\u00efve.json': '',
  });
  const listing = await listingOf(root);
  expect(listing.paths).toEqual(['na\u00efve.json']);
  expect(listing.skipped.map(({ path }) => path)).toEqual(['caf\u00e9.json']);
  expect(listing.skipped[0]?.reason).toContain('NFC and NFD');
});

test('newlines, backslashes and spaces in names are plain characters', async () => {
  const files = { 'a\nb.json': '', 'a\\b.json': '', ' .json': '', 'a/b.json': '' };
  expect((await listingOf(await folderWith(files))).paths).toEqual([
    ' .json',
    'a\nb.json',
    'a/b.json',
    'a\\b.json',
  ]);
});

test('files that cannot be read are reported, and the others are listed', async () => {
  const root = await folderWith({ 'a.json': '', 'closed.json': '', 'closed/b.json': '' });
  await chmod(root, 0o755);
  await chmod(join(root, 'closed.json'), 0o000);
  await chmod(join(root, 'closed'), 0o000);
  const listing = await asNobody(() => listingOf(root));
  expect(listing.paths).toEqual(['a.json']);
  expect(reasons(listing)).toEqual({
    'closed.json': 'it cannot be read (EACCES)',
    closed: 'the folder cannot be read (EACCES)',
  });
});

test('a folder that is removed while the scan runs is not in it', async () => {
  const root = await folderWith({ 'a/a.json': '', 'b/b.json': '' });
  const interest: Interest = {
    ...json,
    enters: (folder) => {
      if (folder === 'b') rmSync(join(root, 'a'), { recursive: true, force: true });
      return true;
    },
  };
  await expect(scan(root, interest)).resolves.toMatchObject({ kind: 'online' });
});
