/** What `service install` writes for one config: a unit of its own for a user, a drop-in beside the template for the system. Pure. */
import type { Config } from './config.ts';

export interface Installation {
  readonly config: Config;
  /** Instance name: letters, digits, `-` and `_`. */
  readonly name: string;
  /** Absolute paths of the runtime and of dragoman's main file. */
  readonly node: string;
  readonly main: string;
}

export interface UnitFile {
  /** Relative to the folder of units. */
  readonly path: string;
  readonly text: string;
}

/** Says whose the file is: `service uninstall` removes no other. */
export const MARK = '# written by "dragoman service install"';

/**
 * @param template text of systemd/dragoman-user.service or systemd/dragoman@.service
 */
export function unitFiles(
  installation: Installation,
  kind: 'user' | 'system',
  template: string,
): UnitFile[] {
  const { name } = installation;
  if (kind === 'user') {
    const text = template
      .replace(/^ExecStart=.*$/m, `ExecStart=${execLine(installation)}`)
      .replace(/^(\[Unit\])$/m, `$1\n${MARK}`);
    return [{ path: `dragoman-${name}.service`, text }];
  }
  return [
    { path: 'dragoman@.service', text: template.replace(/^(\[Unit\])$/m, `$1\n${MARK}`) },
    { path: `dragoman@${name}.service.d/10-dragoman.conf`, text: dropIn(installation) },
  ];
}

// An empty ExecStart= takes the template's back (systemd.service(5)).
function dropIn(installation: Installation): string {
  const { config } = installation;
  const folders = [...new Set([config.state, ...config.projects.map(({ root }) => root)])];
  return [
    MARK,
    '[Service]',
    'ExecStart=',
    `ExecStart=${execLine(installation)}`,
    ...folders.map((folder) => `ReadWritePaths=-${quoted(folder)}`),
    ...credentialLines(config),
    '',
  ].join('\n');
}

function credentialLines({ service }: Config): string[] {
  return 'credential' in service.key
    ? []
    : [
        '# The template loads the key as a credential; this config reads it elsewhere.',
        'LoadCredential=',
      ];
}

function execLine({ node, main, config }: Installation): string {
  return [node, main, 'run', '--config', config.file, '--no-input'].map(quoted).join(' ');
}

// `%` begins a specifier and `$` a variable in a unit (systemd.unit(5), systemd.service(5)).
function quoted(path: string): string {
  const text = path.replaceAll('%', '%%').replaceAll('$', '$$$$');
  return /[\s"'\\;]/.test(text) ? `"${text.replaceAll(/(["\\])/g, '\\$1')}"` : text;
}
