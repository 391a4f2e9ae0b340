/** How pages are parsed: as Markdown with GitHub's extensions and front matter, or as MDX, which has JSX and modules too. */
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { mdxjs } from 'micromark-extension-mdxjs';
import type { MarkdownDialect } from './markdown-tree.ts';
import { SCRIPTS } from './mdx-scripts.ts';

export const MARKDOWN: MarkdownDialect = {
  name: 'markdown',
  // 2 MB of text with markup take 1.4 s in such pieces, 2.6 s in pieces of 32,768, and 3.6 s in pieces of 131,072. The reason is that the
  // parser splices lists of events. A small page takes the same time as whole.
  leastPiece: 16_384,
  extensions: [],
  mdastExtensions: [],
};

export const MDX: MarkdownDialect = {
  name: 'mdx',
  // Elements and expressions may be open over blank lines, also around paragraphs.
  leastPiece: Number.POSITIVE_INFINITY,
  extensions: [mdxjs({ acorn: SCRIPTS, addResult: false })],
  mdastExtensions: [mdxFromMarkdown()],
};
