/** Markdown with GitHub's extensions and front matter: sentences are translated, everything that makes the document is kept. */
import type { Format } from '../format.ts';
import { markdownDoc } from './grammar/markdown-file.ts';
import type { MarkdownDialect } from './grammar/markdown-tree.ts';

const DIALECT: MarkdownDialect = {
  name: 'markdown',
  // The parser takes as long to be set up as for some 2,000 units. Pieces of 4,096 made pages of projects a quarter slower; these, a tenth.
  leastPiece: 32_768,
  extensions: [],
  mdastExtensions: [],
};

export const markdown: Format = {
  name: 'markdown',
  shape: 'sequence',
  foldsWhitespace: true,
  parse: (text, options, near) => markdownDoc(text, DIALECT, options, near),
};
