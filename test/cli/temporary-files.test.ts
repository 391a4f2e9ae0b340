/** A command whose folder for temporary files cannot be written. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { spawnSync } from '../in-time.ts';
import { MAIN } from '../main.ts';
import { temporaryFolder } from '../temporary-folder.ts';

async function withTemporaryFiles(folder: string, ...args: readonly string[]) {
  const { NODE_COMPILE_CACHE: _, ...env } = process.env;
  return spawnSync(process.execPath, [MAIN, ...args], {
    cwd: await temporaryFolder(),
    env: { ...env, TMPDIR: folder },
    encoding: 'utf8',
  });
}

test.runIf(process.platform === 'linux').each([['/proc'], ['/proc/self']])(
  'in %s, where a folder cannot be made and nothing forbids it, every command starts',
  async (folder) => {
    expect((await withTemporaryFiles(folder, '--version')).status).toBe(0);
    expect((await withTemporaryFiles(folder, 'plan')).status).toBe(78);
  },
);

test('a folder that is not there is not made by the start of a command', async () => {
  const missing = join(await temporaryFolder(), 'no', 'such');
  expect((await withTemporaryFiles(missing, 'plan')).status).toBe(78);
  expect(existsSync(missing)).toBe(false);
});
