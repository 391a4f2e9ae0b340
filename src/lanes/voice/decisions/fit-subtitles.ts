/**
 * Fits automatic subtitles to the limits of the project: breaks long lines, keeps the times, and reads the result back as a
 * check. Pure.
 */

import { JobFailure } from '../../../failure.ts';
import { deliveryProblem } from '../../../formats/captions/delivery-check.ts';
import { type FilmCue, filmOf } from '../../../formats/captions/film.ts';
import { type CaptionScreen, fitCue } from '../../../formats/captions/fit.ts';
import { captionLimits, width } from '../../../formats/captions/limits.ts';
import { readSubtitles } from '../../../formats/captions/read.ts';
import { render } from '../../../formats/captions/render.ts';
import type { LanguageTag } from '../../../language.ts';
import type { SubtitleSettings } from '../../../project.ts';

export interface SubtitleFit {
  /** Path of the target; its extension decides between SRT and WebVTT. */
  readonly file: string;
  readonly language: LanguageTag;
  readonly rules: SubtitleSettings;
}

/**
 * @param received SRT from the service; blank when nothing is said in the recording
 * @returns the file as SRT or WebVTT
 * @throws JobFailure `malformed` when `received` is not SRT or has no words, or when the check finds a cue with other times or without
 * its text
 */
export function fitSubtitles(received: Uint8Array, fit: SubtitleFit): Uint8Array {
  const { file, language, rules } = fit;
  const format = file.toLowerCase().endsWith('.vtt') ? 'vtt' : 'srt';
  if (isBlankFile(received)) return Buffer.from(format === 'vtt' ? 'WEBVTT\n' : '');
  const source = readSubtitles(received, { file, fallback: 'utf-8' });
  const film = filmOf(source, format, rules);
  if (film.cues.length > 0 && film.cues.every(({ text }) => text.trim() === '')) {
    const message = 'its subtitles have times and no words';
    throw new JobFailure({ kind: 'malformed', where: { file }, message });
  }
  const screen: CaptionScreen = { format, language, limits: captionLimits(rules, language) };
  const cues = film.cues.map((cue) => ({ timing: cue.timing, text: fitted(cue, screen) }));
  const bytes = render(source, cues, format);
  const expected = film.cues.map(({ start, end, text }) => ({
    start,
    end,
    isEmpty: text.trim() === '',
  }));
  const problem = deliveryProblem(bytes, expected, { file, fallback: 'utf-8' });
  if (problem === undefined) return bytes;
  throw new JobFailure({ kind: 'malformed', where: { file }, message: problem });
}

function isBlankFile(received: Uint8Array): boolean {
  return new TextDecoder().decode(received).trim() === '';
}

/** The text of a cue. Only cues that break a limit get new line breaks. */
function fitted({ text, apart }: FilmCue, screen: CaptionScreen): string {
  const { limits, language } = screen;
  const lines = text.split('\n');
  const fits =
    lines.length <= limits.lines &&
    lines.every((line) => width(line, language) <= limits.lineLength);
  if (fits || apart.kind === 'nothing') return text;
  const speeches = apart.turns.map(({ speech }) => speech);
  return fitCue(apart, speeches, screen);
}
