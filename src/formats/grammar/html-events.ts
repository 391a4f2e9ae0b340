/** An HTML text as a flat list of tags, texts and opaque ranges in file order, with parse5's locations. */

import { type DefaultTreeAdapterTypes, parse, parseFragment } from 'parse5';
import type { Span } from '../../format.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

export type HtmlEvent = Span &
  (
    | { readonly kind: 'text' }
    /** A tag of an inline element. Both tags of one element share its number; void elements have only one. */
    | { readonly kind: 'tag'; readonly element: number; readonly side: 'open' | 'close' | 'void' }
    /** Code, scripts, comments, `translate="no"`: kept whole. */
    | { readonly kind: 'opaque' }
    /** A tag or range that ends a run of text. */
    | { readonly kind: 'boundary' }
  );

/** The value of an attribute that readers see, without its quotes. */
export interface HtmlAttribute extends Span {
  /** Empty for an unquoted value. */
  readonly quote: string;
  /** The `alt` of an image: it represents the image in the sentence. */
  readonly isDescription: boolean;
  /** The name of a `meta`: they may be in any order. */
  readonly name?: string;
}

export interface HtmlEvents {
  readonly events: readonly HtmlEvent[];
  readonly attributes: readonly HtmlAttribute[];
  /** Span of the `lang` value of the root element. */
  readonly lang: Span | undefined;
  /** How many tags of each name have no other half. */
  readonly unpaired: ReadonlyMap<string, number>;
}

export function htmlEvents(text: string): HtmlEvents {
  const options = { sourceCodeLocationInfo: true, scriptingEnabled: false };
  const isDocument = /<(?:!doctype|html|head|body)\b/i.test(text);
  const collector = new Collector(text);
  collector.visit(isDocument ? parse(text, options) : parseFragment(text, options));
  return collector.result();
}

// https://html.spec.whatwg.org/multipage/rendering.html#flow-content-3, and further elements that are blocks.
const BLOCKS = new Set(
  'address article aside blockquote body button caption center dd details dialog dir div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext search section select summary table tbody td tfoot th thead title tr ul video audio canvas noscript template object iframe base link meta param source track col colgroup'.split(
    ' ',
  ),
);
const OPAQUE_BLOCKS = new Set(['script', 'style', 'pre', 'textarea', 'xmp']);
const OPAQUE_INLINE = new Set(['code', 'kbd', 'samp', 'var', 'svg', 'math']);
const SHOWN_ATTRIBUTES = new Set(['alt', 'title', 'placeholder', 'aria-label', 'summary', 'label']);

class Collector {
  readonly #text: string;
  readonly #events: HtmlEvent[] = [];
  readonly #attributes: HtmlAttribute[] = [];
  #lang: Span | undefined;
  #elements = 0;
  readonly #open: string[] = [];
  readonly #closed = new Set<number>();

  constructor(text: string) {
    this.#text = text;
  }

  result(): HtmlEvents {
    const events = inOrder(this.#events);
    return { events, attributes: this.#attributes, lang: this.#lang, unpaired: this.#unpaired() };
  }

  #unpaired(): ReadonlyMap<string, number> {
    const names = [...this.#open];
    for (const { 1: name = '', index } of this.#text.matchAll(/<\/([a-z][a-z0-9]*)/gi)) {
      if (!this.#closed.has(index)) names.push(name.toLowerCase());
    }
    const counts = new Map<string, number>();
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  }

  visit(node: Node): void {
    if ('tagName' in node) this.#element(node);
    else if (node.nodeName === '#text') this.#add({ kind: 'text', ...spanOfNode(node) });
    else if (node.nodeName === '#comment') this.#add({ kind: 'opaque', ...spanOfNode(node) });
    else this.#children(node);
  }

  #children(node: Node): void {
    const content = 'content' in node ? node.content : node;
    if ('childNodes' in content) for (const child of content.childNodes) this.visit(child);
  }

  #element(element: Element): void {
    const name = element.tagName;
    const span = spanOfNode(element);
    const tags = element.sourceCodeLocation;
    if (tags?.endTag) this.#closed.add(tags.endTag.startOffset);
    else if (tags?.startTag) this.#open.push(name);
    if (isKept(element) || OPAQUE_INLINE.has(name) || OPAQUE_BLOCKS.has(name)) {
      const isBoundary = BLOCKS.has(name) || OPAQUE_BLOCKS.has(name);
      this.#add({ kind: isBoundary ? 'boundary' : 'opaque', ...span });
      return;
    }
    this.#collectAttributes(element);
    if (BLOCKS.has(name)) this.#block(element);
    else this.#inline(element);
  }

  #block(element: Element): void {
    const location = element.sourceCodeLocation;
    if (location?.startTag) this.#add({ kind: 'boundary', ...span(location.startTag) });
    this.#children(element);
    if (location?.endTag) this.#add({ kind: 'boundary', ...span(location.endTag) });
    // A void or unclosed block has no pair of tags, but also ends a run.
    if (location && !location.startTag) this.#add({ kind: 'boundary', ...span(location) });
  }

  #inline(element: Element): void {
    const location = element.sourceCodeLocation;
    this.#elements += 1;
    const number = this.#elements;
    if (!location?.startTag || !location.endTag) {
      const tag = location?.startTag ?? location;
      if (tag) this.#add({ kind: 'tag', element: number, side: 'void', ...span(tag) });
      this.#children(element);
      return;
    }
    this.#add({ kind: 'tag', element: number, side: 'open', ...span(location.startTag) });
    this.#children(element);
    this.#add({ kind: 'tag', element: number, side: 'close', ...span(location.endTag) });
  }

  #collectAttributes(element: Element): void {
    const about = metaName(element);
    const shown = shownAttributes(element);
    for (const { name, value } of element.attrs) {
      const found = element.sourceCodeLocation?.attrs?.[name];
      if (found === undefined) continue;
      const place = valuePlace(this.#text, span(found));
      if (place === undefined) continue;
      const isDescription = element.tagName === 'img' && name === 'alt';
      const attribute = { ...place, isDescription, ...about };
      if (element.tagName === 'html' && name === 'lang') this.#lang = attribute;
      if (/\p{L}/u.test(value) && shown.has(name)) this.#attributes.push(attribute);
    }
  }

  #add(event: HtmlEvent): void {
    if (event.end > event.start) this.#events.push(event);
  }
}

function metaName({ tagName, attrs }: Element): Pick<HtmlAttribute, 'name'> {
  if (tagName !== 'meta') return {};
  const about = attrs.find(({ name }) => name === 'name' || name === 'property');
  return about === undefined ? {} : { name: `meta ${about.value.toLowerCase()}` };
}

/** The names of those whose values a reader sees. */
function shownAttributes({ tagName, attrs }: Element): ReadonlySet<string> {
  const own = { meta: { name: 'content', if: SHOWN_META }, input: { name: 'value', if: BUTTON } };
  const mayBe = tagName === 'meta' || tagName === 'input' ? own[tagName] : undefined;
  const isToo = mayBe !== undefined && attrs.some(({ value }) => mayBe.if.test(value));
  return isToo ? new Set([...SHOWN_ATTRIBUTES, mayBe.name]) : SHOWN_ATTRIBUTES;
}

const SHOWN_META = /^(?:description|keywords|(?:og|twitter):(?:title|description))$/i;
const BUTTON = /^(?:submit|button|reset)$/i;

function isKept({ attrs }: Element): boolean {
  return attrs.some(
    ({ name, value }) =>
      (name === 'translate' && value.toLowerCase() === 'no') ||
      (name === 'class' && /(?:^|\s)notranslate(?:\s|$)/.test(value)),
  );
}

function valuePlace(
  text: string,
  { start, end }: Span,
): Omit<HtmlAttribute, 'isDescription'> | undefined {
  const head = /^[^=]*=\s*(["']?)/.exec(text.slice(start, end));
  if (head === null) return undefined;
  const quote = head[1] ?? '';
  return { start: start + head[0].length, end: end - quote.length, quote };
}

// The parser returns misnested markup twice or out of order: the first at an offset counts.
function inOrder(events: readonly HtmlEvent[]): HtmlEvent[] {
  const ordered: HtmlEvent[] = [];
  let position = 0;
  for (const event of events.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (event.start < position) continue;
    ordered.push(event);
    position = event.end;
  }
  return ordered;
}

function spanOfNode(node: Node): Span {
  const location = 'sourceCodeLocation' in node ? node.sourceCodeLocation : undefined;
  return location ? span(location) : { start: 0, end: 0 };
}

function span(location: { readonly startOffset: number; readonly endOffset: number }): Span {
  return { start: location.startOffset, end: location.endOffset };
}
