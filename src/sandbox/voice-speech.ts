/** Speech as 16-bit little-endian mono PCM: by the engine, or a tone for each word, so that a person hears where words are. */
import { hash } from 'node:crypto';
import type { LanguageTag } from '../language.ts';
import type { Engine, Utterance } from './engine.ts';

export interface SpeechOrder {
  readonly utterances: readonly Utterance[];
  readonly language: LanguageTag;
  /** Samples per second. */
  readonly rate: number;
}

/** Chunks of PCM: every utterance begins at its time, or after the one before when that takes longer. */
export async function* speak(
  engine: Engine,
  { utterances, language, rate }: SpeechOrder,
): AsyncGenerator<Uint8Array> {
  let samples = 0;
  for (const { start, text } of utterances) {
    const pause = Math.max(0, Math.round((start / 1000) * rate) - samples);
    const speech = (await engine.speak?.({ text, language, rate })) ?? tones(text, rate);
    samples += pause + speech.length / BYTES_PER_SAMPLE;
    yield* silence(pause, rate);
    yield speech;
  }
}

/** Second by second: an hour of it would be 115 MB. */
function* silence(samples: number, rate: number): Generator<Uint8Array> {
  for (let left = samples; left > 0; left -= rate) {
    yield new Uint8Array(Math.min(left, rate) * BYTES_PER_SAMPLE);
  }
}

const BYTES_PER_SAMPLE = 2;
const MS_PER_LETTER = 60;
const GAP_MS = 60;
const LOUDNESS = 0x1800;

/** The same word has the same tone, between 200 and 712 Hz. */
function tones(text: string, rate: number): Uint8Array {
  const words = text.split(/\s+/u).filter((word) => word !== '');
  return Buffer.concat(words.map((word) => tone(word, rate)));
}

function tone(word: string, rate: number): Uint8Array {
  const length = Math.round((rate * MS_PER_LETTER * [...word].length) / 1000);
  const gap = Math.round((rate * GAP_MS) / 1000);
  const pitch = 200 + 2 * hash('sha1', word, 'buffer').readUInt8(0);
  const samples = new Int16Array(length + gap);
  for (let at = 0; at < length; at++) {
    // Faded in and out, so that it does not click.
    const fade = Math.min(1, at / 80, (length - at) / 80);
    samples[at] = Math.round(Math.sin((2 * Math.PI * pitch * at) / rate) * LOUDNESS * fade);
  }
  return new Uint8Array(samples.buffer);
}
