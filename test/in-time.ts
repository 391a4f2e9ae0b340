/**
 * Programs that a test waits for without letting go of its thread. The test's own time limit cannot end them: a program that
 * hung would stop the whole run for ever, so these end it by force.
 */
import * as processes from 'node:child_process';

const LIMIT_MS = 120_000;
const LIMIT = { timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const;

/** `execFileSync` of Node, ended after two minutes unless the options say otherwise. */
export const execFileSync = ((file: string, ...rest: unknown[]) =>
  processes.execFileSync(...limited(file, rest))) as typeof processes.execFileSync;

/** `spawnSync` of Node, ended after two minutes unless the options say otherwise. */
export const spawnSync = ((file: string, ...rest: unknown[]) =>
  processes.spawnSync(...limited(file, rest))) as typeof processes.spawnSync;

function limited(file: string, [first, second]: unknown[]): [string, string[], object] {
  const parameters = Array.isArray(first) ? first : [];
  const options = Array.isArray(first) ? second : first;
  return [file, parameters, { ...LIMIT, ...(options as object | undefined) }];
}
