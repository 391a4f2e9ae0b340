/** Bundles the program once for all tests that start it: it starts three times as fast, and it is what users run. */
import { mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundle } from '../bundle.ts';
import { TEST_PROGRAMS } from './main.ts';
import { removeFolder } from './temporary-files-in-memory.ts';

const ROOT = join(import.meta.dirname, '..');
/** Files that the program reads beside its code. */
const BESIDE = ['config', 'examples', 'systemd', 'package.json', 'node_modules'];

export async function setup(): Promise<() => void> {
  // Two projects of vitest name this file.
  if (process.env['DRAGOMAN_TESTED'] !== undefined) return () => {};
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-built-'));
  const dist = join(folder, 'dist');
  await bundle(dist, TEST_PROGRAMS);
  for (const name of BESIDE) symlinkSync(join(ROOT, name), join(folder, name));
  // Inherited by the processes of the tests.
  process.env['DRAGOMAN_TESTED'] = dist;
  // For programs that do not keep compiled code by themselves as main.ts does, also those that are TypeScript.
  process.env['NODE_COMPILE_CACHE'] = join(folder, 'compiled');
  return () => removeFolder(folder);
}
