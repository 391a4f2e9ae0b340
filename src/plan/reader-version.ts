/** Names how a file is read: the name changes when a version or setting finds more texts in it. Pure. */
import type { Route } from '../project.ts';
import { extensionOf } from '../routes/extensions.ts';

/** Raised when the reader finds texts that it did not find before: in delivered targets they are bought only after approval. */
const PAGE_READER = 3;
const YAML_READER = 1;

const PAGES: ReadonlySet<string> = new Set(['md', 'mdx', 'markdown']);
const YAML_FILES: ReadonlySet<string> = new Set(['yml', 'yaml']);

/** @returns undefined for files in which all versions find the same texts */
export function readerVersionOf(path: string, route: Route): string | undefined {
  const extension = extensionOf(path).toLowerCase();
  if (PAGES.has(extension)) return pageReaderVersion(route);
  return YAML_FILES.has(extension) ? String(YAML_READER) : undefined;
}

export function pageReaderVersion({ attributes, frontMatter }: Route): string {
  return [PAGE_READER, attributes?.join(',') ?? '-', frontMatter?.join(',') ?? '-'].join(' ');
}

/** Texts outside of paragraphs that are read by default. A page without them has no text that an earlier version did not find. */
const SHOWN =
  /\]\([^)\r\n]*[ \t]["'(]|^[ \t>]*\[[^\]\r\n]+\]:|<[A-Za-z][^>]*\s(?:title|label|alt|placeholder|aria-label)\s*=|^(?:hero|sidebar)\s*[:.=]|^\[(?:hero|sidebar)\]|^sidebar_label\s*[:=]/m;

/** A value of YAML after the tag `!`. */
const TAGGED = /(?:^|\s)!\s/;

/**
 * Whether a file may have texts that an earlier version did not find. A search in the source is enough: to parse a page takes a
 * hundred times as long.
 */
export function mayShowMore(
  text: string,
  path: string,
  { attributes, frontMatter }: Route,
): boolean {
  if (YAML_FILES.has(extensionOf(path).toLowerCase())) return TAGGED.test(text);
  return attributes !== undefined || frontMatter !== undefined || SHOWN.test(text);
}
