/** The parser of translation memories. */
import type { Parser } from '../parsing/parser.ts';
import type { TmxText } from './readings.ts';
import type { TmxUnit } from './tmx-text.ts';

export const READ_TMX: Parser<TmxText, TmxUnit[]> = {
  name: 'read TMX',
  load: async () => (await import('./readings.ts')).tmx,
};
