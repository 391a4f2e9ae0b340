/** Markdown with GitHub's extensions and front matter: sentences are translated, everything that makes the document is kept. */
import type { Format } from '../format.ts';
import { markdownDoc } from './grammar/markdown-file.ts';
import type { MarkdownDialect } from './grammar/markdown-tree.ts';

const DIALECT: MarkdownDialect = {
  name: 'markdown',
  isWhole: false,
  extensions: [],
  mdastExtensions: [],
};

export const markdown: Format = {
  name: 'markdown',
  shape: 'sequence',
  foldsWhitespace: true,
  parse: (text, options, near) => markdownDoc(text, DIALECT, options, near),
};
