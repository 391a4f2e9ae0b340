/** The work behind `parsers.ts`. */
import type { LanguageTag } from '../language.ts';
import type { ThreadWork } from '../parsing/thread-call.ts';
import { readTmx } from './tmx.ts';
import type { TmxUnit } from './tmx-text.ts';

export interface TmxText {
  readonly text: string;
  readonly file: string;
  readonly sourceLanguage: LanguageTag;
}

export const tmx: ThreadWork<TmxText, TmxUnit[]> = async ({ text, file, sourceLanguage }) => {
  return () => readTmx(text, file, sourceLanguage);
};
