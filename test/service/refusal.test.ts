import { expect, test } from 'vitest';
import { parseRetryAfter } from '../../src/service/refusal.ts';

const NOW = Date.UTC(2026, 0, 1, 12);

test.for([
  ['5', 5000],
  ['0', 0],
  ['1.5', 1500],
  [' 3 ', 3000],
  ['Thu, 01 Jan 2026 12:00:30 GMT', 30_000],
  ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
  ['', undefined],
  ['   ', undefined],
  ['soon', undefined],
  ['-5', undefined],
  [undefined, undefined],
] as const)('Retry-After %j is %j milliseconds', ([value, expected]) => {
  expect(parseRetryAfter(value, NOW)).toBe(expected);
});
