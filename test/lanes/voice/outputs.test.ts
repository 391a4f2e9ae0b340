/** Results become files: with a header that players accept, and subtitles that people can read. */
import { describe, expect, test } from 'vitest';
import { fitSubtitles } from '../../../src/lanes/voice/decisions/fit-subtitles.ts';
import { expectedBytes, outputFiles } from '../../../src/lanes/voice/decisions/outputs.ts';
import { pcmOf, wavHeader } from '../../../src/lanes/voice/decisions/wav.ts';
import type { LanguageTag } from '../../../src/language.ts';
import type { SubtitleSettings } from '../../../src/project.ts';

describe('speech', () => {
  test('gets the header of its rate and length', () => {
    const pcm = pcmOf('audio/pcm;encoding=s16le;rate=24000');
    expect(pcm).toEqual({ rate: 24_000, channels: 1, bitsPerSample: 16 });
    const header = Buffer.from(
      wavHeader(48_000, pcm ?? { rate: 0, channels: 0, bitsPerSample: 0 }),
    );
    expect(header.toString('latin1', 0, 4)).toBe('RIFF');
    expect(header.readUInt32LE(4)).toBe(36 + 48_000);
    expect(header.readUInt32LE(24)).toBe(24_000);
    expect(header.readUInt32LE(28)).toBe(48_000);
    expect(header.readUInt32LE(40)).toBe(48_000);
  });

  test('of more than 4 GB has the greatest length that the header can say', () => {
    const header = Buffer.from(wavHeader(5e9, { rate: 16_000, channels: 1, bitsPerSample: 16 }));
    expect(header.readUInt32LE(40)).toBe(0xffff_ffff);
  });

  test('of other types is a file already', () => {
    expect(pcmOf('audio/opus')).toBeUndefined();
    expect(pcmOf('audio/pcm;encoding=f32le;rate=16000')).toBeUndefined();
  });

  test('of an hour needs 115 MB, and half as much again in a longer language', () => {
    expect(expectedBytes('audio/pcm;encoding=s16le;rate=16000', 3600)).toBeCloseTo(172.8e6, -6);
    expect(expectedBytes('text/plain', 3600)).toBeLessThan(1e6);
  });
});

const rules: SubtitleSettings = {
  lines: 2,
  sdh: 'translate',
  group: true,
  fallbackEncoding: 'windows-1252',
  report: false,
};
const into = (file: string) => ({ file, language: 'de' as LanguageTag, rules });
const LONG = 'Dies ist ein langer Satz, der auf eine Zeile sicher nicht passt.';

describe('subtitles', () => {
  test('that are too long are broken into lines; times and short ones stay as they came', () => {
    const received = `1\n00:00:00,000 --> 00:00:03,600\n${LONG}\n\n2\n00:00:04,000 --> 00:00:05,000\nKurz.\n\n`;
    const text = Buffer.from(fitSubtitles(Buffer.from(received), into('a.srt'))).toString();
    expect(text).toContain(
      '00:00:00,000 --> 00:00:03,600\nDies ist ein langer Satz,\nder auf eine Zeile sicher nicht passt.\n',
    );
    expect(text).toContain('2\n00:00:04,000 --> 00:00:05,000\nKurz.\n');
  });

  test('become WebVTT where the target is one', () => {
    const received = '1\n00:00:00,000 --> 00:00:01,500\nDa.\n\n';
    const text = Buffer.from(fitSubtitles(Buffer.from(received), into('a.vtt'))).toString();
    expect(text).toMatch(/^WEBVTT\n\n1\n00:00:00\.000 --> 00:00:01\.500\nDa\.\n/);
  });

  test('of a recording in which nobody speaks are empty', () => {
    expect(fitSubtitles(Buffer.from('\n'), into('a.srt'))).toHaveLength(0);
    expect(Buffer.from(fitSubtitles(Buffer.from(''), into('a.vtt'))).toString()).toBe('WEBVTT\n');
  });

  test('with times and no words are not delivered', () => {
    const wordless = Buffer.from('1\n00:00:00,000 --> 00:00:01,600\n\n');
    expect(() => fitSubtitles(wordless, into('a.srt'))).toThrow(/have times and no words/);
  });

  test('that are none are not delivered', () => {
    expect(() => fitSubtitles(Buffer.from('<html>busy</html>'), into('a.srt'))).toThrow(
      /no line says when/,
    );
  });
});

test('outputs are listed in one order, whatever config says first', () => {
  expect(outputFiles({ speech: 'c', transcript: 'a' })).toEqual([
    { kind: 'transcript', path: 'a' },
    { kind: 'speech', path: 'c' },
  ]);
});
