/** Escape memory: characters that a file writes plainly stay plain, in short and in long files. */
import { expect, test } from 'vitest';
import { EscapeMemory } from '../../../src/formats/text/escapes.ts';

test.each([
  ['a short file', 10],
  ['a file that grows long', 5000],
])('a character is escaped by habit until it was seen plain, in %s', (_, length) => {
  const memory = new EscapeMemory();
  memory.learnPlain('ü');
  memory.learnEscape('é', '\\u00e9');
  memory.learnEscape('ü', '\\u00fc');
  for (let noted = 0; noted < length; noted += 10) memory.learnPlain('abcdefghij');
  expect(memory.habit('é')).toBe('\\u00e9');
  expect(memory.habit('ü')).toBeUndefined();
  expect(memory.habit('z')).toBeUndefined();
  memory.learnPlain('é');
  expect(memory.habit('é')).toBeUndefined();
  expect(memory.escapeOf('é')).toBe('\\u00e9');
});
