import { expect, it } from 'vitest';
import { splice, trackedSplice } from '../../../src/formats/text/splice.ts';

it('edits apply in the order of their places, at one place in the order given', () => {
  const edits = [
    { start: 4, end: 5, text: 'E' },
    { start: 1, end: 1, text: '1' },
    { start: 1, end: 1, text: '2' },
    { start: 1, end: 2, text: 'B' },
  ];
  expect(trackedSplice('abcde', edits)).toEqual({ text: 'a12BcdE', starts: [6, 1, 2, 3] });
});

it('overlapping edits are refused', () => {
  const edits = [
    { start: 0, end: 2, text: '' },
    { start: 1, end: 3, text: '' },
  ];
  expect(() => splice('abc', edits)).toThrow(/overlap at offset 1/);
});
