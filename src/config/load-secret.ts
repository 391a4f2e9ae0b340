/** Reads the secrets that a config names: from a variable, a file or a systemd credential. */
import { join } from 'node:path';
import { describeFailure, JobFailure } from '../failure.ts';
import { readBytes } from '../files/disk.ts';
import type { SecretReference } from '../setting.ts';
import type { Environment } from './variables.ts';

export interface SecretStores {
  readonly env: Environment;
  /** `CREDENTIALS_DIRECTORY` of systemd. */
  readonly credentialsDirectory?: string | undefined;
}

/** A secret is missing, empty or unreadable. The message names the place, never the value. */
export class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

/**
 * Reads a secret and removes white space around it, such as the line end that editors add.
 * @throws SecretMissing
 */
export async function readSecret(
  reference: SecretReference,
  { env, credentialsDirectory }: SecretStores,
): Promise<string> {
  if ('env' in reference) return needed(env[reference.env], `the variable ${reference.env}`);
  if ('file' in reference) return readSecretFile(reference.file, `the file ${reference.file}`);
  const where = `the systemd credential ${reference.credential}`;
  if (credentialsDirectory === undefined) {
    throw new SecretMissing(`${where} is only there under systemd (LoadCredential=)`);
  }
  return readSecretFile(join(credentialsDirectory, reference.credential), where);
}

/** Bytes of a file with a secret; a larger one holds something else. */
const MOST_SECRET_BYTES = 64 * 1024;

/** A named pipe is refused: to open one waits for its writer, and nothing ends such a wait, not even SIGTERM. */
async function readSecretFile(file: string, where: string): Promise<string> {
  try {
    const { bytes } = await readBytes(file, MOST_SECRET_BYTES);
    return needed(bytes.toString('utf8'), where);
  } catch (error) {
    if (!(error instanceof JobFailure)) throw error;
    const { failure } = error;
    const why =
      failure.kind === 'unreadable'
        ? `${where} cannot be read (${failure.code})`
        : `${where}: ${describeFailure(failure)}`;
    throw new SecretMissing(why, { cause: error });
  }
}

function needed(value: string | undefined, where: string): string {
  const secret = value?.trim();
  if (secret === undefined) throw new SecretMissing(`${where} is not set`);
  if (secret === '') throw new SecretMissing(`${where} is empty`);
  // An HTTP header is one line; a file with more lines is not a key.
  if (/[\r\n\0]/.test(secret)) throw new SecretMissing(`${where} holds more than one line`);
  return secret;
}
