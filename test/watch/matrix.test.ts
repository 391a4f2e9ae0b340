import { appendFile, chmod, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { KnownFiles } from '../../src/watch/known.ts';
import { execFileSync } from '../in-time.ts';
import { closeOpened, folderWith, ownTime, quiet, watchFolder } from './rig.ts';

afterAll(closeOpened);

// The reports of the watcher for each kind of change, with the real chokidar and without any hints.
describe.for(['events', 'none'] as const)('with hints: %s', (hints) => {
  test.concurrent('a new file is reported once', async () => {
    const watched = await watchFolder({ hints });
    await watched.write('a.json');
    await watched.told(1);
    await quiet(watched);
    expect(watched.changes).toEqual(['a.json']);
  });

  test.concurrent('files that exist at the start are reported once', async () => {
    const watched = await watchFolder({ hints, root: await folderWith('a.json', 'x/b.json') });
    await watched.watch.settle();
    expect(watched.changes.toSorted(inOrder)).toEqual(['a.json', 'x/b.json']);
  });

  test.concurrent('a rename is reported as a new file that may be the missing one', async () => {
    const watched = await watchFolder({ hints, root: await folderWith('a.json') });
    await watched.watch.settle();
    await rename(join(watched.root, 'a.json'), join(watched.root, 'b.json'));
    await watched.told(3);
    expect(watched.changes).toEqual(['a.json', 'b.json', '-a.json']);
    const arrival = watched.events.find(
      (event) => event.kind === 'settled' && event.files.some(({ path }) => path === 'b.json'),
    );
    expect(arrival).toMatchObject({ kind: 'settled' });
    if (arrival?.kind === 'settled') {
      expect([...arrival.missing, ...arrival.gone]).toEqual(['a.json']);
    }
  });

  test.concurrent('a file that is replaced by a rename is reported once', async () => {
    const watched = await watchFolder({ hints, root: await folderWith('a.json') });
    await watched.watch.settle();
    await watched.write('.a.json.tmp', 'new');
    await rename(join(watched.root, '.a.json.tmp'), join(watched.root, 'a.json'));
    await watched.told(2);
    await quiet(watched);
    expect(watched.changes).toEqual(['a.json', 'a.json']);
  });

  test.concurrent('a file saved by vim is reported once, and its backup never', async () => {
    const watched = await watchFolder({ hints, root: await folderWith('a.json') });
    await watched.watch.settle();
    await rename(join(watched.root, 'a.json'), join(watched.root, 'a.json~'));
    await watched.write('a.json', 'new');
    await rm(join(watched.root, 'a.json~'));
    await watched.told(2);
    await quiet(watched);
    expect(watched.changes).toEqual(['a.json', 'a.json']);
  });

  test.concurrent('folders made and removed while running are followed', async () => {
    const watched = await watchFolder({ hints });
    await watched.write('x/y/z/a.json');
    await watched.told(1);
    await rm(join(watched.root, 'x'), { recursive: true });
    await watched.told(2);
    await watched.write('x/y/z/a.json', 'again');
    await watched.told(3);
    expect(watched.changes).toEqual(['x/y/z/a.json', '-x/y/z/a.json', 'x/y/z/a.json']);
  });

  test.concurrent('a folder that is moved in is reported with all its files', async () => {
    const outside = await folderWith('x/a.json', 'x/y/b.json');
    const watched = await watchFolder({ hints });
    await rename(join(outside, 'x'), join(watched.root, 'x'));
    await watched.told(2);
    expect(watched.changes.toSorted(inOrder)).toEqual(['x/a.json', 'x/y/b.json']);
  });

  test.concurrent('the files of a folder that is moved out are gone', async () => {
    const outside = await folderWith();
    const watched = await watchFolder({ hints, root: await folderWith('x/a.json', 'x/y/b.json') });
    await watched.watch.settle();
    await rename(join(watched.root, 'x'), join(outside, 'x'));
    await watched.told(4);
    expect(watched.changes.slice(2).toSorted(inOrder)).toEqual(['-x/a.json', '-x/y/b.json']);
  });

  test.concurrent('a folder in whose place a link to another folder comes is gone, and nothing behind the link is reported', async () => {
    const outside = await folderWith('x/a.json', 'x/b.json');
    const watched = await watchFolder({ hints, root: await folderWith('x/a.json') });
    await watched.watch.settle();
    await rename(join(watched.root, 'x'), join(outside, 'away'));
    await symlink(join(outside, 'x'), join(watched.root, 'x'));
    await watched.told(2);
    await writeFile(join(watched.root, 'x', 'c.json'), 'behind the link');
    await watched.write('last.json');
    await watched.told(3);
    expect(watched.changes).toEqual(['x/a.json', '-x/a.json', 'last.json']);
  });

  test.concurrent('a root that is removed is offline and nothing in it gone; made again, it is watched', async () => {
    const parent = await folderWith('root/a.json');
    const root = join(parent, 'root');
    const watched = await watchFolder({ hints, root });
    await watched.watch.settle();
    await rename(root, `${root}-away`);
    expect(await watched.event('offline')).toMatchObject({ reason: 'it is not there' });
    await quiet(watched);
    expect(watched.changes).toEqual(['a.json']);
    await rename(`${root}-away`, root);
    await watched.event('online');
    await watched.write('b.json');
    await watched.told(2);
    expect(watched.changes).toEqual(['a.json', 'b.json']);
  });

  test.concurrent('a root that is missing at the start is watched when it appears', async () => {
    const root = join(await folderWith(), 'later');
    const watched = await watchFolder({ hints, root });
    await watched.event('offline');
    await watched.write('a.json');
    await watched.told(1);
    expect(watched.changes).toEqual(['a.json']);
  });

  test.concurrent('files in folders removed and made again at once are not lost', async ({
    expect,
  }) => {
    const watched = await watchFolder({ hints });
    for (let cycle = 0; cycle < 30; cycle++) {
      await watched.write(`x/${cycle % 5}.json`, String(cycle));
      await systemClock.sleep(cycle % 8);
      if (cycle < 25) await rm(join(watched.root, 'x'), { recursive: true });
    }
    const last = () => {
      const told = watched.changes.map((change) => [change.replace(/^-/, ''), change] as const);
      return [...new Map(told).values()].toSorted(inOrder);
    };
    // A slow machine tells of a file that is gone, and again of it when it is back.
    await expect.poll(last).toEqual([0, 1, 2, 3, 4].map((n) => `x/${n}.json`));
    await quiet(watched);
    expect(last()).toEqual([0, 1, 2, 3, 4].map((n) => `x/${n}.json`));
  });

  test.concurrent('one name in two spellings is refused, and taken when one of them goes', async () => {
    const watched = await watchFolder({ hints });
    await watched.write('caf\u00e9.json');
    await watched.told(1);
    await watched.write('cafe\u0301.json', 'the other');
    expect(await watched.event('skipped')).toMatchObject({ path: 'caf\u00e9.json' });
    await rm(join(watched.root, 'caf\u00e9.json'));
    await watched.told(2);
    const last = watched.events.findLast((event) => event.kind === 'settled');
    expect(last).toMatchObject({ files: [{ path: 'caf\u00e9.json', raw: 'cafe\u0301.json' }] });
  });

  test.concurrent('a name that is not UTF-8 is reported as such', async () => {
    const watched = await watchFolder({ hints });
    await writeFile(Buffer.from(`${watched.root}/\xe9.json`, 'latin1'), '{}');
    const skipped = await watched.event('skipped');
    expect(skipped.reason).toContain('not UTF-8');
    expect(watched.changes).toEqual([]);
  });

  test.concurrent('newlines and backslashes are characters of a name', async () => {
    const watched = await watchFolder({ hints });
    await watched.write('a\nb.json');
    await watched.write('a\\b.json');
    await watched.write('a/b.json');
    await watched.told(3);
    await quiet(watched);
    expect(watched.changes.toSorted(inOrder)).toEqual(['a\nb.json', 'a/b.json', 'a\\b.json']);
  });

  test.concurrent('an empty file waits until it is written', async () => {
    const watched = await watchFolder({ hints });
    await watched.write('a.json', '');
    await quiet(watched);
    await quiet(watched);
    expect(watched.changes).toEqual([]);
    expect(watched.watch.unfinished()).toMatchObject([{ path: 'a.json', reason: 'it is empty' }]);
    await appendFile(join(watched.root, 'a.json'), '{}');
    await watched.told(1);
    expect(watched.watch.unfinished()).toEqual([]);
  });

  test.concurrent('an Office file without its end waits until the rest comes', async () => {
    const watched = await watchFolder({ hints });
    await watched.write('a.docx', 'PK\x03\x04 half');
    await quiet(watched);
    await quiet(watched);
    expect(watched.changes).toEqual([]);
    expect(watched.watch.unfinished()).toMatchObject([{ path: 'a.docx' }]);
    await appendFile(join(watched.root, 'a.docx'), END_RECORD);
    await watched.told(1);
    expect(watched.changes).toEqual(['a.docx']);
  });
});

test('a change is reported also when it keeps the size and restores the time', async () => {
  const watched = await watchFolder({ root: await folderWith('a.json') });
  await watched.ready();
  await watched.watch.settle();
  const time = new Date('2020-01-01');
  await writeFile(join(watched.root, 'a.json'), 'A.JSON');
  await utimes(join(watched.root, 'a.json'), time, time);
  await watched.told(2);
  expect(watched.changes).toEqual(['a.json', 'a.json']);
});

test('a full pass finds edits in place of which there was no event', async () => {
  const watched = await watchFolder({ hints: 'none', root: await folderWith('a.json') });
  await watched.watch.settle();
  const time = new Date('2020-01-01');
  await writeFile(join(watched.root, 'a.json'), 'A.JSON');
  await utimes(join(watched.root, 'a.json'), time, time);
  await watched.watch.rescan();
  await watched.watch.settle();
  expect(watched.changes).toEqual(['a.json', 'a.json']);
});

test('a renamed file with old content settles faster than one that was just written', async () => {
  const outside = await folderWith('a.json', 'b.json');
  const old = new Date(Date.now() - 60_000);
  await utimes(join(outside, 'a.json'), old, old);
  const watched = await watchFolder({ clock: ownTime(), settleOf: () => 2000 });
  await watched.ready();
  await rename(join(outside, 'a.json'), join(watched.root, 'a.json'));
  await rename(join(outside, 'b.json'), join(watched.root, 'b.json'));
  await watched.told(1);
  expect(watched.changes).toEqual(['a.json']);
});

test('known files are reported only when they differ from their records', async () => {
  const root = await folderWith('a.json', 'b.json', 'out/a.json');
  const first = await watchFolder({ hints: 'none', root });
  await first.watch.settle();
  const known = new KnownFiles();
  for (const event of first.events) {
    if (event.kind !== 'settled') continue;
    for (const { path, stat } of event.files) known.set(path, stat);
  }
  await writeFile(join(root, 'b.json'), 'edited');
  await rm(join(root, 'a.json'));
  const second = await watchFolder({ hints: 'none', root, known });
  await second.watch.settle();
  expect(second.changes.toSorted(inOrder)).toEqual(['-a.json', 'b.json']);
});

test('chmod alone is reported, since the stat changed; intake compares the content by its hash', async () => {
  const watched = await watchFolder({ root: await folderWith('a.json') });
  await watched.ready();
  await watched.watch.settle();
  await chmod(join(watched.root, 'a.json'), 0o600);
  await watched.told(2);
  expect(watched.changes).toEqual(['a.json', 'a.json']);
});

test('another device in place of the root is offline', async ({ skip }) => {
  const root = await folderWith('a.json');
  const watched = await watchFolder({ hints: 'none', root });
  await watched.watch.settle();
  try {
    execFileSync('mount', ['-t', 'tmpfs', 'none', root], { stdio: 'ignore' });
  } catch {
    skip('mounting is not allowed here');
  }
  try {
    const offline = await watched.event('offline');
    expect(offline.reason).toContain('another device');
  } finally {
    execFileSync('umount', [root]);
  }
  await watched.event('online');
  await quiet(watched);
  expect(watched.changes).toEqual(['a.json']);
});

const inOrder = (a: string, b: string) => (a < b ? -1 : 1);

const END_RECORD = Buffer.concat([Buffer.from('PK\x05\x06', 'latin1'), Buffer.alloc(18)]);
