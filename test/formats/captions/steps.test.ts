/** Films of any length: the work on them is done in steps, with the outcome that earlier versions wrote into their states. */
import { expect, test } from 'vitest';
import { allSteps, type StepwiseWork } from '../../../src/clock.ts';
import { encodeSubtitles } from '../../../src/formats/captions/decode.ts';
import { filmSteps } from '../../../src/formats/captions/film.ts';
import { blocksOf, frameOf } from '../../../src/formats/captions/frame.ts';
import {
  packExpected,
  packSubtitles,
  unpackExpected,
  unpackSubtitles,
} from '../../../src/formats/captions/packed.ts';
import { readSubtitles } from '../../../src/formats/captions/read.ts';

const CUES = 2000;

const read = (text: string) =>
  readSubtitles(Buffer.from(text), { file: 'film.vtt', fallback: 'utf-8' });
const film = read(
  `WEBVTT\n\n${Array.from({ length: CUES }, (_, n) => `00:${String(n % 60).padStart(2, '0')}.000 --> 00:59.900\nLine ${n}.\n`).join('\n')}`,
);

function stepsOf(work: StepwiseWork<unknown>): number {
  let count = 0;
  while (!work.next().done) count += 1;
  return count;
}

test('the frame, the blocks and the cues of a film take a step for each cue', () => {
  expect(stepsOf(frameOf(film, 'vtt'))).toBeGreaterThanOrEqual(CUES);
  expect(stepsOf(blocksOf(film))).toBeGreaterThanOrEqual(CUES);
  expect(stepsOf(filmSteps(film, 'vtt', { sdh: 'translate' }))).toBe(2 * CUES);
  expect(stepsOf(unpackSubtitles(packSubtitles(film)))).toBe(CUES);
});

test('a target is encoded a piece in a step, and in UTF-8 when its own encoding lacks a character', () => {
  const pieces = ['Grün\n', 'мир\n'];
  const encode = (encoding: string) => encodeSubtitles(pieces, { mark: false, encoding });
  expect(stepsOf(encode('utf-8'))).toBe(pieces.length);
  expect(allSteps(encode('utf-8'))).toEqual(Buffer.from(pieces.join('')));
  expect(allSteps(encode('windows-1252'))).toEqual(Buffer.from(pieces.join('')));
});

test('the hashes of frame and blocks are those in the states of earlier versions', () => {
  const { mark, ...file } = read(
    '\uFEFFWEBVTT\r\n\r\nNOTE one\r\n\r\n1\r\n00:01.000 --> 00:02.000 line:0\r\nGood morning.\r\n\r\nNOTE two\r\n\r\n00:03.000 --> 00:04.000\r\nGood night.\r\n\r\n',
  );
  const own = allSteps(frameOf({ ...file, mark }, 'vtt'));
  const other = allSteps(frameOf({ ...file, mark }, 'srt'));
  expect([own, other]).toEqual(['f8d2ed54de20 \\r\\n BOM', 'dfe63edbb6b1 \\r\\n BOM']);
  expect(allSteps(blocksOf(file))).toBe('fe2d4488a238');
});

test('the cues that a target must have are the same on the thread that checks it', () => {
  const expected = [
    { start: 1000, end: 2000.5, isEmpty: false },
    { start: 3000, end: 4000, isEmpty: true },
  ];
  expect(unpackExpected(packExpected(expected))).toEqual(expected);
});
