/** The decision table of the lock, cell by cell. */
import { expect, test } from 'vitest';
import { lockVerdict } from '../../src/segments/lock-decision.ts';
import {
  type Assertion,
  type Mark,
  NO_TARGET,
  type SourceHash,
  sourceHash,
  type TargetHash,
  targetHash,
} from '../../src/segments/statements.ts';

const [S, OLD] = [sourceHash('S'), sourceHash('older S')];
const [T, OTHER] = [targetHash('T'), targetHash('other T')];

function said(
  source: SourceHash,
  target: TargetHash,
  mark: Mark,
  review?: Assertion['review'],
): Assertion {
  return { source, target, mark, ...(review === undefined ? {} : { review }) };
}

const of = (statements: readonly Assertion[] | undefined, target: TargetHash | undefined = T) =>
  lockVerdict({ statements, source: S, target });
const without = (...statements: Assertion[]) =>
  lockVerdict({ statements, source: S, target: undefined });

test.each([
  [
    '1: the pair is stated by the machine',
    [said(S, T, 'machine')],
    { kind: 'up-to-date', origin: 'machine' },
  ],
  ['1: it was found there', [said(S, T, 'adopted')], { kind: 'up-to-date', origin: 'adopted' }],
  ['1: a person wrote it', [said(S, T, 'human')], { kind: 'up-to-date', origin: 'human' }],
  [
    '1: the strongest mark counts',
    [said(S, T, 'machine'), said(S, T, 'human')],
    { kind: 'up-to-date', origin: 'human' },
  ],
  ['1: it is held', [said(S, T, 'held')], { kind: 'held' }],
  [
    '1: also beside older statements',
    [said(OLD, T, 'human'), said(S, T, 'machine')],
    { kind: 'up-to-date', origin: 'machine' },
  ],
  ['4: a person edited it', [said(S, OTHER, 'machine')], { kind: 'edited' }],
  ['5: stale, of the machine', [said(OLD, T, 'machine')], { kind: 'stale', origin: 'machine' }],
  ['5: stale, found there', [said(OLD, T, 'adopted')], { kind: 'stale', origin: 'adopted' }],
  [
    '5: a merge took the text from one side and its source from the other',
    [said(OLD, T, 'machine'), said(S, OTHER, 'machine')],
    { kind: 'stale', origin: 'machine' },
  ],
  [
    '5: a wish for a review is no review',
    [said(OLD, T, 'machine', 'wanted')],
    { kind: 'stale', origin: 'machine' },
  ],
  ['6: of an older source, by a person', [said(OLD, T, 'human')], { kind: 'outdated' }],
  ['6: of an older source, reviewed', [said(OLD, T, 'machine', 'reviewed')], { kind: 'outdated' }],
  [
    '6: a person of several',
    [said(OLD, T, 'machine'), said(OLD, T, 'human')],
    { kind: 'outdated' },
  ],
  ['7: neither is known, the place is', [said(OLD, OTHER, 'machine')], { kind: 'unknown' }],
  ['8: the place is unknown', [], { kind: 'unstated' }],
  ['9: there is no lock', undefined, { kind: 'no-lock' }],
] as const)('row %s', (_, statements, verdict) => {
  expect(of(statements)).toEqual(verdict);
});

test.each([
  ['2: nothing stands there, and that is held', [said(S, NO_TARGET, 'held')], 'held'],
  ['2: a person took it out', [said(S, NO_TARGET, 'human')], 'taken-out'],
  ['3: nothing stands there', [said(S, T, 'machine')], 'missing'],
  ['3: taken out of an older source', [said(OLD, NO_TARGET, 'human')], 'missing'],
  ['3: nor is the place known', [], 'missing'],
] as const)('row %s', (_, statements, kind) => {
  expect(without(...statements)).toEqual({ kind });
});

test('the order of statements means nothing', () => {
  const statements = [said(OLD, T, 'human'), said(OLD, T, 'machine'), said(S, OTHER, 'machine')];
  expect(of(statements.toReversed())).toEqual(of(statements));
});
