import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { keyName } from '../../../src/format.ts';
import { joinKey, splitKey } from '../../../src/formats/text/key-path.ts';

it('every path has one id and every id one path', () => {
  expect.hasAssertions();
  const key = fc.oneof(
    fc.string({ maxLength: 6 }),
    fc.constantFrom('', '.', '[0]', '#1', '"', '""', '\\', 'a.b', '__proto__', '\n'),
  );
  // A list at the root is never mixed with keys, so a path begins with a key.
  const path = fc
    .tuple(key, fc.array(fc.oneof(key, fc.nat({ max: 20 })), { maxLength: 4 }))
    .map(([first, rest]) => [first, ...rest]);
  fc.assert(
    fc.property(path, (steps) => {
      expect(splitKey(joinKey(steps))).toEqual(steps);
    }),
  );
});

it('ids read as people write keys', () => {
  expect(joinKey(['nav', 'items', 0, 'title'])).toBe('nav.items[0].title');
  expect(keyName(joinKey(['nav.title']))).toBe('nav.title');
  expect(splitKey('a#2')).toEqual(['a']);
});
