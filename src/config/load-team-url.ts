/** Reads the address of the team's database, which holds a password, where the config says it is. */
import type { TeamConfig } from '../config.ts';
import { JobFailure } from '../failure.ts';
import { readSecret, SecretMissing, type SecretPlaces } from './load-secret.ts';

/** @throws JobFailure `team-state` */
export async function readTeamUrl({ url }: TeamConfig, secrets: SecretPlaces): Promise<string> {
  const read = typeof url === 'string' ? url : await secretIn(url, secrets);
  if (!isPostgres(read)) {
    throw refused(
      'what state.url names is no address such as postgres://runner:…@db.acme/dragoman',
    );
  }
  return read;
}

async function secretIn(
  reference: Exclude<TeamConfig['url'], string>,
  secrets: SecretPlaces,
): Promise<string> {
  try {
    return await readSecret(reference, secrets);
  } catch (error) {
    if (!(error instanceof SecretMissing)) throw error;
    throw refused(error.message);
  }
}

function isPostgres(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);
}

function refused(message: string): JobFailure {
  return new JobFailure({ kind: 'team-state', problem: 'refused', host: 'state.url', message });
}
