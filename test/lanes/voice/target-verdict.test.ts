/** The author of a target decides its treatment. */
import { expect, test } from 'vitest';
import { type Hash, NO_CONTENT, type Stat } from '../../../src/job.ts';
import {
  type CurrentOutput,
  verdictOn,
} from '../../../src/lanes/voice/decisions/target-verdict.ts';
import type { Written } from '../../../src/ledger.ts';

const NEW = 'new' as Hash;
const left = (changes: Partial<Written> = {}): Written => ({
  path: 'a.srt',
  hash: 'ours' as Hash,
  stat: '' as Stat,
  from: NEW,
  ...changes,
});
const on = (changes: Partial<CurrentOutput>) =>
  verdictOn({
    sourceHash: NEW,
    left: left(),
    release: undefined,
    found: 'ours' as Hash,
    policies: { existing: 'adopt', humanEdits: 'conflict' },
    factsLost: false,
    ...changes,
  });
const OLD = left({ from: 'old' as Hash });
const EDITED = { found: 'theirs' as Hash };

test('a result of this recording stays, also where a person corrected it', () => {
  expect(on({})).toEqual({ kind: 'leave', by: undefined });
  expect(on(EDITED)).toEqual({ kind: 'leave', by: 'person' });
});

test('a missing result, or a machine result of an older recording, is made', () => {
  // Somebody emptied it, or an empty file was there first.
  expect(on({ found: NO_CONTENT })).toEqual({ kind: 'obtain', old: 'replace' });
  expect(on({ found: NO_CONTENT, left: undefined })).toEqual({ kind: 'obtain', old: 'replace' });
  // The recording has no words.
  const silent = left({ hash: NO_CONTENT });
  expect(on({ found: NO_CONTENT, left: silent })).toEqual({ kind: 'leave', by: undefined });
  expect(on({ found: undefined })).toEqual({ kind: 'obtain', old: 'replace' });
  expect(on({ left: OLD })).toEqual({ kind: 'obtain', old: 'replace' });
});

test('a corrected file of an older recording waits for a person, unless config decides', () => {
  expect(on({ left: OLD, ...EDITED })).toEqual({ kind: 'hold', why: 'edited-target' });
  const policy = (humanEdits: 'keep' | 'overwrite') => ({ existing: 'adopt' as const, humanEdits });
  expect(on({ left: OLD, ...EDITED, policies: policy('keep') })).toMatchObject({ kind: 'leave' });
  expect(on({ left: OLD, ...EDITED, policies: policy('overwrite') })).toEqual({
    kind: 'obtain',
    old: 'keep-in-trash',
  });
});

test('a person decides for their text or for the machine', () => {
  expect(on({ left: OLD, ...EDITED, release: 'human' })).toEqual({ kind: 'leave', by: 'person' });
  expect(on({ left: OLD, ...EDITED, release: 'machine' })).toMatchObject({ kind: 'obtain' });
  expect(on({ release: 'machine' })).toEqual({ kind: 'leave', by: undefined });
});

test('a file that existed before dragoman is adopted, and waits for a person when the recording changes', () => {
  expect(on({ left: undefined })).toEqual({ kind: 'leave', by: 'adopted' });
  const adopted = left({ by: 'adopted', from: 'old' as Hash });
  expect(on({ left: adopted })).toEqual({ kind: 'hold', why: 'edited-target' });
  const policies = { existing: 'overwrite', humanEdits: 'conflict' } as const;
  expect(on({ left: adopted, policies })).toEqual({ kind: 'obtain', old: 'keep-in-trash' });
});

test('a target that is missing after facts were lost may have been paid: a person says retry', () => {
  const lost = { factsLost: true, left: undefined, found: undefined };
  expect(on(lost)).toEqual({ kind: 'hold', why: 'state-lost' });
  expect(on({ ...lost, release: 'retry' })).toMatchObject({ kind: 'obtain' });
});
