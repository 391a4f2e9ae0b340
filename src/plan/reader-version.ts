/** Names how a file is read: the name changes when a version or setting finds more texts in it. Pure. */
import { extensionsOf } from '../formats/all.ts';
import { mayHaveBoxes } from '../formats/grammar/markdown-boxes.ts';
import { showsMdx } from '../formats/grammar/mdx-signs.ts';
import { NEWER_KEY, VISIBLE_ATTRIBUTES } from '../formats/grammar/shown-keys.ts';
import { hasRun, tagSearch } from '../parsing/markup.ts';
import type { Route } from '../project.ts';
import { extensionOf } from '../routes/extensions.ts';
import { mayOpenBox } from '../segments/frame/block-syntax.ts';

/** Raised when the reader finds texts that it did not find before: in delivered targets they are bought only after approval. */
const PAGE_READER = 7;
const YAML_READER = 2;
const MESSAGE_READER = 1;

const PAGES = extensionsOf('markdown');
const YAML_FILES = extensionsOf('yaml');

export function readerVersionOf(path: string, route: Route): string {
  const extension = extensionOf(path).toLowerCase();
  if (PAGES.has(extension)) return pageReaderVersion(route);
  return String(YAML_FILES.has(extension) ? YAML_READER : MESSAGE_READER);
}

export function pageReaderVersion({ attributes, frontMatter }: Route): string {
  return [PAGE_READER, attributes?.join(',') ?? '-', frontMatter?.join(',') ?? '-'].join(' ');
}

/**
 * Titles of links. They are read by default, as the newer keys of front matter are. A page with neither has no text outside of
 * paragraphs that an earlier version did not find.
 */
function hasTitleOfLink(text: string): boolean {
  const inline = { without: String.raw`)\r\n`, first: /\]\(/, last: /[ \t]["'(]/ };
  return DEFINITION.test(text) || hasRun(text, inline);
}

const DEFINITION = /^[ \t>]*\[[^\]\r\n]+\]:/m;

/** Earlier versions read everything up to the next rule as front matter. */
const RULE_AT_START = /^---[ \t]*(?:\r\n|\n|\r)[ \t]*[\r\n]/;

const hasShownAttribute = tagSearch(VISIBLE_ATTRIBUTES);

/** A value of YAML after the tag `!`. */
const TAGGED = /(?:^|\s)!\s/;

/** An ICU message with branches, and an apostrophe before `<` or `>`, also as JSON and XML escape them. */
const BRANCHES = /,\s*(?:plural|select)/;
const APOSTROPHE_AT_TAG = /'(?:[<>]|\\u003[ce]|&[lg]t;)/i;

/**
 * Whether a file may have texts that an earlier version did not find. A search in the source is enough: to parse a page takes a
 * hundred times as long.
 */
export function mayShowMore(
  text: string,
  path: string,
  { attributes, frontMatter }: Route,
): boolean {
  const extension = extensionOf(path).toLowerCase();
  if (!PAGES.has(extension)) {
    const isTagged = YAML_FILES.has(extension) && TAGGED.test(text);
    return isTagged || (APOSTROPHE_AT_TAG.test(text) && BRANCHES.test(text));
  }
  return (
    attributes !== undefined ||
    frontMatter !== undefined ||
    hasTitleOfLink(text) ||
    NEWER_KEY.test(text) ||
    RULE_AT_START.test(text) ||
    hasShownAttribute(text) ||
    mayHaveBoxes(text) ||
    mayOpenBox(text) ||
    // Components split the texts between them.
    (extension !== 'mdx' && showsMdx(text))
  );
}
