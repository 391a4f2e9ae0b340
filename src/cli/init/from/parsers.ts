/** The parser of other tools' configs: plain data of YAML or JSON. */
import type { Parser } from '../../../parsing/parser.ts';

export interface ToolText {
  readonly text: string;
  readonly file: string;
}

export const READ_TOOL_CONFIG: Parser<ToolText, unknown> = {
  name: 'read tool config',
  load: async () => (await import('./readings.ts')).readToolConfig,
};
