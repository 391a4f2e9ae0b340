/** The work behind `parsers.ts`: reads the YAML or JSON of another tool's config. */
import { YamlText } from '../../../config/yaml-text.ts';
import { JobFailure } from '../../../failure.ts';
import type { ThreadWork } from '../../../parsing/thread-call.ts';

export interface ToolText {
  readonly text: string;
  readonly file: string;
}

export const readToolConfig: ThreadWork<ToolText, unknown> =
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

/** Replaces comments in JSON by spaces, since YAML would read `//` as text. Tolgee's own examples have comments. Lines and columns stay the same. */
function withoutComments(text: string): string {
  if (!/^\uFEFF?\s*(?:\/[/*]|\{)/.test(text)) return text;
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|(?<=^|[\s,{}[\]])\/\/.*|\/\*[\s\S]*?\*\//g, (found) =>
    found.startsWith('"') ? found : found.replaceAll(/[^\n]/g, ' '),
  );
}

/** Removes lines with ERB, which i18n-tasks runs first. */
function withoutPrograms(text: string): string {
  return text.replaceAll(/^(?![ \t]*#).*<%.*%>.*$/gm, '');
}
