/** Finds and reads the config of a call. Faults end the command with 78, all of them at once. */
import { relative, resolve } from 'node:path';
import { ANYTHING } from '../config/capabilities.ts';
import { findConfig, loadConfig } from '../config/load.ts';
import { withAuthorities } from '../config/load-authorities.ts';
import { keptLanguages } from '../config/load-languages.ts';
import type { ParsedConfig, ParseOptions, RefusedConfig, SoundConfig } from '../config/parse.ts';
import { SYNC_VARIABLE } from '../config/resolve-head.ts';
import { askAfterNo } from './ask-languages.ts';
import { type CommandCall, CommandFailure, type GlobalOptions } from './command.ts';

/** The sound config of a call. @throws CommandFailure 78 */
export async function openConfig(call: CommandCall): Promise<SoundConfig> {
  return sound(await readConfigFile(call));
}

/** The config of a call, sound or refused. @throws CommandFailure 78 when there is no file */
export async function readConfigFile(call: CommandCall): Promise<ParsedConfig> {
  const loaded = await loadOwnConfig(call);
  const parsed = loaded.faults === undefined ? loaded : await checkedAgain(call, loaded);
  if (parsed.faults === undefined) call.noteConfig?.(parsed.config);
  return parsed;
}

/** The config for commands that send a request of their own: the languages of its projects are not checked. @throws CommandFailure 78 */
export async function openServiceConfig(call: CommandCall): Promise<SoundConfig> {
  return sound(await ableConfig(call));
}

function sound(parsed: ParsedConfig): SoundConfig {
  if (parsed.faults === undefined) return parsed;
  throw new CommandFailure(78, 'the config is refused', { faults: parsed.faults });
}

/** The note that says where the known languages come from. Undefined when the config has other faults than languages. */
export async function languagesSource(call: CommandCall): Promise<string | undefined> {
  const able = await ableConfig(call);
  if (able.faults !== undefined) return undefined;
  const { service, state } = able.config;
  const kept = keptLanguages({ url: service.url, state });
  const by =
    kept === undefined
      ? 'the documentation of the API names them'
      : `the service named them on ${kept.asked.slice(0, 10)}`;
  return `languages as ${by}; "dragoman check --online" asks the service`;
}

/** The config, checked as if the service supported everything. */
export async function ableConfig(call: CommandCall): Promise<ParsedConfig> {
  return await loadOwnConfig(call, { capabilitiesOf: () => ANYTHING });
}

/** When only languages are at fault, the service is asked again and the config is checked with its new answer. */
async function checkedAgain(call: CommandCall, refused: RefusedConfig): Promise<ParsedConfig> {
  const able = await ableConfig(call);
  if (able.faults !== undefined) return refused;
  const isKnown = await askAfterNo(call, able.config);
  return isKnown ? await loadOwnConfig(call) : refused;
}

/** Loads the config of a call with the files that it needs here. The config of another checkout is loaded without them. */
export async function loadOwnConfig(
  call: CommandCall,
  options: Pick<ParseOptions, 'capabilitiesOf'> = {},
): Promise<ParsedConfig> {
  return await withAuthorities(
    await loadConfig(configFile(call), { env: envOf(call), ...options }),
  );
}

/** The environment; `--no-sync` overrides config and environment for this call. */
function envOf({
  env,
  options,
}: CommandCall<GlobalOptions & { readonly sync?: boolean }>): CommandCall['env'] {
  return options.sync === false ? { ...env, [SYNC_VARIABLE]: 'off' } : env;
}

/** Absolute path of the config. @throws CommandFailure 78 when there is none */
export function configFile({ options, cwd }: CommandCall): string {
  if (options.config !== undefined) return resolve(cwd, options.config);
  const found = findConfig(cwd);
  if (found !== undefined) return found;
  throw new CommandFailure(
    78,
    `no dragoman.yaml in ${relative('', cwd) || cwd} or above it; "dragoman init" writes one`,
  );
}
