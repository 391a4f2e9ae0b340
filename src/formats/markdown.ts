/**
 * Markdown with GitHub's extensions and front matter: sentences are translated, everything that makes the document is kept. A page with
 * modules or components is read as MDX, as Docusaurus reads `.md`.
 */
import { failureOf } from '../failure.ts';
import type { Doc, Format, FormatOptions } from '../format.ts';
import { MARKDOWN, MDX } from './grammar/markdown-dialects.ts';
import { markdownDoc } from './grammar/markdown-file.ts';
import { showsMdx } from './grammar/mdx-signs.ts';

export const markdown: Format = {
  name: 'markdown',
  shape: 'sequence',
  foldsWhitespace: true,
  parse: (text, options, near) =>
    mdxDoc(text, options, near) ?? markdownDoc(text, MARKDOWN, options, near),
};

/** Undefined: the page is Markdown, also where it looks like MDX and is not valid. */
function mdxDoc(text: string, options: FormatOptions, near: Doc | undefined): Doc | undefined {
  if (!showsMdx(text)) return undefined;
  try {
    return markdownDoc(text, MDX, options, near);
  } catch (error) {
    if (failureOf(error).kind === 'malformed') return undefined;
    throw error;
  }
}
