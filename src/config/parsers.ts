/** The parser for a large config, which runs on a thread. */
import type { Parser } from '../parsing/parser.ts';
import type { ConfigText } from './readings.ts';

/** Checks only that the text is parsed in time. A parsed config has functions and cannot come back from a thread. */
export const TRY_CONFIG: Parser<ConfigText, void> = {
  name: 'try config',
  load: async () => (await import('./readings.ts')).tryConfig,
};
