/** The parser that reads the texts of a file, to compare it with other files. */
import type { ThreadCall } from '../parsing/thread-call.ts';
import type { SourceFile, SourceText } from './thread-work.ts';

export const READ_SOURCE_TEXTS: ThreadCall<SourceFile, readonly SourceText[]> = {
  name: 'read source texts',
  load: async () => (await import('./thread-work.ts')).sourceTexts,
};
