/** Figures and states as the page says them. */
import { expect, test } from 'vitest';
import {
  characters,
  date,
  languageBadge,
  nameOfTask,
  percent,
  priceWords,
} from '../../src/page/client/words.ts';

const line = (done: number, total: number, rest: { held?: number; failed?: number } = {}) =>
  languageBadge({ language: 'de', done, total, held: 0, failed: 0, ...rest });

test('one character is no characters', () => {
  expect([0, 1, 1234].map(characters)).toEqual(['0 characters', '1 character', '1,234 characters']);
});

test('shares are whole numbers, and a share of nothing is 0', () => {
  expect([percent(1, 3), percent(0, 0), percent(7, 5)]).toEqual(['33 %', '0 %', '140 %']);
});

test('a price names characters, seconds of audio, or both, of all that is released', () => {
  const free = { price_characters: null };
  const text = { price_characters: 60 };
  const audio = { price_characters: 0, price_seconds: 89.2 };
  expect([[free], [text, text], [audio]].map(priceWords)).toEqual([
    '',
    '120 characters',
    '90 seconds of audio',
  ]);
  expect(priceWords([text, audio])).toBe('60 characters and 90 seconds of audio');
});

test('a task is named by its files, or by its project or all of them when it has none', () => {
  const named = (project: string, lines: readonly string[], languages: readonly string[] = []) =>
    nameOfTask({ project, languages, sources: { lines, total: lines.length } });
  expect(named('web', ['en.json'], ['de', 'fr'])).toBe('en.json → de, fr');
  expect(named('web', ['a.json', 'b.json'])).toBe('2 files');
  expect(named('web', ['*'], ['de'])).toBe('web → de');
  expect(named('*', ['*'])).toBe('all projects');
});

test('dates are those of UTC, wherever the browser is', () => {
  expect(date('2026-11-30T23:59:59.999Z')).toBe('30 Nov');
});

test('failed jobs are shown before held ones, and both before open ones', () => {
  expect(line(1, 4, { held: 1, failed: 1 })).toMatchObject({
    symbol: '✕',
    words: '1 failed, 1 held',
  });
  expect(line(1, 4, { held: 2 })).toMatchObject({ symbol: '‖', tone: 'care', words: '2 held' });
  expect(line(1, 4)).toMatchObject({ symbol: '…', words: '3 to do' });
  expect(line(4, 4)).toMatchObject({ symbol: '✓', tone: 'good', words: 'complete' });
});
