/** Names the settings of `service`. A failed job keeps the digest: when it differs, what the service refused is tried again. Pure. */
import { hash } from 'node:crypto';
import type { ServiceConfig } from '../config.ts';
import type { Failure } from '../failure.ts';

/**
 * @param key undefined when it cannot be read: then it counts as unchanged
 * @returns three hashes: of the address, of the other settings of the connection, and of the key; so no secret is stored
 */
export function serviceDigest(service: ServiceConfig, key: string | undefined): string {
  const { url, scheme, signatureScheme, headers, dialect, capabilities, limits, caFile } = service;
  const sorted = (record: object) => Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1));
  const settings = [scheme, signatureScheme, dialect, capabilities, caFile ?? null];
  const maps = [sorted(headers), sorted(limits)];
  return [url, JSON.stringify([settings, maps]), key ?? '']
    .map((part) => (part === '' ? '' : hash('sha256', part).slice(0, 12)))
    .join('.');
}

/**
 * Whether a failed job may succeed with the present settings.
 * @param before undefined for a job that failed in an older version: its settings are unknown
 */
export function isOtherService(failure: Failure, before: string | undefined, now: string): boolean {
  switch (failure.kind) {
    case 'forbidden':
    case 'rejected':
    case 'not-found':
    case 'too-large':
    case 'bad-answer':
      return hasOtherSettings(before, now);
    // The old address may have billed it; another address has billed nothing yet.
    case 'unanswered':
      return before !== undefined && differences(before, now)[0] === true;
    default:
      return false;
  }
}

/** @param before undefined where an older version wrote it: its settings are unknown */
export function hasOtherSettings(before: string | undefined, now: string): boolean {
  return before !== undefined && differences(before, now).includes(true);
}

function differences(before: string, now: string): boolean[] {
  const parts = now.split('.');
  return before.split('.').map((part, index) => {
    const other = parts[index] ?? '';
    return part !== '' && other !== '' && part !== other;
  });
}
