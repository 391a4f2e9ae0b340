import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { revisionsOf } from '../../src/files/git-history.ts';
import {
  absentOnPurpose,
  findWorkTree,
  ignoredBy,
  isShallow,
  operationIn,
  trackedIn,
  type WorkTree,
} from '../../src/files/work-tree.ts';
import { git, notedGit } from '../git.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function write(root: string, path: string, content: string): Promise<void> {
  await mkdir(join(root, path, '..'), { recursive: true });
  await writeFile(join(root, path), content);
}

function treeOf(folder: string): WorkTree {
  const tree = findWorkTree(folder);
  if (tree === undefined) throw new Error(`${folder} is in no work tree`);
  return tree;
}

test('a work tree is found from a folder below it, linked or not, with its history, its ignore rules and what its checkout leaves out', async () => {
  const top = await temporaryFolder();
  expect(findWorkTree(top)).toBeUndefined();
  const root = join(top, 'repo');
  await mkdir(root);
  git(top, 'init', '--quiet', '--initial-branch=main', 'repo');
  await write(root, '.gitignore', '*.lock\n');
  await write(root, 'a/[x].json', '1');
  await write(root, 'b/y.json', 'y');
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', 'one');
  await write(root, 'a/[x].json', '2');
  git(root, 'commit', '--quiet', '--all', '--message', 'two');
  const tree = treeOf(join(root, 'a'));
  expect(tree.root).toBe(root);
  expect(await ignoredBy(tree, [join(root, 'dragoman.lock'), join(root, 'a/[x].json')])).toEqual([
    join(root, 'dragoman.lock'),
  ]);
  expect(await ignoredBy(tree, [join(root, 'b/y.json')])).toEqual([]);
  const file = join(root, 'a/[x].json');
  const revisions = (await revisionsOf(tree, [file], git(root, 'rev-parse', 'HEAD').trim())) ?? [];
  expect(revisions).toHaveLength(2);

  git(root, 'worktree', 'add', '--quiet', join(top, 'linked'), '-b', 'topic');
  const linked = treeOf(join(top, 'linked', 'a'));
  expect(linked).toMatchObject({ root: join(top, 'linked'), shared: tree.own });
  expect(linked.own).not.toBe(tree.own);

  git(top, 'clone', '--quiet', '--depth=1', `file://${root}`, 'shallow');
  const shallow = treeOf(join(top, 'shallow'));
  expect(isShallow(shallow)).toBe(true);
  expect(isShallow(tree)).toBe(false);
  expect(await revisionsOf(shallow, [join(top, 'shallow/a/[x].json')], 'HEAD')).toBeUndefined();

  git(root, 'sparse-checkout', 'set', '--no-cone', '/a/');
  const isAway = await absentOnPurpose(tree);
  expect([isAway(join(root, 'b/y.json')), isAway(file), isAway(join(root, 'b/z'))]).toEqual([
    true,
    false,
    false,
  ]);
});

test('git is asked for its files once, and again when it has others', async () => {
  const root = await temporaryFolder();
  git(root, 'init', '--quiet', '--initial-branch=main');
  await write(root, 'a/x', '1');
  git(root, 'add', '--all');
  const tree = treeOf(root);
  using asked = await notedGit();
  const both = async () => [await trackedIn(tree, root), await trackedIn(tree, join(root, 'a'))];
  const first = [join(root, 'a/x')];
  expect(await both()).toEqual([first, first]);
  expect(await both()).toEqual([first, first]);
  expect(await asked.asked('ls-files')).toBe(2);
  await write(root, 'y', '2');
  git(root, 'add', 'y');
  expect(await both()).toEqual([[...first, join(root, 'y')], first]);
  git(root, 'rm', '--quiet', '--cached', 'a/x');
  expect(await both()).toEqual([[join(root, 'y')], []]);
});

test('an operation of git is reported until git has ended it', async () => {
  const root = await temporaryFolder();
  git(root, 'init', '--quiet', '--initial-branch=main');
  await write(root, 'x', 'one\n');
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--message', 'one');
  git(root, 'checkout', '--quiet', '-b', 'topic');
  await write(root, 'x', 'topic\n');
  git(root, 'commit', '--quiet', '--all', '--message', 'topic');
  git(root, 'checkout', '--quiet', 'main');
  await write(root, 'x', 'main\n');
  git(root, 'commit', '--quiet', '--all', '--message', 'main');
  const tree = treeOf(root);
  expect(operationIn(tree)).toBeUndefined();
  expect(() => git(root, 'merge', 'topic')).toThrow();
  expect(operationIn(tree)).toBe('merge');
  git(root, 'merge', '--abort');
  expect(() => git(root, 'rebase', 'topic')).toThrow();
  expect(operationIn(tree)).toBe('rebase');
  git(root, 'rebase', '--abort');
  expect(() => git(root, 'cherry-pick', 'topic')).toThrow();
  expect(operationIn(tree)).toBe('cherry-pick');
  git(root, 'cherry-pick', '--abort');
  expect(operationIn(tree)).toBeUndefined();
  await writeFile(join(root, '.git/index.lock'), '');
  expect(operationIn(tree)).toBe('index update');
});
