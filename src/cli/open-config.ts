/** Finds and reads the config of a call; what is wrong with it ends the command with 78, all faults at once. */
import { relative, resolve } from 'node:path';
import { renderFaults } from '../config/fault.ts';
import { findConfig, loadConfig } from '../config/load.ts';
import type { Setup } from '../planner.ts';
import { type Call, CommandFailure } from './command.ts';

/** @throws CommandFailure 78 */
export async function openConfig(call: Call): Promise<Setup> {
  const file = configFile(call);
  const loaded = await loadConfig(file, { env: call.env });
  if (loaded.faults === undefined) return loaded;
  throw new CommandFailure(78, `the config is refused\n${renderFaults(loaded.faults, call.cwd)}`);
}

/** @throws CommandFailure 78 when there is none */
export function configFile({ options, cwd }: Call): string {
  if (options.config !== undefined) return resolve(cwd, options.config);
  const found = findConfig(cwd);
  if (found !== undefined) return found;
  throw new CommandFailure(
    78,
    `no dragoman.yaml in ${relative('', cwd) || cwd} or above it; "dragoman init" writes one`,
  );
}
