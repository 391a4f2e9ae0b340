/** How a file is read: which of its texts are seen as texts, as one word that changes when more of them are. Pure. */
import type { Route } from '../project.ts';
import { extensionOf } from '../routes/extensions.ts';

/** Raised when texts are seen that were none before: they are bought in delivered targets only when a person approves. */
const PAGE_READER = 3;
const YAML_READER = 1;

const PAGES: ReadonlySet<string> = new Set(['md', 'mdx', 'markdown']);
const YAML_FILES: ReadonlySet<string> = new Set(['yml', 'yaml']);

/** @returns undefined for files in which all versions see the same texts */
export function readingOf(path: string, route: Route): string | undefined {
  const extension = extensionOf(path).toLowerCase();
  if (PAGES.has(extension)) return pageReading(route);
  return YAML_FILES.has(extension) ? String(YAML_READER) : undefined;
}

export function pageReading({ attributes, frontMatter }: Route): string {
  return [PAGE_READER, attributes?.join(',') ?? '-', frontMatter?.join(',') ?? '-'].join(' ');
}

/** What shows beside paragraphs by default: a page without it holds nothing that an earlier version left alone. */
const SHOWN =
  /\]\([^)\r\n]*[ \t]["'(]|^[ \t>]*\[[^\]\r\n]+\]:|<[A-Za-z][^>]*\s(?:title|label|alt|placeholder|aria-label)\s*=|^(?:hero|sidebar)\s*[:.=]|^\[(?:hero|sidebar)\]|^sidebar_label\s*[:=]/m;

/** A value of YAML behind the tag `!`. */
const TAGGED = /(?:^|\s)!\s/;

/** Told from the text of its source alone: reading a page as a page takes a hundred times as long. */
export function mayShowMore(
  text: string,
  path: string,
  { attributes, frontMatter }: Route,
): boolean {
  if (YAML_FILES.has(extensionOf(path).toLowerCase())) return TAGGED.test(text);
  return attributes !== undefined || frontMatter !== undefined || SHOWN.test(text);
}
