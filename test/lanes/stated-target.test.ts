import { expect, test } from 'vitest';
import { hashBytes } from '../../src/files/disk.ts';
import { statedTarget } from '../../src/lanes/stated-target.ts';
import { hashesOfBytes, type Mark, unitId } from '../../src/segments/statements.ts';

const [OLD, NEW, MADE, OTHER] = ['old', 'new', 'made', 'other'].map(hashBytes) as [
  ReturnType<typeof hashBytes>,
  ReturnType<typeof hashBytes>,
  ReturnType<typeof hashBytes>,
  ReturnType<typeof hashBytes>,
];

const says = (mark: Mark) => [
  {
    unit: unitId('a.html'),
    source: hashesOfBytes(OLD).source,
    target: hashesOfBytes(MADE).target,
    mark,
  },
];
const told = (mark: Mark, source = OLD, found = MADE) =>
  statedTarget({ statements: says(mark), source, found, path: 'de/a.html', left: undefined });

test('a file that the lock states is as if this machine had left it', () => {
  expect(told('machine')).toMatchObject({ hash: MADE, from: OLD });
  expect(told('machine')).not.toHaveProperty('by');
  expect(told('adopted')).toMatchObject({ by: 'adopted', from: OLD });
  expect(told('human')).toMatchObject({ by: 'person', from: OLD });
});

test('a file of an older source is stale, and a file of a person stays theirs', () => {
  expect(told('machine', NEW)?.from).not.toBe(NEW);
  expect(told('human', NEW)).toMatchObject({ by: 'person' });
  expect(told('machine', OLD, OTHER)).toMatchObject({ by: 'person', from: OLD });
  expect(told('machine', NEW, OTHER)).toMatchObject({ by: 'person' });
});

test('without a lock, and where it says nothing, this machine decides', () => {
  const place = { source: OLD, found: MADE, path: 'de/a.html', left: undefined };
  expect(statedTarget({ ...place, statements: undefined })).toBeUndefined();
  expect(statedTarget({ ...place, statements: [] })).toBeUndefined();
});

test('a file that this machine wrote for another source counts for this one as soon as the lock says so', () => {
  const left = { path: 'de/a.html', hash: MADE, stat: '1:1:1:1' as never, from: OLD };
  const place = { source: NEW, found: MADE, path: left.path, left };
  const pair = { ...says('human')[0], ...hashesOfBytes(NEW), target: hashesOfBytes(MADE).target };
  expect(statedTarget({ ...place, statements: says('machine') })).toBeUndefined();
  expect(statedTarget({ ...place, statements: [pair as never] })).toMatchObject({ from: NEW });
});

test('the lock recognizes a file by its content in other checkouts', () => {
  const place = { found: OTHER, path: 'de/a.html', left: undefined, statements: says('machine') };
  const alike = { source: [NEW, OLD], found: [OTHER, MADE] };
  const told = statedTarget({ ...place, source: NEW, alike });
  expect(told).toMatchObject({ hash: OTHER, from: NEW });
  expect(told).not.toHaveProperty('by');
});
