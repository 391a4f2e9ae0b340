/** The program git for tests: without the settings of the machine, and without work that only large repositories need. */
import { readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { execFileSync } from './in-time.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A push starts fewer processes without the upkeep, and a new repository copies no examples of hooks. */
const SETTINGS = {
  'core.fsync': 'none',
  'gc.auto': '0',
  'init.templateDir': '',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'receive.autogc': 'false',
  'user.email': 'ann@example.com',
  'user.name': 'Ann',
};

/** Variables that keep the settings of the machine out. */
export const GIT_ENV = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };

const OPTIONS = Object.entries(SETTINGS).flatMap(([key, value]) => ['-c', `${key}=${value}`]);

/** @returns what git printed */
export function git(folder: string, ...args: readonly string[]): string {
  const env = { ...process.env, ...GIT_ENV };
  return execFileSync('git', [...OPTIONS, ...args], {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: 'pipe',
  });
}

/** A `git` that records its arguments, on every thread. */
export async function notedGit(): Promise<Disposable & { asked(word: string): Promise<number> }> {
  const folder = await temporaryFolder();
  const notes = join(folder, 'notes');
  await writeFile(notes, '');
  const git = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const script = `#!/bin/sh\necho "$*" >> '${notes}'\nexec '${git}' "$@"\n`;
  await writeFile(join(folder, 'git'), script, { mode: 0o755 });
  const before = process.env['PATH'];
  process.env['PATH'] = `${folder}${delimiter}${before}`;
  return {
    async asked(word) {
      const lines = (await readFile(notes, 'utf8')).trim().split('\n');
      return lines.filter((line) => line.includes(word)).length;
    },
    [Symbol.dispose]: () => {
      process.env['PATH'] = before;
    },
  };
}
