/** The parser for configs of other tools: YAML or JSON as plain data. */
import type { Parser } from '../../../parsing/parser.ts';

export interface ToolText {
  readonly text: string;
  readonly file: string;
}

export const READ_TOOL_CONFIG: Parser<ToolText, unknown> = {
  name: 'read tool config',
  load: async () => (await import('./readings.ts')).readToolConfig,
};
