/** Reads the two secrets of a team's state: the URL of its database, which holds a password, and its key. */
import type { TeamConfig } from '../config.ts';
import { JobFailure } from '../failure.ts';
import type { SecretReference } from '../setting.ts';
import { readSecret, SecretMissing, type SecretStores } from './load-secret.ts';

/** @returns the URL of the database @throws JobFailure `team-state` */
export async function readTeamUrl({ url }: TeamConfig, secrets: SecretStores): Promise<string> {
  const read = typeof url === 'string' ? url : await secretIn(url, secrets);
  if (!isPostgres(read)) {
    throw refused(
      'state.url gives no address such as postgres://runner:…@db.acme/dragoman; in its password "/", "?", "#", "@" and "%" are written as %2F, %3F, %23, %40 and %25',
    );
  }
  return read;
}

/** @returns the key; undefined when the config names none @throws JobFailure `team-state` */
export async function readTeamKey(
  { key }: TeamConfig,
  secrets: SecretStores,
): Promise<string | undefined> {
  return key === undefined ? undefined : await secretIn(key, secrets, 'key');
}

async function secretIn(
  reference: SecretReference,
  secrets: SecretStores,
  setting: 'url' | 'key' = 'url',
): Promise<string> {
  try {
    return await readSecret(reference, secrets);
  } catch (error) {
    if (!(error instanceof SecretMissing)) throw error;
    throw setting === 'url' ? refused(error.message, error) : noKey(error.message);
  }
}

function noKey(message: string): JobFailure {
  return new JobFailure({ kind: 'team-state', problem: 'key', host: 'state.key', message });
}

/**
 * Whether the URL is one of PostgreSQL, and its password is encoded. A plain "/", "?" or "#" in a password would end the host, also after a
 * plain "@". Then an error message would show the part of the password before that character as a port or a host.
 */
function isPostgres(url: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(url) || !URL.canParse(url)) return false;
  const { pathname, hash, searchParams } = new URL(url);
  const behind = [pathname, hash, ...searchParams.keys()];
  return !behind.some((part) => part.includes('@'));
}

function refused(message: string, cause?: SecretMissing): JobFailure {
  const failure = { kind: 'team-state', problem: 'refused', host: 'state.url', message } as const;
  return new JobFailure(failure, { cause });
}
