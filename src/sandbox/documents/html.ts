/** HTML pages: text and visible attributes are replaced by their spans in the source, so that markup stays byte for byte. */
import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5';
import { encodeXml } from '../../files/xml-characters.ts';
import { countCharacters } from '../billing.ts';
import { answerPieces, blockHasWords, textForEngine } from './blocks.ts';
import { malformedDocument, type ReadDocument, type SourceDocument } from './document.ts';
import { type Splice, withSplices } from './splice.ts';
import { decodeText } from './text-bytes.ts';

export function readHtml({ bytes, name, target }: SourceDocument): ReadDocument {
  const { text, encode } = decodeText(bytes);
  const page = readPage(name, text);
  const blocks = page.blocks.filter((block) => blockHasWords(words(block)));
  return {
    texts: blocks.map((block) => textForEngine(words(block))),
    characters: countCharacters(blocks.flatMap(words)),
    write(answers) {
      const splices = blocks.flatMap((block, index) => answered(block, answers[index] ?? ''));
      return encode(withSplices(text, [...splices, ...languageSplice(page, target)]));
    },
  };
}

interface Fragment {
  /** Offsets of the raw text in the page, without outer white space. */
  readonly start: number;
  readonly end: number;
  /** Decoded, with outer white space: it separates words of neighbouring pieces. */
  readonly text: string;
  readonly quote: '"' | "'" | '';
}

type HtmlBlock = readonly Fragment[];

interface HtmlPage {
  /** File name, for messages. */
  readonly name: string;
  readonly text: string;
  /** Number of open elements around the current one. */
  depth: number;
  readonly blocks: Fragment[][];
  /** Span of the raw value of `<html lang>`. */
  lang: { readonly start: number; readonly end: number } | undefined;
}

function words(block: HtmlBlock): readonly string[] {
  return block.map((fragment) => fragment.text);
}

function answered(block: HtmlBlock, answer: string): readonly Splice[] {
  const pieces = answerPieces(words(block), answer);
  return block.flatMap((fragment, index) => {
    const { start, end, text, quote } = fragment;
    const answered = (pieces[index] ?? '').trim();
    // An unchanged text keeps its character references: `&ldquo;` stays `&ldquo;`.
    return answered === text.trim() ? [] : [{ start, end, text: escapeFor(quote, answered) }];
  });
}

function escapeFor(quote: Fragment['quote'], text: string): string {
  const escaped = encodeXml(text);
  if (quote === '') return escaped;
  return quote === '"' ? escaped.replaceAll('"', '&quot;') : escaped.replaceAll("'", '&#39;');
}

function languageSplice({ lang }: HtmlPage, target: string): readonly Splice[] {
  return lang === undefined ? [] : [{ ...lang, text: target }];
}

function readPage(name: string, text: string): HtmlPage {
  const page: HtmlPage = { name, text, depth: 0, blocks: [[]], lang: undefined };
  visitChildren(page, parse(text, { sourceCodeLocationInfo: true }));
  return page;
}

// Phrasing content of the HTML standard (3.2.5.2.5) that occurs inside sentences; every other element ends a sentence.
const INLINE = new Set(
  'a abbr b bdi bdo big br cite data del dfn em font i img ins kbd code label mark q s samp small span strong sub sup time tt u var wbr'.split(
    ' ',
  ),
);
const NOT_TEXT = new Set(
  'script style template noscript code kbd samp var pre svg math'.split(' '),
);
const READ_ATTRIBUTES = new Set(['alt', 'title', 'placeholder', 'aria-label']);

/** Real pages stay below 100; each level takes two stack frames. */
const MAX_DEPTH = 1000;

function visitChildren(page: HtmlPage, parent: Tree.ParentNode): void {
  page.depth++;
  if (page.depth > MAX_DEPTH) throw malformedDocument(page.name, 'elements are nested too deeply');
  for (const node of parent.childNodes) {
    if ('tagName' in node) visitElement(page, node);
    else if (node.nodeName === '#text') addText(page, node as Tree.TextNode);
  }
  page.depth--;
}

function visitElement(page: HtmlPage, element: Tree.Element): void {
  if (element.tagName === 'html') page.lang = attributeSpan(page, element, 'lang');
  const inline = INLINE.has(element.tagName);
  if (!inline) page.blocks.push([]);
  if (!isKept(element)) {
    const sentence = page.blocks.pop() ?? [];
    for (const { name, value } of element.attrs) {
      if (READ_ATTRIBUTES.has(name)) addAttribute(page, element, { name, value });
    }
    page.blocks.push(sentence);
    visitChildren(page, element);
  }
  if (!inline) page.blocks.push([]);
}

function isKept({ tagName, attrs }: Tree.Element): boolean {
  return (
    NOT_TEXT.has(tagName) ||
    attrs.some(({ name, value }) => name === 'translate' && value === 'no') ||
    attrs.some(({ name, value }) => name === 'class' && /(?:^|\s)notranslate(?:\s|$)/.test(value))
  );
}

function addText(page: HtmlPage, node: Tree.TextNode): void {
  const location = node.sourceCodeLocation;
  if (!location) return;
  const raw = page.text.slice(location.startOffset, location.endOffset);
  // Text that the parser moved out of a table has no single span in the source, so it is left alone.
  if (raw.trim() === '' || raw.includes('<')) return;
  const start = location.startOffset + raw.length - raw.trimStart().length;
  const end = start + raw.trim().length;
  page.blocks.at(-1)?.push({ start, end, text: node.value, quote: '' });
}

function addAttribute(
  page: HtmlPage,
  element: Tree.Element,
  attribute: { name: string; value: string },
): void {
  const span = attributeSpan(page, element, attribute.name);
  if (span) page.blocks.push([{ ...span, text: attribute.value }]);
}

function attributeSpan(page: HtmlPage, element: Tree.Element, name: string) {
  const location = element.sourceCodeLocation?.attrs?.[name];
  if (!location) return undefined;
  const raw = page.text.slice(location.startOffset, location.endOffset);
  const quote = raw.at(-1);
  const opening = raw.indexOf('=') < 0 ? -1 : raw.indexOf(quote ?? '', raw.indexOf('='));
  if ((quote !== '"' && quote !== "'") || opening === raw.length - 1 || opening < 0)
    return undefined;
  return { start: location.startOffset + opening + 1, end: location.endOffset - 1, quote } as const;
}
