import { expect, test } from 'vitest';
import { ageOf, type TextAge, type Version } from '../../src/segments/text-age.ts';

type Line = readonly [commit: string, source: string, target: string, ...parents: string[]];

/** Source and target of a text at each commit; the first one is what is checked out. */
function ageIn(lines: readonly Line[], heads = lines.slice(0, 1).map(([commit]) => commit)) {
  const versions = new Map<string, Version>(
    lines.map(([commit, source, target, ...parents]) => [
      commit,
      {
        commit,
        parents,
        hasSource: (_, text) => text === source,
        hasTarget: (_, text) => text === target,
      },
    ]),
  );
  const version = (commit: string) => versions.get(commit) ?? 'unread';
  return ageOf({ id: 'a', source: 'S2', target: 'T2' }, { heads, version });
}

const older = (made: string, last: string): TextAge => ({ kind: 'older', made, last });

test('a translation that changed with its source, or later, belongs to it', () => {
  const first: Line = ['c', 'S1', 'T1'];
  expect(ageIn([['a', 'S2', 'T2', 'c'], first])).toEqual({ kind: 'current', commits: ['a'] });
  expect(ageIn([['a', 'S2', 'T2', 'b'], ['b', 'S2', 'T1', 'c'], first])).toMatchObject({
    kind: 'current',
  });
  expect(ageIn([['a', 'S2', 'T1', 'c'], first])).toEqual({ kind: 'current', commits: [] });
  expect(ageIn([first])).toEqual({ kind: 'current', commits: [] });
  expect(ageIn([['a', 'S2', 'T2']])).toEqual({ kind: 'current', commits: ['a'] });
});

test('one that was there before its source belongs to the source that it was made with', () => {
  const first: Line = ['c', 'S1', 'T1'];
  const between: Line = ['b', 'S1', 'T2', 'c'];
  expect(ageIn([['a', 'S2', 'T2', 'b'], between, first])).toEqual(older('b', 'b'));
  expect(ageIn([between, first])).toEqual(older('b', 'b'));
  expect(ageIn([['a', 'S1', 'T2']])).toEqual(older('a', 'a'));
  expect(ageIn([['z', 'S1.5', 'T2', 'b'], between, first])).toEqual(older('b', 'z'));
});

test('a merge makes no translation: what it took from two sides does not belong together, and what one side has does', () => {
  const base: Line = ['base', 'S1', 'T1'];
  const ours: Line = ['ours', 'S2', 'T1', 'base'];
  const theirs: Line = ['theirs', 'S1', 'T2', 'base'];
  const mixed: Line = ['merge', 'S2', 'T2', 'ours', 'theirs'];
  expect(ageIn([mixed, ours, theirs, base])).toEqual(older('theirs', 'theirs'));
  expect(ageIn([ours, theirs, base], ['ours', 'theirs'])).toEqual(older('theirs', 'theirs'));
  const whole: Line = ['theirs', 'S2', 'T2', 'base'];
  expect(ageIn([mixed, ours, whole, base])).toEqual({
    kind: 'current',
    commits: ['theirs', 'merge'],
  });
  expect(ageIn([ours, whole, base], ['ours', 'theirs'])).toEqual({
    kind: 'current',
    commits: ['theirs'],
  });
});

test('a text that was put back by hand belongs to the source that was there then', () => {
  const lines: Line[] = [
    ['back', 'S2', 'T2', 'new'],
    ['new', 'S2', 'T3', 'old'],
    ['old', 'S1', 'T2'],
  ];
  expect(ageIn(lines)).toEqual({ kind: 'current', commits: ['back'] });
  expect(ageIn(lines.slice(1))).toEqual({ kind: 'current', commits: [] });
});

test('older versions are read where the newest do not decide', () => {
  const merge: Line = ['a', 'S2', 'T2', 'b', 'c'];
  expect(ageIn([merge])).toBe('unread');
  expect(ageIn([['a', 'S1', 'T2', 'b']])).toBe('unread');
});

test('branches that part and meet again are followed once', () => {
  const lines: Line[] = [['0', 'S1', 'T2']];
  for (let nth = 0; nth < 60; nth++) {
    const [left, right, next] = [`l${nth}`, `r${nth}`, `${nth + 1}`];
    lines.unshift([left, 'S2', 'T2', `${nth}`], [right, 'S2', 'T2', `${nth}`]);
    lines.unshift([next, 'S2', 'T2', left, right]);
  }
  expect(ageIn(lines)).toEqual(older('0', '0'));
});
