/** What a hook's command inherits: everything but secrets, and what systemd meant for the daemon alone. Pure. */

import type { Environment } from '../../config/variables.ts';
import type { Config } from '../../config.ts';
import type { SecretReference } from '../../setting.ts';

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

/** `MAIL_TOKEN`, `APIKEY`, `AWS_ACCESS_KEY_ID`. */
const SECRET_NAME = /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?(_|$)/i;

/** @param allowed what a hook's `env` names: it is handed on unless it holds a key of the service */
export function commandEnvironment(
  env: Environment,
  config: Pick<Config, 'service' | 'on'>,
  allowed: readonly string[] = [],
): Environment {
  const named = secretVariables(config);
  const values = new Set(named.map((name) => env[name]).filter((value) => value));
  const isHidden = (name: string, value: string | undefined) =>
    OF_THE_DAEMON.includes(name) ||
    named.includes(name) ||
    // The same key under a second name.
    values.has(value) ||
    (SECRET_NAME.test(name) && !allowed.includes(name));
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isHidden(name, value)));
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
