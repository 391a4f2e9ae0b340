/** The work behind `parsers.ts`. */
import type { Reading } from '../parsing/parser.ts';
import type { TmxText } from './parsers.ts';
import { readTmx } from './tmx.ts';
import type { TmxUnit } from './tmx-text.ts';

export const tmx: Reading<TmxText, TmxUnit[]> = async ({ text, file, sourceLanguage }) => {
  return () => readTmx(text, file, sourceLanguage);
};
