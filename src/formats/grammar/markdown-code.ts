/** Code that only a site generator knows, and JSON at the start of a page: Markdown reads words in them. Pure. */
import type { Span } from '../../format.ts';
import { CODE_OR_COMMENT } from './markdown-markers.ts';

/** Jekyll's `{% highlight ruby %}`, and Hugo's `{{< highlight go >}}`, with their ends. */
const GENERATED_CODE = [
  String.raw`\{%-?\s*highlight\s[^%\r\n]*%\}[\s\S]*?\{%-?\s*endhighlight\s*-?%\}`,
  String.raw`\{\{[<%]\s*(highlight|mermaid|katex|math|chart)\b[^\r\n]*?[>%]\}\}[\s\S]*?\{\{[<%]\s*\/\s*\3\s*[>%]\}\}`,
].join('|');
const ANY_CODE = new RegExp(`${CODE_OR_COMMENT.source}|${GENERATED_CODE}`, 'gm');
const MAY_HAVE_CODE = /\{(?:%-?|\{[<%])\s*(?:highlight|mermaid|katex|math|chart)\b/;

/** `---json` with its end, and the braces of Hugo. */
const JSON_MATTER =
  /^(?:---json[ \t]*\r?\n([\s\S]*?\r?\n)---|(\{[ \t]*\r?\n[\s\S]*?\r?\n\}))[ \t]*(?=[\r\n]|$)/;

/** The ranges of a page whose words are no texts, in order. */
export function codeIn(page: string): Span[] {
  const matter = jsonMatter(page);
  const all = MAY_HAVE_CODE.test(page) ? [...page.matchAll(ANY_CODE)] : [];
  const code = all.filter(([found]) => found.startsWith('{'));
  const spans = code.map(({ 0: found, index }) => ({ start: index, end: index + found.length }));
  return matter === 0 ? spans : [{ start: 0, end: matter }, ...spans];
}

function jsonMatter(page: string): number {
  const [all = '', inFence, inBraces] = JSON_MATTER.exec(page) ?? [];
  if (all === '') return 0;
  try {
    JSON.parse(inFence ?? inBraces ?? '');
    return all.length;
  } catch {
    return 0;
  }
}

const PLACES_ALONE = [
  // The table of contents of VitePress, GitLab and Python-Markdown
  String.raw`\[\[_?toc_?\]\]|\[TOC\]`,
  // VitePress: a file that is shown as code
  String.raw`<<<[ \t]+\S[^\r\n]*`,
  // kramdown, Python-Markdown: an abbreviation and its meaning
  String.raw`\*\[[^\]\r\n]+\]:[^\r\n]*`,
].join('|');
/** Files that are shown in their place. Earlier versions read them as words. */
const INCLUDES = [
  // FastAPI and others
  String.raw`\{\*[ \t]+[^\s{}][^{}\r\n]*\*\}`,
  // markdown-include
  String.raw`\{![^{}\r\n]+!\}`,
  // Snippets of Python-Markdown
  String.raw`-{1,9}8<-{1,9}[ \t]+"[^"\r\n]+"`,
].join('|');

function commandLines(commands: string): RegExp {
  return new RegExp(`^(?:(?:${commands})[ \\t]*(?:\\r\\n|\\n|\\r|$))+$`, 'i');
}

const COMMAND_LINES = commandLines(`${PLACES_ALONE}|[ \\t>]*(?:${INCLUDES})`);
const COMMANDS_BEFORE = commandLines(PLACES_ALONE);

/** Whether a paragraph has nothing but lines that a site generator replaces. */
export function hasCommandsAlone(paragraph: string, reading: PageReading = 'now'): boolean {
  return (reading === 'now' ? COMMAND_LINES : COMMANDS_BEFORE).test(paragraph);
}

/** `before`: as version 6 of the reader of pages read it. */
export type PageReading = 'now' | 'before';

const MAY_READ_OTHERWISE = /\/\/\/|\{[*!]|-8<-/;

/** Whether blocks (`/// tip`) and includes may be in a text, which were words before. */
export function mayReadOtherwise(text: string): boolean {
  return MAY_READ_OTHERWISE.test(text);
}
