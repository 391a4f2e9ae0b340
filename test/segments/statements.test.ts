import { expect, test } from 'vitest';
import { lockVerdict } from '../../src/segments/lock-decision.ts';
import {
  hashesOfBytes,
  type Mark,
  NO_TARGET,
  type Statement,
  sourceHash,
  targetHash,
  union,
  unitId,
} from '../../src/segments/statements.ts';

test('hashes never change: a lock of today is read by the next version', () => {
  expect(unitId('locales/en/common.json', 'nav.title')).toBe('Qtw1Nd');
  expect(unitId('docs/guide.md')).toBe('B_3QJr');
  expect(sourceHash('Save your changes')).toBe('mP_BxL4G');
  expect(targetHash('Änderungen speichern')).toBe('bIa5kI');
  expect(hashesOfBytes('00ff'.repeat(16))).toEqual({ source: 'AP8A_wD_', target: 'AP8A_w' });
});

test('texts that differ only in line ends or in the form of accents are equal', () => {
  expect(sourceHash('one\r\ntwo')).toBe(sourceHash('one\ntwo'));
  expect(targetHash('A\u0308nderung')).toBe(targetHash('\u00c4nderung'));
  expect(unitId('docs/u\u0308ber.md')).toBe(unitId('docs/\u00fcber.md'));
});

const unit = unitId('a.json', 'key');

function statement(source: string, target: string | null, mark: Mark): Statement {
  const hash = target === null ? NO_TARGET : targetHash(target);
  return { unit, source: sourceHash(source), target: hash, mark };
}

test('the strongest of equal statements is kept', () => {
  const [machine, human] = [statement('S', 'T', 'machine'), statement('S', 'T', 'human')];
  const reviewed = { ...machine, review: 'reviewed' } as const;
  expect(union([machine], [human])).toEqual([human]);
  expect(union([reviewed, { ...machine, review: 'wanted' }, machine])).toEqual([reviewed]);
});

const verdict = (source: string, target: string | undefined, ...statements: Statement[]) =>
  lockVerdict({
    statements,
    source: sourceHash(source),
    target: target === undefined ? undefined : targetHash(target),
  });

test('a stated pair is up to date, and the statement says who made it', () => {
  for (const origin of ['machine', 'adopted', 'human'] as const) {
    expect(verdict('S', 'T', statement('S', 'T', origin))).toEqual({ kind: 'up-to-date', origin });
  }
  expect(verdict('S', 'T', statement('S', 'T', 'held'))).toEqual({ kind: 'held' });
});

test('a missing text waits if it is held, stays absent if a person removed it, and is bought otherwise', () => {
  expect(verdict('S', undefined, statement('S', null, 'held'))).toEqual({ kind: 'held' });
  expect(verdict('S', undefined, statement('S', null, 'human'))).toEqual({ kind: 'taken-out' });
  expect(verdict('S2', undefined, statement('S', null, 'held'))).toEqual({ kind: 'missing' });
  expect(verdict('S', undefined, statement('S', 'T', 'machine'))).toEqual({ kind: 'missing' });
});

test('an unknown text of a known source is an edit of a person', () => {
  expect(verdict('S', 'T2', statement('S', 'T', 'machine'))).toEqual({ kind: 'edited' });
});

test('a known translation of another source is stale, or a conflict if a person wrote or reviewed it', () => {
  expect(verdict('S2', 'T', statement('S', 'T', 'machine'))).toEqual({
    kind: 'stale',
    origin: 'machine',
  });
  expect(verdict('S2', 'T', statement('S', 'T', 'adopted'))).toEqual({
    kind: 'stale',
    origin: 'adopted',
  });
  expect(verdict('S2', 'T', statement('S', 'T', 'human'))).toEqual({ kind: 'outdated' });
  const reviewed = { ...statement('S', 'T', 'machine'), review: 'reviewed' } as const;
  expect(verdict('S2', 'T', reviewed)).toEqual({ kind: 'outdated' });
});

test('a text that the lock does not know has no known author', () => {
  expect(verdict('S2', 'T2', statement('S', 'T', 'machine'))).toEqual({ kind: 'unknown' });
  expect(verdict('S', 'T')).toEqual({ kind: 'unstated' });
  const without = { statements: undefined, source: sourceHash('S'), target: targetHash('T') };
  expect(lockVerdict(without)).toEqual({ kind: 'no-lock' });
});
