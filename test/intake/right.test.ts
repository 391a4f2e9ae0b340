/** A leader that stood still, and of whose tree another daemon takes care meanwhile, changes no file when it wakes up. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { JobFailure } from '../../src/failure.ts';
import { hashBytes } from '../../src/files/disk.ts';
import { replaceFile } from '../../src/files/replace.ts';
import { ALONE, changeFile, type Right } from '../../src/files/right.ts';
import { relocate } from '../../src/intake/relocate.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { Project } from '../../src/project.ts';
import { LockFiles } from '../../src/state/lock-file.ts';
import { Trash } from '../../src/state/trash.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const TAKEN = { failure: { kind: 'team-state', problem: 'taken' } };
const LOST: Right = {
  stands: () => false,
  renew: async () => {
    const message = 'another daemon leads the tree';
    throw new JobFailure({ kind: 'team-state', problem: 'taken', host: 'db', message });
  },
};

async function rig() {
  const root = await temporaryFolder();
  const state = await temporaryFolder();
  for (const name of ['a', 'b']) await writeFile(join(root, name), name);
  const project = { name: 'app', root } as Project;
  return { root, state, project, trash: new Trash(join(state, 'trash'), systemClock, LOST) };
}

test('it moves no target to where the other one may have put something', async () => {
  const { root, project, trash } = await rig();
  const moving = relocate({ project, trash, right: LOST }, [{ from: 'a', to: 'c' }]);
  await expect(moving).rejects.toMatchObject(TAKEN);
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('it exchanges no targets', async () => {
  const { root, project, trash } = await rig();
  const exchange = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ];
  const moving = relocate({ project, trash, right: LOST }, exchange);
  await expect(moving).rejects.toMatchObject(TAKEN);
  expect(await readFile(join(root, 'a'), 'utf8')).toBe('a');
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('it takes no target to the trash, and brings none back', async () => {
  const { root, state, trash } = await rig();
  const file = { project: 'app', path: 'a' };
  await expect(trash.take(file, root)).rejects.toMatchObject(TAKEN);
  await new Trash(join(state, 'trash'), systemClock, ALONE).take({ ...file, path: 'b' }, root);
  await expect(trash.restore({ ...file, path: 'b' }, root)).rejects.toMatchObject(TAKEN);
  expect(await readdir(root)).toEqual(['a']);
});

test('it replaces no target and leaves no temporary file', async () => {
  const { root } = await rig();
  const expectedOld = hashBytes('a');
  const path = join(root, 'a');
  const putting = replaceFile({ path, root, content: 'mine', expectedOld, right: LOST });
  await expect(putting).rejects.toMatchObject(TAKEN);
  expect(await readFile(path, 'utf8')).toBe('a');
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('it writes no lock and removes none', async () => {
  const { root } = await rig();
  const folder = join(root, 'lock');
  const name = { project: 'app', language: 'de' as LanguageTag };
  const other = { ...name, language: 'fr' as LanguageTag };
  await mkdir(folder);
  const theirs = new LockFiles(folder);
  await theirs.write(name, new Map());
  const text = await readFile(theirs.pathOf(name), 'utf8');
  const late = new LockFiles(folder, LOST);
  await expect(late.write(other, new Map())).rejects.toMatchObject(TAKEN);
  await expect(late.remove(theirs.pathOf(name))).rejects.toMatchObject(TAKEN);
  expect(await readFile(theirs.pathOf(name), 'utf8')).toBe(text);
  expect(await theirs.has(other)).toBe(false);
});

test('a pause while it asks makes it ask again: the change follows a look that found the right', async () => {
  const asked: string[] = [];
  const right: Right = {
    stands: () => {
      asked.push('look');
      return asked.length > 4;
    },
    renew: async () => void asked.push('ask'),
  };
  await changeFile(right, () => asked.push('change'));
  expect(asked).toEqual(['look', 'ask', 'look', 'ask', 'look', 'change']);
});
