/** What a hook's command inherits: everything but keys, and what systemd meant for the daemon alone. Pure. */

import type { Environment } from '../../config/variables.ts';
import type { Config, SecretReference } from '../../config.ts';

/** With them a command could speak to systemd in the daemon's name, or read its credentials. */
const OF_THE_DAEMON = [
  'CREDENTIALS_DIRECTORY',
  'JOURNAL_STREAM',
  'LISTEN_FDNAMES',
  'LISTEN_FDS',
  'LISTEN_PID',
  'NOTIFY_SOCKET',
  'WATCHDOG_PID',
  'WATCHDOG_USEC',
];

export function commandEnvironment(
  env: Environment,
  config: Pick<Config, 'service' | 'on'>,
): Environment {
  const hidden = new Set([...OF_THE_DAEMON, ...secretVariables(config)]);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !hidden.has(name)));
}

function secretVariables({ service, on }: Pick<Config, 'service' | 'on'>): string[] {
  const hooks = Object.values(on).flat();
  const secrets: readonly (SecretReference | undefined)[] = [
    service.key,
    service.adminKey,
    ...hooks.map((hook) => ('post' in hook ? hook.secret : undefined)),
  ];
  return secrets.flatMap((secret) => (secret !== undefined && 'env' in secret ? secret.env : []));
}
