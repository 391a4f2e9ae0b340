import { chmod, chown } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asNobody, NOBODY } from '../as-nobody.ts';
import { folderWith, quiet, watchFolder } from './rig.ts';

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
    await chmod(closed, 0o755);
    await watched.watch.rescan();
    await quiet(watched);
    expect(watched.changes).toHaveLength(3);
    await watched.watch[Symbol.asyncDispose]();
  });
});
