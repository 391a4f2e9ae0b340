/** Transcripts: what a recording says when no engine can hear it, and utterances as text and as SubRip. */
import type { Utterance } from './engine.ts';

const SENTENCES = [
  'Welcome to this recording.',
  'Today we talk about the weather in the city.',
  'The train to the north leaves at nine.',
  'Please remember to save your work.',
  'Our new office opens next week.',
  'Thank you very much for listening.',
  'There are three books on the table.',
  'Everybody is invited to the meeting.',
] as const;

/** Milliseconds of one made-up utterance, its pause included. */
const UTTERANCE_MS = 4000;
const PAUSE_MS = 400;

/** The same sentences for the same length, spread over all of it. @param duration in milliseconds */
export function madeUpTranscript(duration: number): readonly Utterance[] {
  const count = Math.max(1, Math.round(duration / UTTERANCE_MS));
  const share = duration / count;
  return Array.from({ length: count }, (_, index) => ({
    start: Math.round(index * share),
    end: Math.max(
      Math.round(index * share) + 1,
      Math.round((index + 1) * share - Math.min(PAUSE_MS, share / 4)),
    ),
    text: SENTENCES[index % SENTENCES.length] ?? '',
  }));
}

export function asText(utterances: readonly Utterance[]): string {
  return utterances.map(({ text }) => `${text}\n`).join('');
}

/** SubRip keeps the times of the recording (API document, "Voice translation job"). */
export function asSubRip(utterances: readonly Utterance[]): string {
  return utterances
    .map(
      ({ start, end, text }, index) =>
        `${index + 1}\n${timecode(start)} --> ${timecode(end)}\n${text}\n\n`,
    )
    .join('');
}

function timecode(ms: number): string {
  const part = (value: number, digits: number) => String(Math.floor(value)).padStart(digits, '0');
  const clock = [ms / 3_600_000, (ms / 60_000) % 60, (ms / 1000) % 60].map((value) =>
    part(value, 2),
  );
  return `${clock.join(':')},${part(ms % 1000, 3)}`;
}
