/** `dragoman service install|uninstall [--user]`: writes or removes the systemd unit of this config. */
import { homedir } from 'node:os';
import { dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import { instanceName } from '../config/instance.ts';
import { type Call, type CliCommand, type GlobalOptions, UsageError } from './command.ts';
import { openConfig } from './open-config.ts';
import { unitPaths } from './unit-files.ts';
import { filesFor, installUnits, type UnitFolders, uninstallUnit } from './units.ts';

interface ServiceOptions extends GlobalOptions {
  readonly user?: boolean;
  readonly name?: string;
  readonly folder?: string;
}

export const command: CliCommand<ServiceOptions> = {
  describe(command: Command) {
    command
      .argument('<action>', 'install or uninstall')
      .option('--user', 'for one person, without root (systemctl --user)')
      .option('--name <name>', 'instance name (default: after the config)')
      .option('--folder <folder>', 'where all files go, instead of the usual places')
      .addHelpText(
        'after',
        `
Examples:
  dragoman service install --user            a unit for your own folders
  sudo dragoman service install              the hardened template, with a drop-in for this config
  sudo dragoman service uninstall            takes the drop-in back
  dragoman service uninstall --user --name webapp    also when its config is gone`,
      );
  },
  async run(call: Call<ServiceOptions>) {
    const [action] = call.args;
    if (action !== 'install' && action !== 'uninstall')
      throw new UsageError('say install or uninstall');
    const kind = call.options.user === true ? 'user' : 'system';
    const done = action === 'install' ? await install(call, kind) : await uninstall(call, kind);
    if (call.options.json) call.terminal.json({ action, ...done });
    else explain(call, { action, kind, ...done });
    return 0;
  },
};

type Kind = 'user' | 'system';

interface Done {
  readonly unit: string;
  /** Written or removed. */
  readonly files: readonly string[];
  /** Those that were as they should be. */
  readonly unchanged: readonly string[];
}

async function install(call: Call<ServiceOptions>, kind: Kind): Promise<Done> {
  const { config } = await openConfig(call);
  const name = checked(call.options.name ?? instanceName(config.file));
  const main = `main${extname(import.meta.filename)}`;
  const installation = {
    ...{ config, name, node: process.execPath },
    main: join(import.meta.dirname, '..', main),
  };
  const files = await filesFor(installation, kind);
  return { unit: unitOf(name, kind), ...(await installUnits(files, foldersOf(call, kind))) };
}

async function uninstall(call: Call<ServiceOptions>, kind: Kind): Promise<Done> {
  const name = checked(call.options.name ?? (await nameOfConfig(call)));
  const removed = await uninstallUnit(unitPaths(name, kind), foldersOf(call, kind).units);
  return { unit: unitOf(name, kind), files: removed, unchanged: [] };
}

async function nameOfConfig(call: Call<ServiceOptions>): Promise<string> {
  const { config } = await openConfig(call);
  return instanceName(config.file);
}

function checked(name: string): string {
  if (/^[\w-]+$/.test(name)) return name;
  throw new UsageError(`--name may hold letters, digits, - and _, not "${name}"`);
}

function unitOf(name: string, kind: Kind): string {
  return kind === 'user' ? `dragoman-${name}.service` : `dragoman@${name}.service`;
}

function foldersOf({ options, env }: Call<ServiceOptions>, kind: Kind): UnitFolders {
  const { folder } = options;
  const home = env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config');
  const units = folder ?? (kind === 'user' ? join(home, 'systemd', 'user') : '/etc/systemd/system');
  const beside = folder ?? dirname(dirname(units));
  return {
    units,
    'sysusers.d': join(beside, 'sysusers.d'),
    'tmpfiles.d': join(beside, 'tmpfiles.d'),
  };
}

function explain(
  { terminal }: Call<ServiceOptions>,
  { action, kind, unit, files, unchanged }: Done & { action: string; kind: Kind },
): void {
  for (const path of files) terminal.out(`${action === 'install' ? 'wrote' : 'removed'} ${path}`);
  for (const path of unchanged) terminal.out(`as it was ${path}`);
  if (action === 'uninstall' && files.length === 0) {
    terminal.out(`${unit} is not installed`);
    return;
  }
  const steps = stepsAfter(action, { kind, unit });
  terminal.out(`then: ${steps.join('\n      ')}`);
}

function stepsAfter(action: string, { kind, unit }: { kind: Kind; unit: string }): string[] {
  const systemctl = kind === 'user' ? 'systemctl --user' : 'systemctl';
  if (action === 'uninstall') return [`${systemctl} stop ${unit}`, `${systemctl} daemon-reload`];
  return [
    ...(kind === 'system' ? ['systemd-sysusers', 'systemd-tmpfiles --create'] : []),
    `${systemctl} daemon-reload`,
    `${systemctl} enable --now ${unit}`,
    ...(kind === 'system'
      ? ['the user dragoman must be able to write the folders of the config']
      : []),
  ];
}
