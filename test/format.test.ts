import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerptOf } from '../src/format.ts';

describe('an excerpt of a text', () => {
  test('is the whole text on one line where it is short', () => {
    expect(excerptOf(' One\n  two ', 40)).toBe('One two');
  });

  test('ends with an ellipsis where it is cut', () => {
    expect(excerptOf('abcdef', 3)).toBe('abc…');
  });

  test('never ends with half of a character', () => {
    expect(excerptOf('ab\u{1f600}cd', 3)).toBe('ab…');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 60 }), (text, most) =>
        excerptOf(text, most).isWellFormed(),
      ),
    );
  });
});
