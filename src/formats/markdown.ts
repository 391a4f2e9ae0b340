/** Markdown with GitHub's extensions and front matter: sentences are translated, everything that makes the document is kept. */
import type { Format } from '../format.ts';
import { markdownDoc } from './grammar/markdown-file.ts';
import type { MarkdownDialect } from './grammar/markdown-tree.ts';

const DIALECT: MarkdownDialect = {
  name: 'markdown',
  // 2 MB of text with markup take 1.4 s in such pieces, 2.6 s in pieces of 32,768 and 3.6 s in pieces of 131,072: the parser splices lists
  // of events. A small page takes the same time as whole.
  leastPiece: 16_384,
  extensions: [],
  mdastExtensions: [],
};

export const markdown: Format = {
  name: 'markdown',
  shape: 'sequence',
  foldsWhitespace: true,
  parse: (text, options, near) => markdownDoc(text, DIALECT, options, near),
};
