/** Whether a text is a well-formed piece of an XML document: any number of elements, with text around them. */
import { XMLValidator } from 'fast-xml-parser';

/** Line and column count from 1. */
export interface XmlFault {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

const ROOT = 'text';

export function xmlFault(text: string): XmlFault | undefined {
  // The root stands on lines of its own, so that columns are those of the text.
  const validity = XMLValidator.validate(`<${ROOT}>\n${withoutDeclaration(text)}\n</${ROOT}>`);
  if (validity === true) return undefined;
  const { line, col, msg } = validity.err;
  if (line === 1) return { ...placeOf(text, startOfUnclosed(text)), message: 'it never ends' };
  const lines = text.split('\n');
  const message = msg
    .replace(
      /\(opened in line (\d+)/,
      (_, opened: string) => `(opened in line ${Number(opened) - 1}`,
    )
    .replace(` instead of closing tag '${ROOT}'`, ' before the text ends');
  if (line - 1 > lines.length) return { ...placeOf(text, text.length), message };
  return { line: line - 1, column: col, message };
}

/** Only a whole document may have one, at its very beginning. */
function withoutDeclaration(text: string): string {
  return text.replace(/^\s*<\?xml\s[^<>]*\?>/u, (found) => found.replaceAll(/[^\n]/gu, ' '));
}

/** Of a comment, CDATA section or instruction that the validator takes to the end of everything. */
function startOfUnclosed(text: string): number {
  return Math.max(0, ...['<!--', '<![CDATA[', '<?'].map((mark) => text.lastIndexOf(mark)));
}

function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}
