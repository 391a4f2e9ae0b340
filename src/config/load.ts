/** Finds and reads `dragoman.yaml`. */
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { failureOf } from '../failure.ts';
import { readBytes } from '../files/disk.ts';
import { isReadHere, parse } from '../parsing/parse.ts';
import { limitFor, tookTooLong } from '../parsing/thread-call.ts';
import { TookTooLong, within } from '../parsing/within.ts';
import { VERSION } from '../service/version.ts';
import { besideService } from './instance.ts';
import { keptCapabilities } from './load-languages.ts';
import { withOwnFolder } from './load-own-folder.ts';
import { type ParsedConfig, type ParseOptions, parseConfig } from './parse.ts';
import { TRY_CONFIG } from './thread-calls.ts';

export const CONFIG_NAME = 'dragoman.yaml';
/** Bytes. A config with a thousand routes has about a hundredth of it. */
const MAX_BYTES = 16 * 1024 * 1024;
const MAX_TRIES = 10;

/** @returns the absolute path of the config in the folder or the nearest one above it */
export function findConfig(folder: string): string | undefined {
  const file = join(resolve(folder), CONFIG_NAME);
  if (existsSync(file)) return file;
  const above = dirname(resolve(folder));
  return above === resolve(folder) ? undefined : findConfig(above);
}

/** Reads and checks a config file. A file that cannot be read is returned as a fault, too. */
export async function loadConfig(
  file: string,
  options: Omit<ParseOptions, 'file'>,
): Promise<ParsedConfig> {
  const path = resolve(file);
  try {
    const text = await readConfigText(path);
    // A large text is parsed on a thread first, so that a daemon answers meanwhile; here it is parsed again for the result.
    const subject = { file: path, bytes: text.length };
    if (!isReadHere(text.length)) await parse(TRY_CONFIG, { text, file: path }, subject);
    const parsed = readConfig(text, {
      capabilitiesOf: keptCapabilities,
      version: VERSION,
      ...options,
      env: besideService(path, options.env),
      file: path,
    });
    return await withOwnFolder(parsed);
  } catch (error) {
    return refused(path, readError(error));
  }
}

/** @throws JobFailure, and TypeError for what is not UTF-8 */
export async function readConfigText(path: string): Promise<string> {
  return new TextDecoder('utf-8', { fatal: true }).decode(await bytesOf(path));
}

/** Reads the file again when it is saved meanwhile, up to 10 times. @throws JobFailure also for a folder, or a file over the limit */
async function bytesOf(path: string): Promise<Uint8Array> {
  for (let tries = 1; ; tries++) {
    try {
      return (await readBytes(path, MAX_BYTES)).bytes;
    } catch (error) {
      if (failureOf(error).kind !== 'changed-meanwhile' || tries === MAX_TRIES) throw error;
    }
  }
}

/** Parses the text of a config within the time limit for foreign content. Too slow is a fault, too. */
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
  if (failure.kind === 'unsupported') return `is larger than ${MAX_BYTES} bytes, and no config`;
  if (failure.kind !== 'unreadable') throw error;
  const { code = 'unknown' } = failure;
  return UNREAD.get(code) ?? `cannot be read (${code})`;
}

const UNREAD: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ENOENT: 'does not exist; dragoman init writes one',
    EISDIR: 'is a folder',
    EACCES: 'may not be read by this user',
  }),
);
