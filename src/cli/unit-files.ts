/** The files of `service install` for one config. For a user: one unit. For the system: template, drop-in, user and folders. Pure. */
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { instanceName } from '../config/instance.ts';
import type { Config } from '../config.ts';

export interface Installation {
  readonly config: Config;
  /** Instance name: letters, digits, `-` and `_`. */
  readonly name: string;
  /** Absolute paths of Node and of dragoman's main file. */
  readonly node: string;
  readonly main: string;
  /** Absolute path of the page that `systemctl help` shows. */
  readonly readme: string;
  /** Path of the notify socket, for systemd 253 and later; undefined for an older one, which would warn about the setting. */
  readonly notifySocket?: string | undefined;
}

export type UnitKind = 'user' | 'system';

/** Contents of the files in `systemd/`. */
export interface UnitTemplates {
  readonly user: string;
  readonly system: string;
  readonly sysusers: string;
  readonly tmpfiles: string;
}

export interface SystemdUnitFile {
  /** The folder of systemd for this file. */
  readonly folder: 'units' | 'sysusers.d' | 'tmpfiles.d';
  /** Relative to that folder. */
  readonly path: string;
  readonly text: string;
  /** Other configs on this machine may need the file, so it stays when one config is uninstalled. */
  readonly isShared: boolean;
}

/** The first line of each file. `service uninstall` removes only files with this line. */
export const MARK = '# written by "dragoman service install"';

/** The file of a unit, and the link that "systemctl enable" makes; relative to the folder of units. */
export function unitPaths(name: string, kind: UnitKind): { file: string; link: string } {
  if (kind === 'user') {
    const unit = `dragoman-${name}.service`;
    return { file: unit, link: join('default.target.wants', unit) };
  }
  const unit = `dragoman@${name}.service`;
  return {
    file: join(`${unit}.d`, '10-dragoman.conf'),
    link: join('multi-user.target.wants', unit),
  };
}

export function unitFiles(
  installation: Installation,
  kind: UnitKind,
  templates: UnitTemplates,
): SystemdUnitFile[] {
  const { file } = unitPaths(installation.name, kind);
  if (kind === 'user') {
    const { config, name } = installation;
    const lines = [...notifyLines(installation), ...userKeyLines(config, name)];
    const text = templates.user
      .replace(/^Description=.*$/m, (line) => `${line}\n${documentationLine(installation)}`)
      .replace(/^ExecStart=.*$/m, () => [execLine(installation), ...lines].join('\n'));
    return [{ folder: 'units', path: file, text: marked(text), isShared: false }];
  }
  const shared = { isShared: true, path: 'dragoman.conf' } as const;
  return [
    { folder: 'units', path: file, text: marked(dropIn(installation)), isShared: false },
    { ...shared, folder: 'units', path: 'dragoman@.service', text: marked(templates.system) },
    { ...shared, folder: 'sysusers.d', text: marked(templates.sysusers) },
    { ...shared, folder: 'tmpfiles.d', text: marked(templates.tmpfiles) },
  ];
}

/** The config of an installed unit or drop-in, as its command line names it. */
export function configIn(text: string): string | undefined {
  return /^ExecStart=.* run --config (.+) --no-input$/m.exec(text)?.[1];
}

function execLine({ node, main, config }: Installation): string {
  const words = [node, main, 'run', '--config', config.file, '--no-input'];
  return `ExecStart=${words.map((word) => quoted(word.replaceAll('$', '$$$$'))).join(' ')}`;
}

/** The file with the key, when the config takes it from a variable: systemd does not pass on the variables of the shell. */
export function keyFile(
  { config, name }: Pick<Installation, 'config' | 'name'>,
  folder: string,
): { readonly file: string; readonly variable: string } | undefined {
  const { key } = config.service;
  return 'env' in key ? { file: join(folder, `${name}.env`), variable: key.env } : undefined;
}

/** In a unit of a user, `%E` is the config folder of that user (systemd.unit(5)). */
function userKeyLines({ service: { key } }: Config, name: string): string[] {
  if ('env' in key) return [`EnvironmentFile=-%E/dragoman/${name}.env`];
  if ('credential' in key) return [`LoadCredential=${key.credential}:%E/dragoman/${name}.key`];
  return [];
}

function notifyLines({ notifySocket }: Installation): string[] {
  return notifySocket === undefined ? [] : [`OpenFile=${notifySocket}:sdnotify:graceful`];
}

function documentationLine({ readme }: Installation): string {
  return `Documentation=${pathToFileURL(readme).href.replaceAll('%', '%%')}`;
}

function marked(text: string): string {
  return `${MARK}\n${text}`;
}

// An empty ExecStart= removes that of the template (systemd.service(5)).
function dropIn(installation: Installation): string {
  const { config, node, main } = installation;
  const folders = writtenFolders(config);
  const homes = folders.filter(isInHome);
  return [
    '[Unit]',
    documentationLine(installation),
    '[Service]',
    'ExecStart=',
    execLine(installation),
    ...notifyLines(installation),
    ...folders
      .filter((folder) => !isInHome(folder))
      .map((folder) => `ReadWritePaths=-${quoted(folder)}`),
    // dragoman needs its code and its dependencies, in the folder of its package.
    ...homeLines(homes, [config.base, dirname(node), dirname(dirname(main))].filter(isInHome)),
    ...credentialLines(installation),
    ...stateLines(installation),
    '',
  ].join('\n');
}

/** The folders that dragoman writes: state, projects, and glossaries (`glossary pull`). */
function writtenFolders({ state, base, projects }: Config): string[] {
  const glossaries = projects.flatMap(({ rules: { glossary } }) =>
    glossary !== undefined && 'csv' in glossary ? folderOf(join(base, glossary.csv)) : [],
  );
  return [...new Set([state, ...projects.map(({ root }) => root), ...glossaries])];
}

/** @param pattern may hold `{source}` and `{locale}` */
function folderOf(pattern: string): string {
  return dirname(pattern.replace(/\{.*/s, 'x'));
}

/** Whether `ProtectHome=` hides the path. */
function isInHome(path: string): boolean {
  return /^\/(home|root|run\/user)\//.test(path);
}

// Below a home hidden by ProtectHome=yes nothing can be made visible; an empty home (tmpfs) can be filled (systemd.exec(5)).
function homeLines(written: readonly string[], read: readonly string[]): string[] {
  if (written.length + read.length === 0) return [];
  return [
    'ProtectHome=tmpfs',
    ...[...new Set(read)].map((folder) => `BindReadOnlyPaths=-${quoted(folder)}`),
    ...written.map((folder) => `BindPaths=-${quoted(folder)}`),
  ];
}

function credentialLines(installation: Installation): string[] {
  if ('credential' in installation.config.service.key) return [];
  const own = keyFile(installation, SYSTEM_FOLDER);
  return [
    '# The template loads the key as a credential; this config reads it elsewhere.',
    'LoadCredential=',
    ...(own === undefined ? [] : [`EnvironmentFile=-${quoted(own.file)}`]),
  ];
}

/** The folder of configs and keys that root writes. */
export const SYSTEM_FOLDER = '/etc/dragoman';

// A command that a person types knows the config, but not the name of its unit: both use the state folder of the config.
function stateLines({ config, name }: Installation): string[] {
  const usual = instanceName(config.file);
  return usual === name ? [] : ['StateDirectory=', `StateDirectory=dragoman/${usual}`];
}

// In a unit, `%` begins a specifier (systemd.unit(5)).
function quoted(path: string): string {
  const text = path.replaceAll('%', '%%');
  return /[\s"'\\;]/.test(text) ? `"${text.replaceAll(/(["\\])/g, '\\$1')}"` : text;
}
