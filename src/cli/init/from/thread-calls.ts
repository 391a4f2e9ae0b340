/** The parser for configs of other tools: YAML or JSON as plain data. */
import type { ThreadCall } from '../../../parsing/thread-call.ts';
import type { ToolText } from './thread-work.ts';

export const READ_TOOL_CONFIG: ThreadCall<ToolText, unknown> = {
  name: 'read tool config',
  load: async () => (await import('./thread-work.ts')).readToolConfig,
};
