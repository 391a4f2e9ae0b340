/** Finds and reads `dragoman.yaml`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { VERSION } from '../service/version.ts';
import type { Fault } from './fault.ts';
import { besideService } from './instance.ts';
import { keptCapabilities } from './load-languages.ts';
import { type ParsedConfig, type ParseOptions, parseConfig } from './parse.ts';

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
    return parseConfig(text, {
      capabilitiesOf: keptCapabilities,
      version: VERSION,
      ...options,
      env: besideService(path, options.env),
      file: path,
    });
  } catch (error) {
    return { faults: [unreadable(path, error)], state: join(dirname(path), '.dragoman') };
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
