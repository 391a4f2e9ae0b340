/** Reads the YAML or JSON of another tool's config: the work behind `parsers.ts`. */
import { YamlText } from '../../../config/yaml-text.ts';
import { JobFailure } from '../../../failure.ts';
import type { Reading } from '../../../parsing/parser.ts';
import type { ToolText } from './parsers.ts';

export const readToolConfig: Reading<ToolText, unknown> =
  async ({ text, file }) =>
  () => {
    const { data, faults } = new YamlText(withoutPrograms(withoutComments(text)), {
      file,
      rewrite: (value) => value,
    });
    const [fault] = faults;
    if (fault === undefined) return data;
    const { line, column, message } = fault;
    throw new JobFailure({ kind: 'malformed', where: { file, line, column }, message });
  };

/** Tolgee's own examples are JSON with comments; YAML would take `//` for a text. Lines and columns stay. */
function withoutComments(text: string): string {
  if (!/^\uFEFF?\s*(?:\/[/*]|\{)/.test(text)) return text;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|(?<=^|[\s,{}[\]])\/\/.*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' '),
  );
}

/** i18n-tasks runs its config through ERB first: lines of it are comments for us. */
function withoutPrograms(text: string): string {
  return text.replaceAll(/^(?!\s*#).*<%.*%>.*$/gm, '');
}
