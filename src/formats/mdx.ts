/** MDX: Markdown with JSX and modules, which stay as they are. Text between JSX tags is translated. */
import type { Format } from '../format.ts';
import { MDX } from './grammar/markdown-dialects.ts';
import { markdownDoc } from './grammar/markdown-file.ts';

export const mdx: Format = {
  name: 'mdx',
  shape: 'sequence',
  foldsWhitespace: true,
  parse: (text, options, near) => markdownDoc(text, MDX, options, near),
};
