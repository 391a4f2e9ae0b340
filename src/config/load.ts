/** Finds and reads `dragoman.yaml`, and the secrets that it names. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { SecretReference } from '../config.ts';
import type { Fault } from './fault.ts';
import { type ParsedConfig, type ParseOptions, parseConfig } from './parse.ts';
import type { Environment } from './variables.ts';

export const CONFIG_NAME = 'dragoman.yaml';

/** @returns the absolute path of the config in the folder or the nearest one above it */
export function findConfig(folder: string): string | undefined {
  const file = join(resolve(folder), CONFIG_NAME);
  if (existsSync(file)) return file;
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? undefined : findConfig(above);
}

/** Reads and checks a config file. A file that cannot be read is a fault as well. */
export async function loadConfig(
  file: string,
  options: Omit<ParseOptions, 'file'>,
): Promise<ParsedConfig> {
  const path = resolve(file);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path));
    return parseConfig(text, { ...options, file: path });
  } catch (error) {
    return { faults: [unreadable(path, error)] };
  }
}

function unreadable(file: string, error: unknown): Fault {
  return { file, line: 1, column: 1, path: '', message: readError(error) };
}

function readError(error: unknown): string {
  if (error instanceof TypeError) return 'is not UTF-8';
  switch (errorCode(error)) {
    case 'ENOENT':
      return 'does not exist; dragoman init writes one';
    case 'EISDIR':
      return 'is a folder';
    case 'EACCES':
      return 'may not be read by this user';
    default:
      throw error;
  }
}

function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

export interface SecretSources {
  readonly env: Environment;
  /** `CREDENTIALS_DIRECTORY` of systemd. */
  readonly credentialsDirectory?: string | undefined;
}

/** A secret that is not where the config says. The message names the place, never the value. */
export class SecretMissing extends Error {
  override readonly name = 'SecretMissing';
}

/**
 * Reads a secret, without the line end that editors leave behind it.
 * @throws SecretMissing
 */
export async function readSecret(
  reference: SecretReference,
  { env, credentialsDirectory }: SecretSources,
): Promise<string> {
  if ('env' in reference) return needed(env[reference.env], `the variable ${reference.env}`);
  if ('file' in reference) return readSecretFile(reference.file, `the file ${reference.file}`);
  const where = `the systemd credential ${reference.credential}`;
  if (credentialsDirectory === undefined) {
    throw new SecretMissing(`${where} is only there under systemd (LoadCredential=)`);
  }
  return readSecretFile(join(credentialsDirectory, reference.credential), where);
}

async function readSecretFile(file: string, where: string): Promise<string> {
  try {
    return needed(await readFile(file, 'utf8'), where);
  } catch (error) {
    if (error instanceof SecretMissing) throw error;
    throw new SecretMissing(`${where} cannot be read (${errorCode(error)})`, { cause: error });
  }
}

function needed(value: string | undefined, where: string): string {
  const secret = value?.trim();
  if (secret === undefined) throw new SecretMissing(`${where} is not set`);
  if (secret === '') throw new SecretMissing(`${where} is empty`);
  // A header is one line; a key that holds more is a file of another kind.
  if (/[\r\n\0]/.test(secret)) throw new SecretMissing(`${where} holds more than one line`);
  return secret;
}
