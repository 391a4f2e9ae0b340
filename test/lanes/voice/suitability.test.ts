/** Content decides what a recording is: the files of the corpus, some broken on purpose. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type FoundRecording,
  suitabilityOf,
  whyTooLarge,
} from '../../../src/lanes/voice/decisions/suitability.ts';
import { inspectRecording } from '../../../src/lanes/voice/media/inspect.ts';
import { CORPUS } from '../../corpus.ts';

const AUDIO = join(CORPUS, 'audio');
const LIMITS = { bytes: 1_000_000_000, seconds: 10_800, uploadRate: undefined };

const FILES: readonly (readonly [file: string, verdict: string, seconds: number | undefined])[] = [
  ['fixture.wav', 'audio/wav', 1.23],
  ['sense_and_sensibility_01_austen_64kb-0870.wav', 'audio/wav', 7.1],
  ['fixture.mp3', 'audio/mpeg', 0.81],
  // Its tag claims a wrong length; the frames are there all the same.
  ['fixture-bad-offset.mp3', 'audio/mpeg', 0.52],
  ['fixture.flac', 'audio/flac', 1.23],
  ['fixture.ogg', 'audio/ogg', 0.77],
  ['fixture.opus', 'audio/ogg', 2.91],
  ['fixture.m4a', 'audio/mp4', 0.81],
  ['fixture.amr', 'the service does not take AMR', undefined],
  ['fixture.wma.asf', 'the service does not take ASF', 2.61],
  ['fixture-adts-mpeg2.aac', 'the service does not take AAC', 1.18],
  ['fixture-id3v2.aac', 'the service does not take AAC', 1.04],
  ['fixture.mkv', 'the service does not take MKV', 0.09],
  ['fixture.webm', 'the service takes sound only, this is a video', 0.07],
  // Heads without sound behind them: ffmpeg says so.
  ['fixture-isom.mp4', 'its length is not known', undefined],
  ['fixture-mp2l3.mp3', 'its length is not known', undefined],
  ['SOURCES.txt', 'this is no recording: found text', undefined],
];

describe.skipIf(!existsSync(AUDIO))('real files', () => {
  test.for(FILES)('%s: %s', async ([file, verdict, seconds]) => {
    const found = await inspectRecording(join(AUDIO, file));
    if (seconds === undefined) expect(found.seconds).toBeUndefined();
    else expect(found.seconds).toBeCloseTo(seconds, 1);
    expect(wordOf(found)).toBe(verdict);
  });
});

const WAV: FoundRecording = {
  mime: 'audio/wav',
  name: 'WAV',
  seconds: 60,
  hasVideo: false,
  size: 1_000_000,
};

test('a file above the limit is converted, one that lasts too long is refused', () => {
  expect(wordOf({ ...WAV, size: 2_000_000_000 })).toBe(
    'it has 2,000 MB, the service takes 1,000 MB',
  );
  expect(wordOf({ ...WAV, seconds: 20_000 })).toBe(
    'the recording lasts 333 minutes, the service takes 180',
  );
});

test('a file that a slow line cannot bring in four minutes is too large', () => {
  const limits = { ...LIMITS, uploadRate: 1_000_000 };
  expect(whyTooLarge(240_000_000, limits)).toBeUndefined();
  expect(whyTooLarge(300_000_000, limits)).toMatch(/would take 5 minutes/);
});

function wordOf(found: FoundRecording): string {
  const suitability = suitabilityOf(found, LIMITS);
  switch (suitability.kind) {
    case 'as-it-is':
      return suitability.contentType;
    case 'convert':
      return suitability.because;
    case 'refused':
      return suitability.message;
  }
}
