/** Finds and reads the config of a call; what is wrong with it ends the command with 78, all faults at once. */
import { relative, resolve } from 'node:path';
import { ANYTHING } from '../config/capabilities.ts';
import { findConfig, loadConfig } from '../config/load.ts';
import { keptLanguages } from '../config/load-languages.ts';
import type { ParsedConfig, RefusedConfig, SoundConfig } from '../config/parse.ts';
import { SYNC_VARIABLE } from '../config/resolve-head.ts';
import { askAfterNo } from './ask-languages.ts';
import { type CommandCall, CommandFailure, type GlobalOptions } from './command.ts';

/** @throws CommandFailure 78 */
export async function openConfig(call: CommandCall): Promise<SoundConfig> {
  return sound(await readConfig(call));
}

/** Sound or refused. @throws CommandFailure 78 when there is none */
export async function readConfig(call: CommandCall): Promise<ParsedConfig> {
  const loaded = await loadConfig(configFile(call), { env: envOf(call) });
  return loaded.faults === undefined ? loaded : await judgedAnew(call, loaded);
}

/** For commands that ask the service something of their own: whether it knows the projects' languages is no matter. */
export async function openServiceConfig(call: CommandCall): Promise<SoundConfig> {
  return sound(await ableConfig(call));
}

function sound(parsed: ParsedConfig): SoundConfig {
  if (parsed.faults === undefined) return parsed;
  throw new CommandFailure(78, 'the config is refused', { faults: parsed.faults });
}

/** Where it is known from which languages there are, when a config is at fault for them alone. */
export async function languagesSource(call: CommandCall): Promise<string | undefined> {
  const able = await ableConfig(call);
  if (able.faults !== undefined) return undefined;
  const { service, state } = able.config;
  const kept = keptLanguages({ url: service.url, state });
  const by =
    kept === undefined
      ? 'the API document names them'
      : `the service named them on ${kept.asked.slice(0, 10)}`;
  return `languages as ${by}; "dragoman check --online" asks the service`;
}

/** The config as it is where the service can do anything. */
export async function ableConfig(call: CommandCall): Promise<ParsedConfig> {
  return await loadConfig(configFile(call), { env: envOf(call), capabilitiesOf: () => ANYTHING });
}

/** Refused for its languages alone: the service may have learned them since it was asked last, or was never asked. */
async function judgedAnew(call: CommandCall, refused: RefusedConfig): Promise<ParsedConfig> {
  const able = await ableConfig(call);
  if (able.faults !== undefined) return refused;
  const isKnown = await askAfterNo(call, able.config);
  return isKnown ? await loadConfig(configFile(call), { env: envOf(call) }) : refused;
}

/** `--no-sync` says it for this call alone, whatever the config and the environment say. */
function envOf({
  env,
  options,
}: CommandCall<GlobalOptions & { readonly sync?: boolean }>): CommandCall['env'] {
  return options.sync === false ? { ...env, [SYNC_VARIABLE]: 'off' } : env;
}

/** @throws CommandFailure 78 when there is none */
export function configFile({ options, cwd }: CommandCall): string {
  if (options.config !== undefined) return resolve(cwd, options.config);
  const found = findConfig(cwd);
  if (found !== undefined) return found;
  throw new CommandFailure(
    78,
    `no dragoman.yaml in ${relative('', cwd) || cwd} or above it; "dragoman init" writes one`,
  );
}
