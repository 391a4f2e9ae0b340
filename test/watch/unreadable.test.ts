import { chmod, chown, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { asNobody, NOBODY } from '../as-nobody.ts';
import { closeOpened, folderWith, quiet, watchFolder } from './rig.ts';

afterAll(closeOpened);

test('files in a folder that cannot be entered any more are not gone', async () => {
  const root = await folderWith('a/b.json', 'a/x/c.json', 'd.json');
  const closed = join(root, 'a');
  if (process.geteuid?.() === 0)
    for (const path of [root, closed]) await chown(path, NOBODY, NOBODY);
  await asNobody(async () => {
    const watched = await watchFolder({ hints: 'none', root });
    await watched.watch.settle();
    await chmod(closed, 0o000);
    await watched.watch.rescan();
    expect(await watched.event('skipped')).toMatchObject({
      path: 'a',
      reason: 'the folder cannot be read (EACCES)',
    });
    await quiet(watched);
    expect(watched.changes).toHaveLength(3);
    expect(watched.watch.unreadable()).toMatchObject([{ project: 'webapp', path: 'a' }]);
    await chmod(closed, 0o755);
    await watched.watch.rescan();
    await quiet(watched);
    expect(watched.changes).toHaveLength(3);
    expect(watched.watch.unreadable()).toEqual([]);
    await watched.watch[Symbol.asyncDispose]();
  });
});

test('a file that cannot be read is reported as such until it can be read or is gone', async () => {
  const root = await folderWith('a.json', 'b.json');
  const [first, second] = [join(root, 'a.json'), join(root, 'b.json')];
  if (process.geteuid?.() === 0)
    for (const path of [root, first, second]) await chown(path, NOBODY, NOBODY);
  await asNobody(async () => {
    await chmod(first, 0o000);
    await chmod(second, 0o000);
    const watched = await watchFolder({ hints: 'none', root });
    await watched.watch.settle();
    const paths = () => watched.watch.unreadable().map(({ path }) => path);
    expect(paths()).toEqual(['a.json', 'b.json']);
    await chmod(first, 0o644);
    await rm(second);
    await watched.watch.rescan();
    await watched.watch.settle();
    expect(paths()).toEqual([]);
    await watched.watch[Symbol.asyncDispose]();
  });
});
