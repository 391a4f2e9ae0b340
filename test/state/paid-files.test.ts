/** Paid files on their way between a state folder and the spool of a tree. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { copyPaidFiles } from '../../src/state/paid-files.ts';

const root = mkdtempSync(join(tmpdir(), 'dragoman-paid-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

function folder(name: string, files: Readonly<Record<string, string>>): string {
  mkdirSync(join(root, name, 'spool'), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    writeFileSync(join(root, name, 'spool', file), text);
  }
  return join(root, name);
}

test('a file that a killed push left cut is copied again, and any other stays', async () => {
  const from = folder('state', { cut: 'all of it', same: 'same', longer: 'own', absent: 'new' });
  const to = folder('tree', { cut: 'all', same: 'same', longer: 'of the tree' });
  expect(await copyPaidFiles({ from, to, existing: 'stays' })).toBe(2);
  const read = (file: string) => readFileSync(join(to, 'spool', file), 'utf8');
  expect(['cut', 'same', 'longer', 'absent'].map(read)).toEqual([
    'all of it',
    'same',
    'of the tree',
    'new',
  ]);
});
