/** The environment of a hook's command: all variables except secrets and those of systemd for the daemon. */
import { readSecret, type SecretStores } from '../../config/load-secret.ts';
import type { Environment } from '../../config/variables.ts';
import type { Config } from '../../config.ts';
import type { SecretReference } from '../../setting.ts';

/** With these, a command could talk to systemd as the daemon, or read its credentials. */
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

/** `MAIL_TOKEN`, `APIKEY`, `AWS_ACCESS_KEY_ID`, `API_KEY2`, `MYSQL_PWD`, `NPM_CONFIG__AUTH`. */
const SECRET_NAME =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL)S?\d*(_|$)|(AUTH|_PWD|_PAT|_DSN|COOKIE|BEARER|JWT)\d*$/i;
/** A URL with a password, of a proxy or a database. */
const PASSWORD_IN_ADDRESS = /:\/\/[^/?#\s]*:[^/?#\s]+@/;
/** UTF-16 code units. Longer secrets are also looked for inside other values; a shorter one occurs there by accident. */
const LEAST_FOUND_INSIDE = 8;

type Secrets = Pick<Config, 'service' | 'on' | 'team'>;

/** @param allowed variables in the hook's `env`: passed on, except secrets that the config names */
export async function commandEnvironment(
  stores: SecretStores,
  config: Secrets,
  allowed: readonly string[] = [],
): Promise<Environment> {
  const references = referencesIn(config);
  const named = references.flatMap((secret) => ('env' in secret ? secret.env : []));
  const values = await valuesOf(stores, references);
  const isHidden = (name: string, value = '') =>
    OF_THE_DAEMON.includes(name) ||
    named.includes(name) ||
    // The variable holds a secret of the config under another name.
    values.some((secret) => holds(value, secret)) ||
    isPartOfHeader(value, config) ||
    (!allowed.includes(name) && (SECRET_NAME.test(name) || PASSWORD_IN_ADDRESS.test(value)));
  const { env } = stores;
  return Object.fromEntries(Object.entries(env).filter(([name, value]) => !isHidden(name, value)));
}

function referencesIn({ service, on, team }: Secrets): SecretReference[] {
  const hooks = Object.values(on).flat();
  const { url, key } = team ?? {};
  return [
    service.key,
    service.adminKey,
    ...hooks.map((hook) => ('post' in hook ? hook.secret : undefined)),
    typeof url === 'string' ? undefined : url,
    key,
  ].filter((secret) => secret !== undefined);
}

/** The values of all secrets, also those in files, since the environment may hold the same values. Missing secrets are skipped. */
async function valuesOf(
  stores: SecretStores,
  references: readonly SecretReference[],
): Promise<string[]> {
  const read = references.map((secret) => readSecret(secret, stores).catch(() => ''));
  return (await Promise.all(read)).filter((value) => value !== '');
}

function holds(value: string, secret: string): boolean {
  if (value.trim() === secret) return true;
  return secret.length >= LEAST_FOUND_INSIDE && value.includes(secret);
}

/** Whether a header of the config contains the value, as in `Basic ${CREDENTIAL}`. */
function isPartOfHeader(value: string, { service }: Secrets): boolean {
  const part = value.trim();
  if (part.length < LEAST_FOUND_INSIDE) return false;
  return Object.values(service.headers).some((header) => header.includes(part));
}
