/** Finds and reads `dragoman.yaml`. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { failureOf } from '../failure.ts';
import { isReadHere, parse } from '../parsing/parse.ts';
import { limitFor, tookTooLong } from '../parsing/parser.ts';
import { TookTooLong, within } from '../parsing/within.ts';
import { VERSION } from '../service/version.ts';
import { besideService } from './instance.ts';
import { keptCapabilities } from './load-languages.ts';
import { type ParsedConfig, type ParseOptions, parseConfig } from './parse.ts';
import { TRY_CONFIG } from './parsers.ts';

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
    // A daemon answers others meanwhile: what it reads itself was read on a thread before.
    const subject = { file: path, bytes: text.length };
    if (!isReadHere(text.length)) await parse(TRY_CONFIG, { text, file: path }, subject);
    return readConfig(text, {
      capabilitiesOf: keptCapabilities,
      version: VERSION,
      ...options,
      env: besideService(path, options.env),
      file: path,
    });
  } catch (error) {
    return refused(path, readError(error));
  }
}

/** Reads and checks the text of a config, within the time limit of all foreign content. */
export function readConfig(text: string, options: ParseOptions): ParsedConfig {
  const ms = limitFor(text.length);
  try {
    return within(ms, () => parseConfig(text, options));
  } catch (error) {
    if (!(error instanceof TookTooLong)) throw error;
    return refused(options.file, readError(tookTooLong(options.file, ms)));
  }
}

function refused(file: string, message: string): ParsedConfig {
  const fault = { file, line: 1, column: 1, path: '', message };
  return { faults: [fault], state: join(dirname(file), '.dragoman') };
}

function readError(error: unknown): string {
  if (error instanceof TypeError) return 'is not UTF-8';
  const failure = failureOf(error);
  if (failure.kind === 'malformed') return failure.message;
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
