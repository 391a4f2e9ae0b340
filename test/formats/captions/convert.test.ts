import { describe, expect, test } from 'vitest';
import { convertCue } from '../../../src/formats/captions/convert.ts';
import { splitCue } from '../../../src/formats/captions/cue-text.ts';
import { deliveryProblem } from '../../../src/formats/captions/delivery-check.ts';
import { filmOf } from '../../../src/formats/captions/film.ts';
import { readSubtitles } from '../../../src/formats/captions/read.ts';
import { render } from '../../../src/formats/captions/render.ts';
import type { SubtitleFormat } from '../../../src/formats/captions/timing.ts';

const read = (text: string) =>
  readSubtitles(Buffer.from(text), { file: 'film', fallback: 'utf-8' });

function converted(text: string, to: SubtitleFormat): string {
  const source = read(text);
  return Buffer.from(render(source, filmOf(source, to, { sdh: 'keep' }).cues, to)).toString();
}

describe('SRT to WebVTT', () => {
  test('keeps numbers, times to the millisecond, simple tags and the top of the picture', () => {
    const srt =
      '1\n00:00:01,5 --> 00:00:02,000 X1:1\n{\\an8}<font color="red">Tom</font> & <i>Jerry</i>\n1 < 2\n\n2\n-00:00:01,000 --> 00:00:03,000\n\n';
    expect(converted(srt, 'vtt')).toBe(
      'WEBVTT\n\n1\n00:00:01.500 --> 00:00:02.000 line:0\nTom &amp; <i>Jerry</i>\n1 &lt; 2\n\n2\n00:00:00.000 --> 00:00:03.000\n',
    );
  });
});

test('a position inside a text is one of the whole cue', () => {
  const at = (text: string) => converted(`1\n00:00:01,000 --> 00:00:02,000\n${text}\n`, 'vtt');
  expect(at('Up\n{\\an8}there')).toContain(' line:0\nUp\nthere\n');
  expect(at('Down {\\an2}there{\\an8}')).not.toContain('line:');
});

describe('WebVTT to SRT', () => {
  test('numbers the cues, drops notes, styles, voices and settings, and reads entities', () => {
    const vtt =
      'WEBVTT\n\nSTYLE\n::cue {}\n\nintro\n00:01.000 --> 00:02.000 line:0 align:start\n<v Bob>Tom &amp; <c.red>Jerry</c> <i.loud>here</i>\n\nNOTE no\n\n00:03.000 --> 00:04.000 line:90%\nBye\n';
    expect(converted(vtt, 'srt')).toBe(
      '1\n00:00:01,000 --> 00:00:02,000\n{\\an8}Tom & Jerry <i>here</i>\n\n2\n00:00:03,000 --> 00:00:04,000\nBye\n',
    );
  });
});

test('a character that would look like a tag after decoding stays text', () => {
  const { text } = convertCue(
    { start: 0, end: 1, settings: '', text: 'Is it &lt;really&gt; 2 &lt; 3?' },
    'vtt',
    'srt',
  );
  expect(text).toBe('Is it <\u2060really> 2 < 3?');
  expect(splitCue(text, 'srt').turns[0]?.speech.spans).toEqual([]);
});

describe('the last check', () => {
  const target = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nHallo\n');
  const cue = { start: 1000, end: 2000, isEmpty: false };

  test('accepts cues that are shown at the same times', () => {
    expect(
      deliveryProblem(target, [cue], { file: 'film.de.srt', fallback: 'utf-8' }),
    ).toBeUndefined();
  });

  test('stops another number of cues, a moved cue and a cue without its text', () => {
    expect(deliveryProblem(target, [cue, cue], { file: 'f', fallback: 'utf-8' })).toBe(
      'there are 1 of 2 subtitles',
    );
    expect(deliveryProblem(target, [{ ...cue, end: 2001 }], { file: 'f', fallback: 'utf-8' })).toBe(
      'subtitle 1 changed its time',
    );
    const empty = Buffer.from('1\n00:00:01,000 --> 00:00:02,000\n\n');
    expect(deliveryProblem(empty, [cue], { file: 'f', fallback: 'utf-8' })).toBe(
      'subtitle 1 lost its text',
    );
  });

  test('stops a text that reads like structure', () => {
    const hidden = Buffer.from(`${target.toString()}see --> there\n`);
    expect(deliveryProblem(hidden, [cue], { file: 'f.srt', fallback: 'utf-8' })).toMatch(
      /^f\.srt:4: /,
    );
  });
});

test('cues that only the target has are written before and behind those of the source, in its line ends', () => {
  const source = read(
    '1\r\n00:00:01,000 --> 00:00:02,000\r\nHello\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nBye',
  );
  const [one, two] = filmOf(source, 'srt', { sdh: 'keep' }).cues;
  if (one === undefined || two === undefined) throw new Error('no cues');
  const credit = { id: '', timing: '00:00:00,000 --> 00:00:00,500', text: 'By\nAnna' };
  const end = { id: '9', timing: '00:00:05,000 --> 00:00:06,000', text: 'End' };
  const cues = [
    { ...one, before: [credit] },
    { ...two, after: [end] },
  ];
  expect(
    Buffer.from(render(source, cues, 'srt'))
      .toString()
      .split('\r\n'),
  ).toEqual([
    ...[credit.timing, 'By', 'Anna', ''],
    ...['1', one.timing, 'Hello', ''],
    ...['2', two.timing, 'Bye', ''],
    ...['9', end.timing, 'End'],
  ]);
});
