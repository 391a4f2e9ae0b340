/** JavaScript and TypeScript modules of literals, for routes that say `lane: text`. */

import type { Format, Warning } from '../format.ts';
import { parseJsTree } from './grammar/js-tree.ts';
import { JSON_GRAMMAR } from './grammar/json-file.ts';
import { JsonStrings } from './grammar/json-strings.ts';
import { literalDoc, withoutStatedGroups } from './grammar/literal-doc.ts';
import { literalFile } from './grammar/literal-file.ts';
import { messageOfKey } from './text/key-path.ts';
import { keyPlurals } from './text/key-plurals.ts';
import { positionsOf } from './text/position.ts';

const GRAMMAR = { ...JSON_GRAMMAR, usualQuote: "'" };

export const js: Format = {
  name: 'js',
  shape: 'keyed',
  messageOf: messageOfKey,
  // Qt's `.ts` files are XML.
  recognises: (text) => !/^\s*</.test(text),
  parse: (text, { file, role }) => {
    const root = parseJsTree(text, file);
    const strings = new JsonStrings(text);
    const doc = literalDoc(literalFile({ text, root, strings, file, grammar: GRAMMAR }), {
      path: file,
      role,
      rootOf: (source) => parseJsTree(source, file),
    });
    const isFound = root.kind !== 'object' || root.isFrame !== true || root.children.length > 0;
    return isFound ? doc : { ...doc, warnings: unfoundTexts(text) };
  },
  expect: (source, target) => withoutStatedGroups(keyPlurals(source.segments, target), target),
  expectsByMaker: 'shapes',
};

/** A line with a string, but no import and no comment. */
const LINE_WITH_STRING =
  /^(?![ \t]*(?:import|export\s*[*{]|\/[/*]|\*|["']use ))[^\n]*["'`][^"'`\n]*\p{L}{2}/mu;

/** A module without an object or list of texts. */
function unfoundTexts(text: string): Warning[] {
  const { index } = LINE_WITH_STRING.exec(text) ?? {};
  if (index === undefined) return [];
  const message =
    'no object or list with texts is exported or declared here, so nothing is translated';
  return [{ line: positionsOf(text)(index).line, message }];
}
