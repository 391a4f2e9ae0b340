import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ALONE } from '../../src/files/right.ts';
import { Trash } from '../../src/state/trash.ts';
import { canMount, SmallDisk } from '../faults/small-disk.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const DAY = 24 * 60 * 60 * 1000;

async function rig() {
  const root = await temporaryFolder();
  const state = await temporaryFolder();
  let now = Date.parse('2026-10-19T23:59:00Z');
  const clock = { now: () => now, sleep: async () => {} };
  await mkdir(join(root, 'de'));
  return {
    root,
    state,
    clock,
    trash: new Trash(join(state, 'trash'), clock, ALONE),
    file: { project: 'app', path: 'de/a.json' },
    write: (text: string) => writeFile(join(root, 'de', 'a.json'), text),
    read: () => readFile(join(root, 'de', 'a.json'), 'utf8'),
    pass: (ms: number) => {
      now += ms;
    },
  };
}

test('a deleted file comes back with its bytes, the newest copy first', async () => {
  const { trash, file, root, write, read } = await rig();
  for (const text of ['first', 'second', 'third']) {
    await write(text);
    await trash.take(file, root);
  }
  expect(await trash.restore(file, root)).toBe(true);
  expect(await read()).toBe('third');
  expect((await trash.list()).map(({ day, path }) => [day, path])).toEqual([
    ['2026-10-19', 'de/a.json'],
    ['2026-10-19.2', 'de/a.json'],
  ]);
});

test.skipIf(!canMount())('a full disk of the trash is named, and not the file', async () => {
  const { trash, state, file, root, write, read } = await rig();
  using disk = new SmallDisk(join(state, 'trash'), 65_536);
  await write('x'.repeat(10_000));
  disk.fill();
  const failure = { kind: 'disk-full', file: join(state, 'trash', file.path) };
  await expect(trash.keepCopy(file, root)).rejects.toMatchObject({ failure });
  expect(await read()).toHaveLength(10_000);
});

test.each(['take', 'keepCopy'] as const)(
  'two daemons that put the same file into the trash at once keep both contents: %s',
  async (how) => {
    const { trash: others, state, clock, file, root, write } = await rig();
    await write('first');
    // While this daemon asks for its right, the other one moves the file, and a person writes another.
    let isValid = false;
    const right = {
      isValid: () => isValid,
      renew: async () => {
        await others[how](file, root);
        await write('second');
        isValid = true;
      },
    };
    await new Trash(join(state, 'trash'), clock, right).take(file, root);
    const kept = (await others.list()).map(({ stored }) => readFile(stored, 'utf8'));
    expect(await Promise.all(kept)).toEqual(['first', 'second']);
  },
);

test('a restore never overwrites a file that exists again', async () => {
  const { trash, file, root, write, read } = await rig();
  await write('old');
  await trash.take(file, root);
  await write('new');
  await expect(trash.restore(file, root)).rejects.toMatchObject({
    failure: { kind: 'unwritable', code: 'there is a file at its path again' },
  });
  expect(await read()).toBe('new');
});

test('a file that does not exist can be neither moved to the trash nor restored', async () => {
  const { trash, file, root } = await rig();
  expect([await trash.take(file, root), await trash.restore(file, root)]).toEqual([
    undefined,
    false,
  ]);
});

test('the files of a day leave the trash when the end of that day is older than the setting', async () => {
  const { trash, file, root, write, pass } = await rig();
  await write('old');
  await trash.take(file, root);
  pass(30 * DAY);
  expect(await trash.expire(30 * DAY)).toEqual([]);
  pass(60_000);
  expect(await trash.expire(30 * DAY)).toEqual(['2026-10-19']);
  expect(await trash.list()).toEqual([]);
  expect(await readdir(join(root, 'de'))).toEqual([]);
});
