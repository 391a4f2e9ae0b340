import { describe, expect, test } from 'vitest';
import { splitCue } from '../../../src/formats/captions/cue-text.ts';
import type { SubtitleFormat } from '../../../src/formats/captions/timing.ts';

/** The text that is sent, and the marks around it. */
function sent(text: string, format: SubtitleFormat = 'srt') {
  const { before, after, turns } = splitCue(text, format);
  return turns.map((turn) => [before + turn.before, turn.speech.text, turn.after + after]);
}

const kind = (text: string) => splitCue(text, 'srt').kind;

describe('around a text', () => {
  test.each([
    ['<i>Hello\nthere</i>', '<i>', 'Hello there', '</i>'],
    ['{\\an8}<i>Hi</i>', '{\\an8}<i>', 'Hi', '</i>'],
    ['♪ La la la ♪', '♪ ', 'La la la', ' ♪'],
    ['La la la ♪', '', 'La la la', ' ♪'],
    ['# La la la #', '# ', 'La la la', ' #'],
    ['[door slams]', '[', 'door slams', ']'],
    ['(sighs)', '(', 'sighs', ')'],
    ['JOHN: Come in!', 'JOHN: ', 'Come in!', ''],
    ['- Who is it?', '- ', 'Who is it?', ''],
    ['<i>one</i>\n<i>two</i>', '<i>', 'one two', '</i>'],
    ['<i>never closed', '<i>', 'never closed', ''],
    ['<i>{\\an8}Hi</i>', '<i>{\\an8}', 'Hi', '</i>'],
    ['Up\n{\\an8}there', '{\\an8}', 'Up there', ''],
  ])('%j is remembered', (text, before, speech, after) => {
    expect(sent(text)).toEqual([[before, speech, after]]);
  });

  test('many tags, closed or not, are all remembered', () => {
    const [open, closed] = ['<i>'.repeat(500), '</i>'.repeat(300)];
    expect(sent(`${open}Hi${closed}`)).toEqual([[open, 'Hi', closed]]);
    expect(sent(`${open}Hi`)).toEqual([[open, 'Hi', '']]);
    expect(sent('<b><i>x</b></i>')).toEqual([['', 'x', '']]);
  });

  test('a voice of WebVTT is remembered, and its entities are read', () => {
    expect(sent('<v Bob>Tom &amp; Jerry', 'vtt')).toEqual([['<v Bob>', 'Tom & Jerry', '']]);
  });

  test('characters that WebVTT writes by number or name are read, and unknown names left alone', () => {
    const [[, text] = []] = sent('Who&#39;s caf&eacute;&#x2026;&nbsp;&foo; &lt;3 &#0;', 'vtt');
    expect(text).toBe("Who's café…\u00a0&foo; <3 &#0;");
  });

  test('brackets inside a sentence are part of it', () => {
    expect(sent('(SIGHS) Hello (again)')).toEqual([['', '(SIGHS) Hello (again)', '']]);
  });
});

describe('speakers', () => {
  test('each dash is a text of its own', () => {
    expect(sent('- Hi there.\n- Bye\nnow.')).toEqual([
      ['- ', 'Hi there.', ''],
      ['- ', 'Bye now.', ''],
    ]);
    expect(sent('<i>–One.\n–Two.</i>').map(([, text]) => text)).toEqual(['One.', 'Two.']);
  });

  test('a dash that only the second speaker has is enough after a sentence', () => {
    expect(sent('Are you there?\n- Yes.').map(([, text]) => text)).toEqual([
      'Are you there?',
      'Yes.',
    ]);
  });

  test('a dash inside a sentence is none', () => {
    expect(sent('He said\n-- and meant it')).toHaveLength(1);
    expect(sent('It was late\n– too late')).toHaveLength(1);
  });
});

test.each(['', '1984', '...', '♪', '♪♪', '-', '<i></i>'])('%j is nothing to translate', (text) => {
  expect(kind(text)).toBe('nothing');
});

test('markup around some words is kept with its place', () => {
  const [turn] = splitCue('This is <i>very <b>very</b></i> good', 'srt').turns;
  expect(turn?.speech).toEqual({
    text: 'This is very very good',
    spans: [
      { open: '<i>', close: '</i>', start: 8, end: 17 },
      { open: '<b>', close: '</b>', start: 13, end: 17 },
    ],
  });
});

test('karaoke times and crossed tags are dropped and reported', () => {
  expect(splitCue('one <00:00:01.000>two', 'vtt')).toMatchObject({
    dropped: true,
    turns: [{ speech: { text: 'one two' } }],
  });
  expect(splitCue('a <i>b <b>c</i> d</b> e', 'srt').dropped).toBe(true);
});

test('lines of ideographs are joined without a blank', () => {
  expect(sent('私たちは\n日本へ行く')).toEqual([['', '私たちは日本へ行く', '']]);
});
