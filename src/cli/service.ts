/** `dragoman service install|uninstall [--user]`: writes or removes the systemd unit of this config. Files of others are not touched. */

import { existsSync } from 'node:fs';
import { lstat, mkdir, rm, rmdir, writeFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import type { Command } from 'commander';
import { instanceName } from '../config/instance.ts';
import { runProgram } from '../files/program.ts';
import { readText } from '../files/read-file.ts';
import {
  type CliCommand,
  type CommandCall,
  CommandFailure,
  type GlobalOptions,
  UsageError,
} from './command.ts';
import { openConfig } from './open-config.ts';
import {
  configIn,
  type Installation,
  keyFile,
  MARK,
  SYSTEM_FOLDER,
  type SystemdUnitFile,
  type UnitKind,
  type UnitTemplates,
  unitFiles,
  unitPaths,
} from './unit-files.ts';

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
      .option('--name <name>', 'instance name (default: from the name of the config)')
      .option('--folder <folder>', 'write all files here, not into the folders of systemd')
      .addHelpText(
        'after',
        `
Examples:
  dragoman service install --user            a unit for your own folders
  sudo dragoman service install              the hardened template, with a drop-in for this config
  sudo dragoman service uninstall            removes the drop-in
  dragoman service uninstall --user --name webapp    also when its config is gone`,
      );
  },
  async run(call: CommandCall<ServiceOptions>) {
    const [action] = call.args;
    if (action !== 'install' && action !== 'uninstall')
      throw new UsageError('the action is install or uninstall');
    const kind = call.options.user === true ? 'user' : 'system';
    const done = action === 'install' ? await install(call, kind) : await uninstall(call, kind);
    if (call.options.json) call.terminal.json({ action, ...done });
    else explain(call, { action, kind, ...done });
    return 0;
  },
};

interface UnitChange {
  readonly unit: string;
  /** Written or removed files. */
  readonly files: readonly string[];
  /** Files that had the right content already. */
  readonly unchanged: readonly string[];
  /** The file with a key that the config takes from a variable: the unit reads it. */
  readonly key?: { readonly file: string; readonly variable: string };
}

async function install(call: CommandCall<ServiceOptions>, kind: UnitKind): Promise<UnitChange> {
  const { config } = await openConfig(call);
  const name = checked(call.options.name ?? instanceName(config.file));
  const main = `main${extname(import.meta.filename)}`;
  const isNew = (await systemdVersion()) >= OPEN_FILE_SINCE;
  const installation: Installation = {
    ...{ config, name, node: process.execPath },
    main: join(import.meta.dirname, '..', main),
    readme: join(TEMPLATES, '..', 'README.md'),
    notifySocket: isNew ? notifySocket(call, kind) : undefined,
  };
  const files = await filesFor(installation, kind);
  const key = keyFile(installation, kind === 'user' ? configFolder(call) : SYSTEM_FOLDER);
  const done = await installUnits(files, foldersOf(call, kind));
  return { unit: unitOf(name, kind), ...done, ...(key === undefined ? {} : { key }) };
}

/** The version of systemd that added `OpenFile=`; an older one warns about the line. */
const OPEN_FILE_SINCE = 253;
/** Milliseconds to wait for `systemctl --version`. */
const VERSION_MS = 5000;

/** The version of systemd; 0 without systemd, since the files may be for another machine. */
async function systemdVersion(): Promise<number> {
  const asked = { program: 'systemctl', words: ['--version'], limitMs: VERSION_MS };
  const { text } = await runProgram(asked).catch(() => ({ text: '' }));
  return Number(/^systemd (\d+)/.exec(text)?.[1] ?? 0);
}

/** The notify socket of systemd. The manager of a user and that of the system have different ones. */
function notifySocket({ env }: CommandCall<ServiceOptions>, kind: UnitKind): string {
  const { uid } = userInfo();
  const run = kind === 'user' ? (env['XDG_RUNTIME_DIR'] ?? `/run/user/${uid}`) : '/run';
  return join(run, 'systemd', 'notify');
}

function configFolder({ env }: CommandCall<ServiceOptions>): string {
  return join(env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config'), 'dragoman');
}

async function uninstall(call: CommandCall<ServiceOptions>, kind: UnitKind): Promise<UnitChange> {
  const name = checked(call.options.name ?? (await nameOfConfig(call)));
  const removed = await uninstallUnit(unitPaths(name, kind), foldersOf(call, kind).units);
  return { unit: unitOf(name, kind), files: removed, unchanged: [] };
}

async function nameOfConfig(call: CommandCall<ServiceOptions>): Promise<string> {
  const { config } = await openConfig(call);
  return instanceName(config.file);
}

function checked(name: string): string {
  if (/^[\w-]+$/.test(name)) return name;
  throw new UsageError(`--name may hold letters, digits, - and _, not "${name}"`);
}

function unitOf(name: string, kind: UnitKind): string {
  return kind === 'user' ? `dragoman-${name}.service` : `dragoman@${name}.service`;
}

function foldersOf({ options, env }: CommandCall<ServiceOptions>, kind: UnitKind): UnitFolders {
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
  { terminal }: CommandCall<ServiceOptions>,
  { action, kind, unit, files, unchanged, key }: UnitChange & { action: string; kind: UnitKind },
): void {
  for (const path of files) terminal.out(`${action === 'install' ? 'wrote' : 'removed'} ${path}`);
  for (const path of unchanged) terminal.out(`as it was ${path}`);
  if (action === 'uninstall' && files.length === 0) {
    terminal.out(`${unit} is not installed`);
    return;
  }
  const steps = stepsAfter(action, { kind, unit, key });
  terminal.out(`then: ${steps.join('\n      ')}`);
}

interface Installed {
  readonly kind: UnitKind;
  readonly unit: string;
  readonly key: UnitChange['key'];
}

function stepsAfter(action: string, { kind, unit, key }: Installed): string[] {
  const systemctl = kind === 'user' ? 'systemctl --user' : 'systemctl';
  if (action === 'uninstall') return [`${systemctl} stop ${unit}`, `${systemctl} daemon-reload`];
  return [
    ...(kind === 'system' ? ['systemd-sysusers', 'systemd-tmpfiles --create'] : []),
    ...(key === undefined
      ? []
      : [
          `write the line ${key.variable}=YOUR-KEY into ${key.file} and chmod 600 it: the unit reads the key there`,
        ]),
    `${systemctl} daemon-reload`,
    `${systemctl} enable --now ${unit}`,
    ...(kind === 'user'
      ? ['loginctl enable-linger    (without it, the daemon ends when you log out)']
      : []),
    ...(kind === 'system'
      ? ['the user dragoman must be able to write the folders of the config']
      : []),
  ];
}

const TEMPLATES = join(import.meta.dirname, '..', '..', 'systemd');

type UnitFolders = Readonly<Record<SystemdUnitFile['folder'], string>>;

async function filesFor(
  installation: Installation,
  kind: 'user' | 'system',
): Promise<SystemdUnitFile[]> {
  const read = (name: string) => readText(join(TEMPLATES, name));
  const templates: UnitTemplates = {
    user: await read('dragoman-user.service'),
    system: await read('dragoman@.service'),
    sysusers: await read('dragoman.sysusers.conf'),
    tmpfiles: await read('dragoman.tmpfiles.conf'),
  };
  return unitFiles(installation, kind, templates);
}

/** Writes the files that differ. @throws CommandFailure 1, before anything is written, when a file is not of dragoman or for another config */
async function installUnits(
  units: readonly SystemdUnitFile[],
  folders: UnitFolders,
): Promise<{ files: string[]; unchanged: string[] }> {
  const placed: UnitFile[] = [];
  for (const { folder, path, text } of units) {
    const file = join(folders[folder], path);
    placed.push({ file, text, old: await textIfPresent(file) });
  }
  for (const found of placed) requireOurs(found);
  const changed = placed.filter(({ text, old }) => text !== old);
  for (const { file, text } of changed) await writeUnit(file, text);
  const unchanged = placed.filter((found) => !changed.includes(found));
  return { files: changed.map(({ file }) => file), unchanged: unchanged.map(({ file }) => file) };
}

/**
 * Removes the unit of one config. Other configs may need the template, its user and folders, so these stay.
 * @returns the removed files; empty when the unit was not installed
 */
async function uninstallUnit(
  { file, link }: { file: string; link: string },
  folder: string,
): Promise<string[]> {
  const unit = join(folder, file);
  const text = await textIfPresent(unit);
  if (text === undefined) return [];
  requireOurs({ file: unit, text, old: text });
  const enabled = join(folder, link);
  // "systemctl enable" made the link; after the removal "systemctl disable" would not find the unit.
  const isEnabled = await lstat(enabled).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  const gone = isEnabled ? [unit, enabled] : [unit];
  for (const path of gone) await changing(() => rm(path));
  if (basename(dirname(unit)).endsWith('.service.d')) await rmdir(dirname(unit)).catch(() => {});
  return gone;
}

interface UnitFile {
  readonly file: string;
  /** The right content. */
  readonly text: string;
  readonly old: string | undefined;
}

function requireOurs({ file, text, old }: UnitFile): void {
  if (old === undefined) return;
  if (!old.includes(MARK)) throw new CommandFailure(1, `${file} was not written by dragoman`);
  const [other, own] = [configIn(old), configIn(text)];
  if (other !== undefined && own !== undefined && other !== own) {
    throw new CommandFailure(1, `${file} is for another config, ${other}: choose another --name`);
  }
}

async function textIfPresent(file: string): Promise<string | undefined> {
  return existsSync(file) ? await readText(file) : undefined;
}

async function writeUnit(file: string, text: string): Promise<void> {
  await changing(async () => {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  });
}

async function changing(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new CommandFailure(1, `${message}; run it as root, or with --user`, { cause: error });
  }
}
