/** The program git for tests: without the settings of the machine, and without work that only large repositories need. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
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
  return run(folder, 'git', [...OPTIONS, ...args]);
}

/**
 * Runs several commands of git, up to the first that fails. A small shell starts them. To start a program, the system copies the memory
 * tables of the process. For a test, that takes longer than most of these commands.
 */
export function gitInTurn(folder: string, ...commands: readonly (readonly string[])[]): void {
  const lines = commands.map((words) => ['git', ...OPTIONS, ...words].map(quoted).join(' '));
  run(folder, 'sh', ['-c', lines.join(' && ')]);
}

function run(folder: string, program: string, args: readonly string[]): string {
  const env = { ...process.env, ...GIT_ENV };
  return execFileSync(program, args, { cwd: folder, env, encoding: 'utf8', stdio: 'pipe' });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** An empty repository with the branch main, as `git init` makes it, but without a process. @param path of its `.git` */
export function newRepository(path: string, { isBare }: { readonly isBare: boolean }): void {
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags']) {
    mkdirSync(join(path, folder), { recursive: true });
  }
  writeFileSync(join(path, 'HEAD'), 'ref: refs/heads/main\n');
  const config = `[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = ${isBare}\n`;
  writeFileSync(join(path, 'config'), isBare ? config : `${config}\tlogallrefupdates = true\n`);
}

/** Commits all files of a folder, which becomes a repository if it is none. */
export function commitAll(folder: string, message: string): void {
  if (!existsSync(join(folder, '.git'))) newRepository(join(folder, '.git'), { isBare: false });
  gitInTurn(folder, ['add', '--all'], ['commit', '--quiet', '--allow-empty', '--message', message]);
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
