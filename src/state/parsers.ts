/** The parser of translation memories. */
import type { LanguageTag } from '../language.ts';
import type { Parser } from '../parsing/parser.ts';
import type { TmxUnit } from './tmx-text.ts';

export interface TmxText {
  readonly text: string;
  readonly file: string;
  readonly sourceLanguage: LanguageTag;
}

export const READ_TMX: Parser<TmxText, TmxUnit[]> = {
  name: 'read TMX',
  load: async () => (await import('./readings.ts')).tmx,
};
