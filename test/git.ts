/** The program git as tests use it: without the settings of the machine, and without work that serves large repositories only. */
import { execFileSync } from './in-time.ts';

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
