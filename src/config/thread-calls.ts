/** The parser for a large config, which runs on a thread. */
import type { ThreadCall } from '../parsing/thread-call.ts';
import type { ConfigText } from './thread-work.ts';

/** Checks only that the text is parsed in time. A parsed config has functions and cannot come back from a thread. */
export const TRY_CONFIG: ThreadCall<ConfigText, void> = {
  name: 'try config',
  load: async () => (await import('./thread-work.ts')).tryConfig,
};
