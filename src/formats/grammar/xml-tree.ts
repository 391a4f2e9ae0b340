/**
 * XML with exact offsets of everything: fast-xml-parser validates, and returns the tree with the spans of its elements. A scan finds texts,
 * CDATA and comments between them, and must cover every element without a gap.
 */
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { JobFailure } from '../../failure.ts';
import { TAG } from '../../parsing/markup.ts';
import { malformed } from '../text/position.ts';

export type XmlNode = XmlElement | XmlLeaf;

/** UTF-16 offsets; the whole element is `[start, end)`. */
export interface XmlElement {
  readonly kind: 'element';
  readonly name: string;
  /** Raw values: entities are not decoded. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly start: number;
  /** Offset behind the `>` of the start tag. */
  readonly openEnd: number;
  /** Offset of the end tag; `end` when the tag closes itself. */
  readonly closeStart: number;
  readonly end: number;
  readonly children: readonly XmlNode[];
}

export interface XmlLeaf {
  readonly kind: 'text' | 'cdata' | 'comment' | 'instruction';
  readonly start: number;
  readonly end: number;
}

/** Elements in each other. The parser refuses more, without a place. */
const MOST_LEVELS = 1000;

const META = XMLParser.getMetaDataSymbol() as unknown as symbol;
const PARSER = new XMLParser({
  preserveOrder: true,
  captureMetaData: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  trimValues: false,
  parseTagValue: false,
  parseAttributeValue: false,
  processEntities: false,
  commentPropName: '#comment',
  cdataPropName: '#cdata',
  maxNestedTags: MOST_LEVELS,
});

/** The root element. Throws JobFailure `malformed` with line and column. */
export function parseXml(text: string, file: string): XmlElement {
  const source = withoutDoctype(text);
  const validity = XMLValidator.validate(source);
  if (validity !== true) {
    const { line, col, msg } = validity.err;
    const open = lastOpenTag(msg);
    if (open !== undefined) {
      throw malformed(
        file,
        { text, offset: source.lastIndexOf(`<${open}`) },
        `<${open}> is not closed`,
      );
    }
    throw new JobFailure({ kind: 'malformed', where: { file, line, column: col }, message: msg });
  }
  const roots = readNodes(source, file).filter((node) => {
    const name = elementName(node);
    return !name.startsWith('#') && !name.startsWith('?');
  });
  const [root] = roots;
  if (root === undefined || roots.length > 1) {
    const message = `one root element is expected, not ${roots.length}`;
    throw malformed(file, { text, offset: nodePlace(roots[1])?.startIndex ?? 0 }, message);
  }
  return new Tiler(source, file).element(root);
}

/** For a text that ends too early, the validator reports a list of the open tags at the first character. */
function lastOpenTag(message: string): string | undefined {
  const list = /^Invalid '(?<tags>\[.*\])' found\.$/su.exec(message)?.groups?.['tags'];
  const tags: unknown = list === undefined ? [] : JSON.parse(list);
  const last: unknown = Array.isArray(tags) ? tags.at(-1) : undefined;
  return typeof last === 'string' ? last : undefined;
}

export function isElement(node: XmlNode): node is XmlElement {
  return node.kind === 'element';
}

export function childElements({ children }: XmlElement, name?: string): XmlElement[] {
  return children.filter(isElement).filter((child) => name === undefined || child.name === name);
}

/** Whether the tag closes itself, so that it has no place for content. */
export function isSelfClosing({ closeStart, end }: XmlElement): boolean {
  return closeStart === end;
}

/** A node of fast-xml-parser with `preserveOrder`: one key with the children or the text, `:@` with the attributes. */
type ParsedNode = Readonly<Record<string, unknown>> & {
  readonly [META]?: { readonly startIndex: number; readonly endIndex: number };
};

function readNodes(source: string, file: string): readonly ParsedNode[] {
  try {
    return PARSER.parse(source) as ParsedNode[];
  } catch (error) {
    const offset = tooDeepAt(source);
    if (offset !== undefined) {
      const message = `nested too deeply: more than ${MOST_LEVELS} elements are in each other`;
      throw malformed(file, { text: source, offset }, message);
    }
    const message = error instanceof Error ? error.message : 'no XML';
    throw new JobFailure({ kind: 'malformed', where: { file }, message }, { cause: error });
  }
}

/** The start tag with which valid XML has more levels than the parser reads. */
function tooDeepAt(source: string): number | undefined {
  let levels = 0;
  for (const { 0: tag, index } of source.matchAll(NO_TAG_OR_TAG)) {
    if (/^<[!?]|\/>$/.test(tag)) continue;
    levels += tag.startsWith('</') ? -1 : 1;
    if (levels > MOST_LEVELS) return index;
  }
  return undefined;
}

const NO_TAG_OR_TAG = new RegExp(
  String.raw`<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\?[\s\S]*?\?>|${TAG}`,
  'g',
);

// The parser throws on parameter entities. Blanks of the same length keep all offsets.
function withoutDoctype(text: string): string {
  const doctype = /<!DOCTYPE(?:"[^"]*"|'[^']*'|\[[\s\S]*?\]\s*(?=>)|[^>"'[])*>/.exec(
    text.slice(0, 65_536),
  );
  if (doctype === null) return text;
  const blanks = doctype[0].replace(/[^\r\n]/g, ' ');
  return text.slice(0, doctype.index) + blanks + text.slice(doctype.index + blanks.length);
}

function elementName(node: ParsedNode): string {
  return Object.keys(node).find((key) => key !== ':@') ?? '';
}

function nodePlace(node: ParsedNode | undefined) {
  return node?.[META];
}

class Tiler {
  readonly #text: string;
  readonly #file: string;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  element(node: ParsedNode): XmlElement {
    const name = elementName(node);
    const { startIndex: start, endIndex: end } = nodePlace(node) ?? { startIndex: 0, endIndex: 0 };
    const openEnd = this.#openEnd(start);
    this.#assert(this.#text.startsWith(`<${name}`, start), start, `<${name}> is not here`);
    const closesItself = openEnd === end && this.#text.charAt(openEnd - 2) === '/';
    const closeStart = closesItself ? end : this.#text.lastIndexOf('</', end - 1);
    const closing = this.#text.slice(closeStart, end);
    const isClosed = closesItself || closing.replace(/(?<!\s)\s*>$/, '') === `</${name}`;
    this.#assert(isClosed, end, `</${name}> is not here`);
    const attributes = new Map(Object.entries((node[':@'] ?? {}) as Record<string, string>));
    const inside = closesItself ? [] : (node[name] as readonly ParsedNode[]);
    const children = this.#tile(inside, openEnd, closeStart);
    return { kind: 'element', name, attributes, start, openEnd, closeStart, end, children };
  }

  #tile(nodes: readonly ParsedNode[], from: number, to: number): XmlNode[] {
    let position = from;
    const children = nodes.map((node) => {
      const child = this.#child(node, position);
      this.#assert(child.start === position, position, 'something is left out');
      position = child.end;
      return child;
    });
    this.#assert(position === to, position, 'something is left out');
    return children;
  }

  #child(node: ParsedNode, start: number): XmlNode {
    const name = elementName(node);
    switch (name) {
      case '#text':
        return this.#run(String(node['#text']), start);
      case '#comment':
        return { kind: 'comment', start, end: this.#behind('<!--', '-->', start) };
      case '#cdata':
        return { kind: 'cdata', start, end: this.#behind('<![CDATA[', ']]>', start) };
      default:
        return name.startsWith('?')
          ? { kind: 'instruction', start, end: nodePlace(node)?.endIndex ?? start }
          : this.element(node);
    }
  }

  #run(expected: string, start: number): XmlLeaf {
    const end = this.#text.indexOf('<', start);
    const found = this.#text.slice(start, end);
    const isSame = found === expected || found.replace(/\r\n?/g, '\n') === expected;
    this.#assert(isSame, start, 'the text is not as it was read');
    return { kind: 'text', start, end };
  }

  #behind(opening: string, closing: string, start: number): number {
    this.#assert(this.#text.startsWith(opening, start), start, `${opening} is not here`);
    return this.#text.indexOf(closing, start + opening.length) + closing.length;
  }

  #openEnd(start: number): number {
    const tag = /<(?:"[^"]*"|'[^']*'|[^>"'])*>/y;
    tag.lastIndex = start;
    this.#assert(tag.test(this.#text), start, 'the tag has no end');
    return tag.lastIndex;
  }

  #assert(holds: boolean, offset: number, message: string): asserts holds {
    if (!holds) throw malformed(this.#file, { text: this.#text, offset }, message);
  }
}
