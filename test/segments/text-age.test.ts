import { expect, test } from 'vitest';
import { ageOf, type Version } from '../../src/segments/text-age.ts';

/** Source and target of a text at each commit, the newest first. */
function versions(...texts: readonly (readonly [source: string, target: string])[]): Version[] {
  return texts.map(([source, target], nth) => ({
    commit: `c${nth}`,
    source: () => source,
    hasSource: (_, text) => text === source,
    hasTarget: (_, text) => text === target,
  }));
}

const now = { id: 'a', source: 'S2', target: 'T2' };
const CURRENT = { kind: 'current' };

test('a translation that changed with its source, or later, belongs to it', () => {
  expect(ageOf(now, versions(['S2', 'T2'], ['S1', 'T1']))).toEqual(CURRENT);
  expect(ageOf(now, versions(['S2', 'T2'], ['S2', 'T1'], ['S1', 'T1']))).toEqual(CURRENT);
  expect(ageOf(now, versions(['S2', 'T1'], ['S1', 'T1']))).toEqual(CURRENT);
  expect(ageOf(now, versions(['S1', 'T1']))).toEqual(CURRENT);
  expect(ageOf(now, versions(['S2', 'T2']))).toEqual(CURRENT);
});

test('one that was there before its source is of the source that was there with it', () => {
  const older = (commit: string) => ({ kind: 'older', source: 'S1', commit });
  expect(ageOf(now, versions(['S2', 'T2'], ['S1', 'T2'], ['S1', 'T1']))).toEqual(older('c1'));
  expect(ageOf(now, versions(['S1', 'T2'], ['S1', 'T1']))).toEqual(older('c0'));
  expect(ageOf(now, versions(['S1', 'T2']))).toEqual(older('c0'));
});
