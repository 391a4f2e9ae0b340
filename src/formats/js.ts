/** JavaScript and TypeScript modules of literals, for routes that say `lane: text`. */
import type { Format } from '../format.ts';
import { parseJsTree } from './grammar/js-tree.ts';
import { JSON_GRAMMAR } from './grammar/json-file.ts';
import { JsonStrings } from './grammar/json-strings.ts';
import { literalDoc, withoutStatedGroups } from './grammar/literal-doc.ts';
import { literalFile } from './grammar/literal-file.ts';
import { keyPlurals } from './text/key-plurals.ts';

const GRAMMAR = { ...JSON_GRAMMAR, usualQuote: "'" };

export const js: Format = {
  name: 'js',
  shape: 'keyed',
  // Qt's `.ts` files are XML.
  recognises: (text) => !/^\s*</.test(text),
  parse: (text, { file, role }) => {
    const root = parseJsTree(text, file);
    const strings = new JsonStrings(text);
    return literalDoc(literalFile({ text, root, strings, file, grammar: GRAMMAR }), {
      path: file,
      role,
    });
  },
  expect: (source, target) => withoutStatedGroups(keyPlurals(source.segments, target), target),
  expectsByMaker: 'shapes',
};
