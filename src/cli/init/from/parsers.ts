/** The parser for configs of other tools: YAML or JSON as plain data. */
import type { Parser } from '../../../parsing/parser.ts';
import type { ToolText } from './readings.ts';

export const READ_TOOL_CONFIG: Parser<ToolText, unknown> = {
  name: 'read tool config',
  load: async () => (await import('./readings.ts')).readToolConfig,
};
