import { expect, test } from 'vitest';
import { progressLine, type RunProgress } from '../../src/cli/progress.ts';

const HALF: RunProgress = {
  files: { ended: 302, all: 604 },
  segments: 12_345,
  characters: 456_789,
  limit: undefined,
  elapsedMs: 60_000,
};

test('a run says how many files, segments and characters are done, and how long the rest takes', () => {
  expect(progressLine(HALF, 80)).toBe(
    '302 of 604 files, about 60 s left, 456,789 characters, 12,345 segments',
  );
  expect(progressLine({ ...HALF, limit: 500_000, elapsedMs: 600_000 }, 200)).toBe(
    '302 of 604 files, about 10 min left, 456,789 of 500,000 characters, 12,345 segments',
  );
  expect(progressLine({ ...HALF, files: { ended: 0, all: 9 }, segments: 0 }, 80)).toBe(
    '0 of 9 files, 60 s so far, 456,789 characters',
  );
});

test('the progress line never wraps', () => {
  for (let columns = 1; columns < 90; columns++) {
    expect(progressLine(HALF, columns).length).toBeLessThan(columns);
  }
  expect(progressLine(HALF, 40)).toBe('302 of 604 files, about 60 s left');
});
