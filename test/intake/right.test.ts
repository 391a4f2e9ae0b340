/** A leader that was suspended changes no file when it wakes up: another daemon leads the tree meanwhile. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { JobFailure } from '../../src/failure.ts';
import { hashBytes, statOf } from '../../src/files/disk.ts';
import { removeFile } from '../../src/files/move.ts';
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
  isValid: () => false,
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

test('without the lead, it moves no target', async () => {
  const { root, project, trash } = await rig();
  const moving = relocate({ project, trash, right: LOST }, [{ from: 'a', to: 'c' }]);
  await expect(moving).rejects.toMatchObject(TAKEN);
  expect(await readdir(root)).toEqual(['a', 'b']);
});

/** Somebody does something while the right is asked for. */
function asked(meanwhile: () => Promise<unknown>): Right {
  let stands = false;
  return {
    isValid: () => stands,
    renew: async () => {
      await meanwhile();
      stands = true;
    },
  };
}

test('it moves no target to a path where a file was written while it asked for the lead', async () => {
  const { root, project, trash } = await rig();
  const right = asked(() => writeFile(join(root, 'c'), 'by hand'));
  const moved = await relocate({ project, trash, right }, [{ from: 'a', to: 'c' }]);
  expect(moved.size).toBe(0);
  expect(await readFile(join(root, 'c'), 'utf8')).toBe('by hand');
  expect(await readFile(join(root, 'a'), 'utf8')).toBe('a');
});

test('a file that a person wrote while it asked for the lead counts as a file of that person', async () => {
  const { root, project, trash } = await rig();
  const left = await statOf(join(root, 'a'));
  const right = asked(() => writeFile(join(root, 'a'), 'by hand'));
  const moved = await relocate({ project, trash, right }, [{ from: 'a', to: 'c' }]);
  expect(await readFile(join(root, 'c'), 'utf8')).toBe('by hand');
  // By this the stat on record goes on to differ from the file.
  expect(moved.get('a')?.before).not.toBe(left);
});

test('an exchange of two targets is undone when a file was written to a new path while it asked for the lead', async () => {
  const { root, project, state } = await rig();
  const trash = new Trash(join(state, 'trash'), systemClock, ALONE);
  let times = 0;
  // The third time: both are lifted by then, and neither is at its new place.
  const right: Right = {
    isValid: () => times++ !== 2,
    renew: () => writeFile(join(root, 'b'), 'by hand'),
  };
  const exchange = [
    { from: 'a', to: 'b' },
    { from: 'b', to: 'a' },
  ];
  await relocate({ project, trash, right }, exchange);
  expect(await readFile(join(root, 'b'), 'utf8')).toBe('by hand');
  expect((await readdir(root)).filter((name) => /^[ab]$/.test(name))).toEqual(['a', 'b']);
  expect((await trash.list()).map(({ path }) => path)).toEqual(['a', 'b']);
});

test('it restores nothing from the trash to a path where a file was written while it asked for the lead', async () => {
  const { root, state } = await rig();
  const file = { project: 'app', path: 'b' };
  await new Trash(join(state, 'trash'), systemClock, ALONE).take(file, root);
  const right = asked(() => writeFile(join(root, 'b'), 'by hand'));
  const late = new Trash(join(state, 'trash'), systemClock, right);
  await expect(late.restore(file, root)).rejects.toMatchObject({
    failure: { kind: 'unwritable', code: 'there is a file at its path again' },
  });
  expect(await readFile(join(root, 'b'), 'utf8')).toBe('by hand');
  expect(await late.list()).toHaveLength(1);
});

test('it removes no file that was written while it asked for the lead', async () => {
  const { root } = await rig();
  const right = asked(() => writeFile(join(root, 'a'), 'by hand'));
  expect(await removeFile(right, join(root, 'a'), hashBytes('a'))).toBe(false);
  expect(await removeFile(ALONE, join(root, 'b'), hashBytes('a'))).toBe(false);
  expect(await removeFile(ALONE, join(root, 'b'), hashBytes('b'))).toBe(true);
  expect(await readdir(root)).toEqual(['a']);
});

test('without the lead, it exchanges no targets', async () => {
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

test('without the lead, it moves no target to the trash and restores none', async () => {
  const { root, state, trash } = await rig();
  const file = { project: 'app', path: 'a' };
  await expect(trash.take(file, root)).rejects.toMatchObject(TAKEN);
  await new Trash(join(state, 'trash'), systemClock, ALONE).take({ ...file, path: 'b' }, root);
  await expect(trash.restore({ ...file, path: 'b' }, root)).rejects.toMatchObject(TAKEN);
  expect(await readdir(root)).toEqual(['a']);
});

test('without the lead, it replaces no target and leaves no temporary file', async () => {
  const { root } = await rig();
  const expectedOld = hashBytes('a');
  const path = join(root, 'a');
  const putting = replaceFile({ path, root, content: 'mine', expectedOld, right: LOST });
  await expect(putting).rejects.toMatchObject(TAKEN);
  expect(await readFile(path, 'utf8')).toBe('a');
  expect(await readdir(root)).toEqual(['a', 'b']);
});

test('without the lead, it writes no lock file and removes none', async () => {
  const { root } = await rig();
  const folder = join(root, 'lock');
  const name = { project: 'app', language: 'de' as LanguageTag };
  const other = { ...name, language: 'fr' as LanguageTag };
  await mkdir(folder);
  const theirs = new LockFiles(folder);
  await theirs.write(name, new Map());
  const text = await readFile(theirs.pathOf(name), 'utf8');
  const late = new LockFiles(folder, { right: LOST });
  await expect(late.write(other, new Map())).rejects.toMatchObject(TAKEN);
  await expect(late.remove(theirs.pathOf(name))).rejects.toMatchObject(TAKEN);
  expect(await readFile(theirs.pathOf(name), 'utf8')).toBe(text);
  expect(await theirs.has(other)).toBe(false);
});

test('after a pause while it asks for the lead, it asks again before it changes a file', async () => {
  const asked: string[] = [];
  const right: Right = {
    isValid: () => {
      asked.push('look');
      return asked.length > 4;
    },
    renew: async () => void asked.push('ask'),
  };
  await changeFile(right, () => asked.push('change'));
  expect(asked).toEqual(['look', 'ask', 'look', 'ask', 'look', 'change']);
});
