/** A changed setting of `service` releases what failed by it. */
import { expect, test } from 'vitest';
import type { ServiceConfig } from '../../src/config.ts';
import type { Failure } from '../../src/failure.ts';
import { isOtherService, serviceDigest } from '../../src/plan/service-digest.ts';

const SERVICE: ServiceConfig = {
  url: 'http://one.example',
  key: { env: 'KEY' },
  scheme: 'DeepL-Auth-Key',
  signatureScheme: 'Signature',
  headers: { 'x-tenant': 'a' },
  dialect: 'document',
  capabilities: [],
  concurrency: 8,
  limits: {},
  voice: { maxSize: 1, maxDuration: 1, jobs: 1 },
  lanes: {},
  verifyEvery: 1,
};
const operation = 'POST /v2/translate';
const REJECTED: Failure = { kind: 'rejected', status: 400, operation, message: 'no tenant' };
const UNANSWERED: Failure = { kind: 'unanswered', operation, message: 'silence' };
const MALFORMED: Failure = { kind: 'malformed', where: { file: 'a.json' }, message: 'bad' };

const before = serviceDigest(SERVICE, 'key');
const now = (change: Partial<ServiceConfig>, key: string | undefined = 'key') =>
  serviceDigest({ ...SERVICE, ...change }, key);

test.each([
  ['a header', now({ headers: { 'x-tenant': 'b' } })],
  ['a key', now({}, 'another')],
  ['an address', now({ url: 'http://two.example' })],
  ['a limit', now({ limits: { pdf: 1 } })],
])('%s that changed releases what the service refused', (_what, mark) => {
  expect(isOtherService(REJECTED, before, mark)).toBe(true);
  expect(isOtherService(MALFORMED, before, mark)).toBe(false);
});

test('only another address releases what may have been billed and was not answered', () => {
  expect(isOtherService(UNANSWERED, before, now({ headers: {} }))).toBe(false);
  expect(isOtherService(UNANSWERED, before, now({ url: 'http://two.example' }))).toBe(true);
});

test('the order of headers, the pace and a key that cannot be read now change nothing', () => {
  const two = now({ headers: { b: '2', a: '1' } });
  expect(isOtherService(REJECTED, two, now({ headers: { a: '1', b: '2' } }))).toBe(false);
  expect(isOtherService(REJECTED, before, now({ concurrency: 1 }))).toBe(false);
  expect(isOtherService(REJECTED, before, serviceDigest(SERVICE, undefined))).toBe(false);
});

test('a job that failed in an older version, with unknown settings, is not released', () => {
  expect(isOtherService(REJECTED, undefined, now({ url: 'http://two.example' }))).toBe(false);
});

test('the mark does not hold the key', () => {
  expect(serviceDigest(SERVICE, 'secret-key')).not.toContain('secret');
});
