/** How a page is read: which of its texts are seen as texts, as one word that changes when more of them are. Pure. */
import type { Route } from '../project.ts';
import { extensionOf } from '../routes/extensions.ts';

/** Raised when texts are seen that were none before: they are bought in delivered targets only when a person approves. */
const READER = 3;

export function readingOf({ attributes, frontMatter }: Route): string {
  return [READER, attributes?.join(',') ?? '-', frontMatter?.join(',') ?? '-'].join(' ');
}

const PAGES: ReadonlySet<string> = new Set(['md', 'mdx', 'markdown']);

/** Whether versions differ in what they see of a file. */
export function isPage(path: string): boolean {
  return PAGES.has(extensionOf(path).toLowerCase());
}

/** What shows beside paragraphs by default: a page without it holds nothing that an earlier version left alone. */
const SHOWN =
  /\]\([^)\r\n]*[ \t]["'(]|^[ \t>]*\[[^\]\r\n]+\]:|<[A-Za-z][^>]*\s(?:title|label|alt|placeholder|aria-label)\s*=|^(?:hero|sidebar)\s*[:.=]|^\[(?:hero|sidebar)\]|^sidebar_label\s*[:=]/m;

/** Told from the text of its source alone: reading a page as a page takes a hundred times as long. */
export function mayShowMore(text: string, { attributes, frontMatter }: Route): boolean {
  return attributes !== undefined || frontMatter !== undefined || SHOWN.test(text);
}
