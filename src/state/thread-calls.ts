/** The parser of translation memories. */
import type { ThreadCall } from '../parsing/thread-call.ts';
import type { TmxText } from './thread-work.ts';
import type { TmxUnit } from './tmx-text.ts';

export const READ_TMX: ThreadCall<TmxText, TmxUnit[]> = {
  name: 'read TMX',
  load: async () => (await import('./thread-work.ts')).tmx,
};
