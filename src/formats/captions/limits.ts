/** How much text a line and a second may hold, by language and by the route's settings. Pure. */

import { baseLanguage, type LanguageTag } from '../../language.ts';
import type { SubtitleSettings } from '../../project.ts';

export interface CaptionLimits {
  /** Characters per line; for Chinese, Japanese and Korean, full-width characters. */
  readonly lineLength: number;
  readonly lines: number;
  /** A cue with more characters per second is reported. */
  readonly fast: number;
  /** A cue with more characters per second cannot be read. */
  readonly unreadable: number;
}

// Netflix timed text style guides: 42 characters, 16 for Korean, 13 for Japanese, 17 per second for adults; the IWSLT subtitling track
// accepts 21.
const LINE_LENGTH = 42;
const IDEOGRAPHS: ReadonlyMap<string, number> = new Map(Object.entries({ ja: 13, zh: 16, ko: 16 }));
const FAST = 17;
const UNREADABLE = 21;

export function captionLimits(rules: SubtitleSettings, language: LanguageTag): CaptionLimits {
  const fast = rules.cps ?? FAST;
  return {
    lineLength: rules.lineLength ?? IDEOGRAPHS.get(baseLanguage(language)) ?? LINE_LENGTH,
    lines: rules.lines,
    fast,
    unreadable: Math.max(UNREADABLE, fast),
  };
}

/** Whether a language is measured in full-width characters. */
export function isIdeographic(language: LanguageTag): boolean {
  return IDEOGRAPHS.get(baseLanguage(language)) !== undefined;
}

/** Width of a text in the unit of its limit: beside ideographs, a half-width character counts half. */
export function width(text: string, language: LanguageTag): number {
  const isWide = isIdeographic(language);
  if (PLAIN.test(text)) return isWide ? text.length / 2 : text.length;
  let total = 0;
  for (const character of text) {
    if (/\p{M}|\p{Cf}/u.test(character)) continue;
    total += isWide && !WIDE.test(character) ? 0.5 : 1;
  }
  return total;
}

/** Each character counts one: no combining mark, no ideograph. */
const PLAIN = /^[ -~]*$/;
const WIDE =
  /[\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
