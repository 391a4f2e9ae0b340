/** Git as the program sees it: real repositories in temp folders. */

import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import {
  changedFiles,
  filesAtCommit,
  GitFailure,
  type GitFault,
  mergeBase,
  openRepository,
  pathInRepository,
} from '../../src/files/git.ts';
import { contentsOf } from '../../src/files/git-contents.ts';
import { commitAll, git } from '../git.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function write(root: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
}

/** @returns the root, without symbolic links */
async function repository(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await realpath(await temporaryFolder());
  await write(root, files);
  commit(root, 'begin');
  return root;
}

function commit(root: string, message: string): string {
  commitAll(root, message);
  return git(root, 'rev-parse', 'HEAD');
}

async function faultOf(work: Promise<unknown>): Promise<GitFault | undefined> {
  return await work.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof GitFailure) return error.fault;
      throw error;
    },
  );
}

test('a branch is compared with the commit that it began at, not with what the other branch became', async () => {
  const root = await repository({ 'a.json': '{}', 'b.json': '{}' });
  const began = git(root, 'rev-parse', 'HEAD').trim();
  git(root, 'checkout', '--quiet', '-b', 'feature');
  await write(root, { 'a.json': '{"a":"1"}' });
  commit(root, 'change a');
  git(root, 'checkout', '--quiet', 'main');
  await write(root, { 'b.json': '{"b":"1"}' });
  commit(root, 'change b');
  git(root, 'checkout', '--quiet', 'feature');
  const repo = await openRepository(root);
  const base = await mergeBase(repo, 'main');
  expect(base).toBe(began);
  expect(await changedFiles(repo, base)).toEqual([join(root, 'a.json')]);
});

test('changed, renamed, removed and new files are listed, also from below the root and with letters of all kinds', async () => {
  const root = await repository({
    '.gitignore': 'out/\n',
    'in/grüße "1".json': 'x',
    'in/old name.json': 'the same content in both of them',
    'in/gone.json': 'gone',
    'in/same.json': 'same',
  });
  const base = git(root, 'rev-parse', 'HEAD').trim();
  git(root, 'mv', 'in/old name.json', 'in/new name.json');
  await rm(join(root, 'in/gone.json'));
  await write(root, { 'in/grüße "1".json': 'y', 'in/untracked.json': '{}', 'out/ignored': 'x' });
  const changed = await changedFiles(await openRepository(join(root, 'in')), base);
  expect(changed.toSorted((a, b) => (a < b ? -1 : 1))).toEqual(
    [
      'in/gone.json',
      'in/grüße "1".json',
      'in/new name.json',
      'in/old name.json',
      'in/untracked.json',
    ].map((path) => join(root, path)),
  );
});

test('the files of a commit are read as they were, byte for byte, and a file that it lacks is reported', async () => {
  const large = 'ä'.repeat(300_000);
  const root = await repository({ 'a b.txt': 'one\r\ntwo\0', 'large.txt': large, 'empty.txt': '' });
  const base = git(root, 'rev-parse', 'HEAD').trim();
  await write(root, { 'a b.txt': 'other' });
  commit(root, 'change');
  const repo = await openRepository(root);
  const paths = ['a b.txt', 'missing.txt', 'large.txt', 'empty.txt'];
  const found = new Map<string, string | undefined>();
  for await (const { path, bytes } of contentsOf(
    repo,
    paths.map((path) => ({ commit: base, path })),
  ))
    found.set(path, bytes?.toString('utf8'));
  expect([...found]).toEqual([
    ['a b.txt', 'one\r\ntwo\0'],
    ['missing.txt', undefined],
    ['large.txt', large],
    ['empty.txt', ''],
  ]);
  expect(await filesAtCommit(repo, base)).toEqual(
    ['a b.txt', 'empty.txt', 'large.txt'].map((path) => join(root, path)),
  );
});

test('a work tree of another repository counts as one of its own', async () => {
  const root = await repository({ 'a.json': '{}' });
  const other = join(await realpath(await temporaryFolder()), 'tree');
  git(root, 'worktree', 'add', '--quiet', other, '-b', 'feature');
  await write(other, { 'a.json': '{"a":"1"}' });
  const repo = await openRepository(other);
  expect(repo.top).toBe(other);
  expect(await changedFiles(repo, await mergeBase(repo, 'main'))).toEqual([join(other, 'a.json')]);
});

test('a path is named from the top of the repository, also through a symbolic link', async () => {
  const root = await repository({ 'app/a.json': '{}' });
  const link = join(await temporaryFolder(), 'link');
  await symlink(root, link);
  const repo = await openRepository(join(link, 'app'));
  expect(repo.top).toBe(link);
  expect(await pathInRepository(repo, join(root, 'app', 'a.json'))).toBe('app/a.json');
  expect(await pathInRepository(repo, join(link, 'app', 'a.json'))).toBe('app/a.json');
  expect(await pathInRepository(repo, link)).toBeUndefined();
  expect(await pathInRepository(repo, '/elsewhere')).toBeUndefined();
});

test('a branch that nobody knows is named, and a word that looks like an option of git is a branch', async () => {
  const repo = await openRepository(await repository({ a: 'a' }));
  for (const ref of ['origin/mian', '--all', '', 'main^{tree}'])
    expect(await faultOf(mergeBase(repo, ref))).toEqual({ kind: 'unknown-ref', ref });
});

test('a folder outside of every repository is named', async () => {
  const folder = await temporaryFolder();
  expect(await faultOf(openRepository(folder))).toEqual({ kind: 'no-repository', folder });
});

test('a shallow clone without the common commit has another error than branches that have none', async () => {
  const root = await repository({ a: 'a' });
  git(root, 'checkout', '--quiet', '-b', 'feature');
  commit(root, 'one');
  git(root, 'checkout', '--quiet', 'main');
  commit(root, 'two');
  git(root, 'checkout', '--quiet', '--orphan', 'alone');
  commit(root, 'three');
  const ref = 'main';
  expect(await faultOf(mergeBase(await openRepository(root), ref))).toEqual({
    kind: 'no-merge-base',
    ...{ ref, isShallow: false },
  });
  const folder = await temporaryFolder();
  const words = ['--depth=1', '--no-single-branch', '--branch=feature', `file://${root}`, 'clone'];
  git(folder, 'clone', '--quiet', ...words);
  const clone = await openRepository(join(folder, 'clone'));
  expect(await faultOf(mergeBase(clone, 'origin/main'))).toEqual({
    kind: 'no-merge-base',
    ...{ ref: 'origin/main', isShallow: true },
  });
});
