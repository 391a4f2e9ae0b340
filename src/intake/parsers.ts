/** The parser that reads the texts of a file, to compare it with other files. */
import type { Parser } from '../parsing/parser.ts';
import type { SourceFile, SourceText } from './readings.ts';

export const READ_SOURCE_TEXTS: Parser<SourceFile, readonly SourceText[]> = {
  name: 'read source texts',
  load: async () => (await import('./readings.ts')).sourceTexts,
};
