/** A state folder that other daemons of the tree would see is refused, under any name. */
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function faultsWith(folder: string, root: string) {
  const file = join(root, 'dragoman.yaml');
  await writeFile(
    file,
    `version: 1
service: { url: "https://api.example.com" }
state: { folder: "${folder}", url: { env: STATE_URL }, key: { env: STATE_KEY }, tree: website }
projects: { app: { source: en, targets: [de], routes: [{ from: "{locale}/*.json" }] } }
`,
  );
  return (await loadConfig(file, { env: {} })).faults?.map(({ message }) => message);
}

async function places() {
  const [tree, outside] = [await temporaryFolder(), await temporaryFolder()];
  await mkdir(join(tree, 'inside'));
  await symlink(join(tree, 'inside'), join(outside, 'link'));
  await symlink(tree, join(outside, 'tree'));
  await symlink(outside, join(tree, 'out'));
  return { tree, outside };
}

test('a state folder that is in the tree by a link is refused, whether the folder exists or not', async () => {
  const { tree, outside } = await places();
  for (const folder of ['link', 'link/state', 'link/a/b/c', 'tree', 'tree/inside']) {
    expect(await faultsWith(join(outside, folder), tree), folder).toEqual([
      expect.stringContaining('is inside the tree of project "app"'),
    ]);
  }
});

test('a state folder that is in the tree by another name is refused', async () => {
  const { tree, outside } = await places();
  expect(await faultsWith(join(tree, 'state'), join(outside, 'tree'))).toEqual([
    expect.stringContaining('is inside the tree of project "app"'),
  ]);
});

test('a state folder beside the tree is accepted', async () => {
  const { tree, outside } = await places();
  for (const folder of ['', 'state', 'a/b/c']) {
    expect(await faultsWith(join(outside, folder), tree), folder).toBeUndefined();
  }
});
