/** Files that are their own target: which of their contents is new work for the jobs. */
import { expect, test } from 'vitest';
import type { Fingerprint, Hash, Stat } from '../../src/job.ts';
import type { LanguageTag } from '../../src/language.ts';
import type { JobRecord } from '../../src/ledger.ts';
import { editionNow } from '../../src/plan/edition.ts';
import { jobRecord, sourceRecord } from '../contracts/ledger.ts';

const PATH = 'app/a.xcstrings';

interface Delivery {
  /** The edition that the job was planned for. */
  readonly of: string;
  /** The content that it replaced; absent: an earlier version recorded none. */
  readonly from?: string;
  readonly to: string;
  /** Of the file; absent: 1. */
  readonly mtime?: number;
}

function delivered(language: string, { of, from, to, mtime = 1 }: Delivery): JobRecord {
  const print = `${of}.recipe` as Fingerprint;
  const written = { path: PATH, hash: to as Hash, stat: `9:${mtime}:1:1` as Stat };
  return jobRecord(language, {
    source: PATH,
    language: language as LanguageTag,
    targets: { file: PATH },
    fingerprint: print,
    delivered: print,
    wrote: [from === undefined ? written : { ...written, from: from as Hash }],
    state: { kind: 'done', at: '2026-11-01T00:00:00.000Z' },
  });
}

/** @param at the hash of the last look */
function seen(at: string, found: string, jobs: readonly JobRecord[], edition?: string) {
  const before = { ...sourceRecord(PATH, at), ...(edition && { edition: edition as Hash }) };
  const stat = '9:9:9:9' as Stat;
  return editionNow(before, { hash: found as Hash, stat }, jobs);
}

const DE = delivered('de', { of: 'a0', from: 'a0', to: 'a1' });
const FR = delivered('fr', { of: 'a0', from: 'a1', to: 'a2' });
const NOTHING = delivered('it', { of: 'a0', from: 'a2', to: 'a2' });

test('deliveries since the last look are no news, seen together or one by one', () => {
  expect(seen('a0', 'a2', [FR, DE, NOTHING])).toBe('a0');
  expect(seen('a0', 'a1', [DE])).toBe('a0');
  expect(seen('a1', 'a2', [DE, FR], 'a0')).toBe('a0');
  expect(seen('a2', 'a2', [DE, FR], 'a0')).toBe('a0');
});

test('a delivery is known before the ledger has it', () => {
  const step = { path: PATH, hash: 'a2' as Hash, expectedOld: 'a1' as Hash };
  const fr: JobRecord = {
    ...FR,
    wrote: [],
    delivered: null,
    state: { kind: 'running', attempt: 1, step: { kind: 'publishing', ...step } },
  };
  expect(seen('a0', 'a2', [DE, fr])).toBe('a0');
});

test('what others wrote is named by its hash, also when a delivery followed before anybody looked', () => {
  expect(seen('a0', 'b0', [DE, FR])).toBeUndefined();
  const onto = delivered('fr', { of: 'a0', from: 'b0', to: 'b1' });
  expect(seen('a1', 'b1', [DE, onto], 'a0')).toBeUndefined();
});

test('a file that is back at an earlier content is news each time, also if nobody looked in between', () => {
  const back = seen('a2', 'a0', [DE, FR], 'a0');
  expect(back).toMatch(/^[0-9a-f]{64}$/);
  expect(seen('a0', 'a0', [DE, FR])).toBe(back);
  expect(seen('a2', 'a1', [DE, FR], 'a0')).toBeUndefined();
  expect(seen('a0', 'a1', [DE, FR])).toBeUndefined();
});

test('after that, deliveries of the time before do not count', () => {
  const again = delivered('de', { of: 'S', from: 'a0', to: 'a1' });
  expect(seen('a0', 'a1', [again, FR], 'S')).toBe('S');
});

test('of two deliveries into the same content, one is lost', () => {
  const beside = delivered('fr', { of: 'a0', from: 'a0', to: 'a9' });
  expect(seen('a0', 'a9', [DE, beside])).toBeUndefined();
});

test('where an earlier version delivered, the youngest file counts', () => {
  const de = delivered('de', { of: 'a0', to: 'a1', mtime: 1 });
  const fr = delivered('fr', { of: 'a0', to: 'a2', mtime: 2 });
  expect(seen('a0', 'a2', [fr, de])).toBe('a0');
  expect(seen('a0', 'a1', [fr, de])).toBeUndefined();
});

test('a file that is not its own target has no edition', () => {
  const job: JobRecord = { ...DE, targets: { file: 'de/a' }, wrote: [] };
  expect(seen('a1', 'a0', [job])).toBeUndefined();
});
