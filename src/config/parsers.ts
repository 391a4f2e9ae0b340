/** The parser of a config that a daemon reads anew. */
import type { Parser } from '../parsing/parser.ts';

export interface ConfigText {
  readonly text: string;
  readonly file: string;
}

/** Only whether it can be read in time: a config that is in force is no plain data. */
export const TRY_CONFIG: Parser<ConfigText, void> = {
  name: 'try config',
  load: async () => (await import('./readings.ts')).tried,
};
