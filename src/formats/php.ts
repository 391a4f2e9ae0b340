/** PHP files that return an array of texts (Laravel), for routes that say `lane: text`. */
import type { Format } from '../format.ts';
import { literalDoc } from './grammar/literal-doc.ts';
import { literalFile } from './grammar/literal-file.ts';
import type { LiteralGrammar } from './grammar/literal-tree.ts';
import { PhpStrings } from './grammar/php-strings.ts';
import { parsePhpTree } from './grammar/php-tree.ts';

const GRAMMAR: LiteralGrammar = {
  colon: /^[ \t]*=>[ \t]*$/,
  usualColon: ' => ',
  object: ['[', ']'],
  list: ['[', ']'],
  usualQuote: "'",
};

export const php: Format = {
  name: 'php',
  shape: 'keyed',
  parse: (text, { file }) => {
    const root = parsePhpTree(text, file);
    const strings = new PhpStrings(text);
    return literalDoc(literalFile({ text, root, strings, file, grammar: GRAMMAR }), {
      path: file,
      syntax: 'laravel',
    });
  },
};
