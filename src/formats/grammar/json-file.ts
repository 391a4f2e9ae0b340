/** A JSON, JSONC or JSON5 text opened for reading and editing. */
import { malformed } from '../text/position.ts';
import { JsonStrings } from './json-strings.ts';
import { type JsonDialect, parseJsonTree } from './json-tree.ts';
import { type LiteralFile, literalFile } from './literal-file.ts';
import type { LiteralGrammar, LiteralNode } from './literal-tree.ts';
import { strictJsonTree } from './strict-json.ts';

/** JSON5 and JavaScript take identifiers as keys. */
export const JSON_GRAMMAR: LiteralGrammar = {
  colon: /^[ \t]*:[ \t]*$/,
  usualColon: ': ',
  object: ['{', '}'],
  list: ['[', ']'],
  usualQuote: '"',
  bareKey: /^[A-Za-z_$][\w$]*$/,
};

/** Throws JobFailure `malformed` with line and column. */
export function openJson(text: string, dialect: JsonDialect, file: string): LiteralFile {
  const root = strictJsonTree(text) ?? parseLoosely(text, dialect, file);
  return literalFile({ text, root, file, strings: new JsonStrings(text), grammar: JSON_GRAMMAR });
}

function parseLoosely(text: string, dialect: JsonDialect, file: string): LiteralNode {
  const root = parseJsonTree(text, dialect, file);
  if (dialect !== 'json5') refuseControls(text, root, file);
  return root;
}

// RFC 8259 section 7: control characters must be escaped; momoa lets them pass.
function refuseControls(text: string, node: LiteralNode, file: string): void {
  if (node.kind === 'object' || node.kind === 'list') {
    for (const child of node.children) refuseControls(text, child.value, file);
  } else if (node.kind === 'string') {
    for (let offset = node.start; offset < node.end; offset += 1) {
      if (text.charCodeAt(offset) < 0x20) {
        throw malformed(file, { text, offset }, 'a line break or control character in a string');
      }
    }
  }
}
