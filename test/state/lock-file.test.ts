import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { LanguageTag } from '../../src/language.ts';
import { LockFiles } from '../../src/state/lock-file.ts';
import { parseLock } from '../../src/state/lock-text.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const NAME = { project: 'app', language: 'de' as LanguageTag };
const LINE = 'Rk3v9a 4Qm2xZ7p aP0_d1 m';

test('a lock is written once, read again, and not touched where nothing changed', async () => {
  const files = new LockFiles(join(await temporaryFolder(), 'dragoman.lock'));
  expect(await files.index(NAME)).toBeUndefined();
  const { sections } = parseLock(`# a.json\n\n${LINE}\n`);
  expect(await files.write(NAME, sections)).toBe(true);
  expect(await files.write(NAME, sections)).toBe(false);
  expect((await files.index(NAME))?.size).toBe(1);
});

test('a lock of a newer program is neither read nor written', async () => {
  const folder = join(await temporaryFolder(), 'dragoman.lock');
  const files = new LockFiles(folder);
  await mkdir(join(folder, 'app'), { recursive: true });
  await writeFile(files.pathOf(NAME), `# dragoman lock 2; x\n\n# a.json\n\n${LINE}\n`);
  await expect(files.index(NAME)).rejects.toThrow('version 2');
  await expect(files.write(NAME, new Map())).rejects.toThrow('version 2');
});
