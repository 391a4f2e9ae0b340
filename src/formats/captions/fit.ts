/** Fits translated speech into its cue: broken into lines where it is too long, with everything around it put back. Pure. */
import type { LanguageTag } from '../../language.ts';
import { type CueText, putTogether } from './cue-text.ts';
import { type Limits, width } from './limits.ts';
import { withoutMarkup } from './markup.ts';
import type { Speech } from './speech.ts';
import type { SubtitleFormat } from './timing.ts';
import { wrap } from './wrap.ts';

export interface Screen {
  readonly format: SubtitleFormat;
  readonly language: LanguageTag;
  readonly limits: Limits;
}

/** @param speeches one for each turn of the cue @returns the cue's text, lines joined by LF */
export function fitCue(
  apart: CueText,
  speeches: readonly Speech[],
  { format, language, limits }: Screen,
): string {
  // Speakers share the lines of a cue; each has one of their own at least.
  const lines = Math.max(1, Math.floor(limits.lines / apart.turns.length));
  const fitted = apart.turns.map((turn, nth) => {
    const around = withoutMarkup(
      `${apart.before}${turn.before}${turn.after}${apart.after}`,
      format,
    );
    const room = { lineLength: limits.lineLength, lines, indent: width(around, language) };
    return wrap(speeches[nth] ?? turn.speech, room, language);
  });
  return putTogether(apart, fitted, format);
}
