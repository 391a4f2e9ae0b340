/** How pages are parsed: as Markdown with GitHub's extensions and front matter, or as MDX, which has JSX and modules too. */
import { mdxFromMarkdown } from 'mdast-util-mdx';
import { mdxjs } from 'micromark-extension-mdxjs';
import type { MarkdownDialect } from './markdown-tree.ts';
import { SCRIPTS } from './mdx-scripts.ts';

export const MARKDOWN: MarkdownDialect = {
  name: 'markdown',
  // The parser splices lists of events, so its time grows with the square of a piece. 2 MB of text with markup take 1.4 s in pieces of
  // 16,384, and 3.6 s in pieces of 131,072. Pages of documentation take the same time in pieces of 4,096. A page of 3,125 short quotes
  // takes 250 ms in them, and 625 ms in pieces of 16,384.
  leastPiece: 4096,
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
