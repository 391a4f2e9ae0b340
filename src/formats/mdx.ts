/** MDX: Markdown with JSX and modules, which stay as they are. Text between JSX tags is translated. */
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { mdxjs } from 'micromark-extension-mdxjs';
import type { Format } from '../format.ts';
import { markdownDoc } from './grammar/markdown-file.ts';
import type { MarkdownDialect } from './grammar/markdown-tree.ts';

const DIALECT: MarkdownDialect = {
  name: 'mdx',
  // Elements and expressions may be open over blank lines, also around paragraphs.
  leastPiece: Number.POSITIVE_INFINITY,
  extensions: [mdxjs()],
  mdastExtensions: [mdxFromMarkdown()],
};

export const mdx: Format = {
  name: 'mdx',
  shape: 'sequence',
  foldsWhitespace: true,
  parse: (text, options, near) => markdownDoc(text, DIALECT, options, near),
};
