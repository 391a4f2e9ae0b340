/** Reads the certificate authorities of `service.ca_file`. */
import { describeFailure, failureOf } from '../failure.ts';
import { readBytes } from '../files/disk.ts';
import type { ParsedConfig } from './parse.ts';

/** Bytes; the certificates of all public authorities have 0.2 MB. */
const LARGEST_CA_FILE = 4 * 1024 * 1024;

/** @throws JobFailure `unreadable`, `unsupported` (over the limit) */
export async function readAuthorities(file: string): Promise<string> {
  const { bytes } = await readBytes(file, LARGEST_CA_FILE);
  return bytes.toString('utf8');
}

/** Adds a fault when the file cannot be used: every command would open the service with it. */
export async function withAuthorities(parsed: ParsedConfig): Promise<ParsedConfig> {
  if (parsed.faults !== undefined) return parsed;
  const { config, faultAt } = parsed;
  const { caFile } = config.service;
  const problem = caFile === undefined ? undefined : await problemOf(caFile);
  if (problem === undefined) return parsed;
  return { faults: [faultAt(['service', 'ca_file'], problem)], state: config.state };
}

async function problemOf(file: string): Promise<string | undefined> {
  try {
    const text = await readAuthorities(file);
    // TLS takes any text, and refuses the service later: its certificate would be at fault.
    return /-----BEGIN [A-Z ]*CERTIFICATE-----/.test(text)
      ? undefined
      : `${file} has no certificate in the form of PEM`;
  } catch (error) {
    const failure = failureOf(error);
    const isMissing = failure.kind === 'unreadable' && failure.code === 'ENOENT';
    return isMissing ? `${file} does not exist` : describeFailure(failure);
  }
}
