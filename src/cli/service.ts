/** `dragoman service install|uninstall [--user]`: writes or removes the systemd unit of this config. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import { MARK, type UnitFile, unitFiles } from '../unit-files.ts';
import {
  type Call,
  type CliCommand,
  CommandFailure,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { openConfig } from './open-config.ts';

interface ServiceOptions extends GlobalOptions {
  readonly user?: boolean;
  readonly name?: string;
  readonly folder?: string;
}

const PACKAGE = join(import.meta.dirname, '..', '..');

export const command: CliCommand<ServiceOptions> = {
  describe(command: Command) {
    command
      .argument('<action>', 'install or uninstall')
      .option('--user', 'for one person, without root (systemctl --user)')
      .option('--name <name>', "instance name (default: the config's folder)")
      .option('--folder <folder>', 'where units go, instead of the usual place')
      .addHelpText(
        'after',
        `
Examples:
  dragoman service install --user          a unit for your own folders
  sudo dragoman service install            the hardened template, with a drop-in for this config
  sudo dragoman service uninstall          takes the drop-in back`,
      );
  },
  async run(call: Call<ServiceOptions>) {
    const [action] = call.args;
    if (action !== 'install' && action !== 'uninstall')
      throw new UsageError('say install or uninstall');
    const files = await filesFor(call);
    const folder = call.options.folder ?? unitFolder(call);
    const paths = files.map(({ path }) => join(folder, path));
    for (const path of paths) await refuseForeign(path);
    if (action === 'install') await install(folder, files);
    // The template may serve other instances.
    else
      for (const path of paths.filter((each) => !each.endsWith('@.service')))
        await rm(path, { force: true });
    if (call.options.json) call.terminal.json({ action, files: paths });
    else explain(call, { action, paths });
    return 0;
  },
};

async function filesFor(call: Call<ServiceOptions>): Promise<UnitFile[]> {
  const { config } = await openConfig(call);
  const kind = call.options.user === true ? 'user' : 'system';
  const template = kind === 'user' ? 'dragoman-user.service' : 'dragoman@.service';
  const text = await readFile(join(PACKAGE, 'systemd', template), 'utf8');
  const installation = {
    config,
    name: instanceName(call, config.base),
    node: process.execPath,
    main: join(
      import.meta.dirname,
      '..',
      basename(import.meta.filename).replace('service', 'main'),
    ),
  };
  return unitFiles(installation, kind, text);
}

function instanceName({ options }: Call<ServiceOptions>, base: string): string {
  const name = options.name ?? basename(base).replaceAll(/[^\w-]+/g, '-');
  if (/^[\w-]+$/.test(name)) return name;
  throw new UsageError(`--name may hold letters, digits, - and _, not "${name}"`);
}

function unitFolder({ options, env }: Call<ServiceOptions>): string {
  if (options.user !== true) return '/etc/systemd/system';
  return join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'systemd', 'user');
}

async function install(folder: string, files: readonly UnitFile[]): Promise<void> {
  for (const { path, text } of files) {
    const file = join(folder, path);
    try {
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new CommandFailure(1, `${message}; run it as root, or with --user`, { cause: error });
    }
  }
}

/** A unit that somebody else wrote is not ours to change. */
async function refuseForeign(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const text = await readFile(file, 'utf8');
  if (!text.includes(MARK)) throw new CommandFailure(1, `${file} was written by somebody else`);
}

function explain(
  { terminal, options }: Call<ServiceOptions>,
  { action, paths }: { action: 'install' | 'uninstall'; paths: readonly string[] },
): void {
  const systemctl = options.user === true ? 'systemctl --user' : 'systemctl';
  for (const path of paths) terminal.out(`${action === 'install' ? 'wrote' : 'removed'} ${path}`);
  const unit =
    options.user === true
      ? basename(paths[0] ?? '')
      : basename(dirname(paths[1] ?? '')).slice(0, -2);
  terminal.out(`then: ${systemctl} daemon-reload`);
  if (action === 'install') terminal.out(`      ${systemctl} enable --now ${unit}`);
}
