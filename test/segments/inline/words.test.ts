/** The rule by which words and repetitions are counted, as docs/review.md has it. */
import { expect, test } from 'vitest';
import { countWords, messageWords } from '../../../src/segments/inline/words.ts';

test.each([
  ['en', "Don't save it!", 3],
  ['fr', 'l’école', 1],
  ['en', '3.5 GB, 1,000 files', 4],
  ['en', 'state-of-the-art', 4],
  ['en', 'key=value', 2],
  ['en', 'snake_case', 1],
  ['en', '😀 – … %', 0],
  ['ru', 'Привет, мир', 2],
  ['ko', '학교에 갔다', 2],
  ['zh', '你好世界', 2],
  ['auto', 'Two words', 2],
])('%s: %s has %i words', (language, text, words) => {
  expect(countWords([text], language).words).toBe(words);
});

test('characters are code points, with spaces', () => {
  expect(countWords(['a 😀'], 'en').characters).toBe(3);
});

test('a repetition equals an earlier text letter by letter, and the first one is none', () => {
  const texts = ['See you soon', 'see you soon', 'See you soon', 'See you soon ', 'See you soon'];
  expect(countWords(texts, 'en')).toMatchObject({
    ...{ texts: 5, words: 15 },
    repetitions: { texts: 2, words: 6 },
  });
});

test('the words of all branches of a message count, and its syntax does not', () => {
  const message = '{n, plural, one {One file} other {{n} more files}} left';
  expect(countWords([messageWords(message)], 'en').words).toBe(5);
});
