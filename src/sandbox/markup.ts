/** Parts of a marked-up text that no engine translates: ignored elements, scripts, comments. CDATA in XML is text between two marks. */
import type { Span } from '../format.ts';

/** The markup settings of a request. */
export interface Markup {
  /** `tag_handling`; absent: tags are kept without any meaning. */
  readonly tagHandling?: 'xml' | 'html';
  /** Elements whose content is kept (`ignore_tags`). */
  readonly ignoreTags?: readonly string[];
}

/** The start of a section whose content is not escaped (XML 1.0, 2.7). */
export const CDATA = '<![CDATA[';

/** The ranges that stay as they are, except single tags; in order, without overlaps. Takes linear time. */
export function keptSpans(text: string, markup: Markup): readonly Span[] {
  const { tagHandling, ignoreTags = [] } = markup;
  if (tagHandling === undefined && ignoreTags.length === 0) return [];
  const scan = new MarkupScan(text, markup);
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at)) at = scan.take(at);
  return scan.finish();
}

/** HTML elements without content. */
const VOID = new Set('area base br col embed hr img input link meta source track wbr'.split(' '));
/** Elements whose content is neither text for people nor markup. */
const RAW = new Set(['script', 'style']);
const TAG = /<(\/?)([A-Za-z_][^\s<>/]*)((?:[^<>"']|"[^"]*"|'[^']*')*)>/y;

class MarkupScan {
  readonly #text: string;
  readonly #isHtml: boolean;
  readonly #isMarkup: boolean;
  readonly #ignored: ReadonlySet<string>;
  readonly #spans: Span[] = [];
  /** The open element that is kept, and the number of open elements with its name inside it. */
  #open: { readonly start: number; readonly name: string; depth: number } | undefined;

  constructor(text: string, { tagHandling, ignoreTags = [] }: Markup) {
    this.#text = text;
    this.#isHtml = tagHandling === 'html';
    this.#isMarkup = tagHandling !== undefined;
    this.#ignored = new Set(ignoreTags.map((name) => this.#tagName(name)));
  }

  /** Reads what begins with `<` at an offset. @returns the offset behind it */
  take(at: number): number {
    if (this.#isMarkup) {
      if (this.#text.startsWith('<!--', at)) return this.#keepUntil(at, '-->');
      if (this.#text.startsWith(CDATA, at)) return this.#takeCdata(at);
      if (this.#text.startsWith('<?', at)) return this.#keepUntil(at, '?>');
    }
    TAG.lastIndex = at;
    const [tag, slash, written = '', attributes = ''] = TAG.exec(this.#text) ?? [];
    if (tag === undefined) return at + 1;
    const end = at + tag.length;
    const name = this.#tagName(written);
    if (slash === '/') this.#close(name, end);
    else if (!attributes.endsWith('/')) return this.#enter({ start: at, end }, name, attributes);
    return end;
  }

  /** An unclosed HTML element ends with the text; in other markup it is not an element. */
  finish(): readonly Span[] {
    const open = this.#open;
    if (open === undefined || !this.#isHtml) return this.#spans;
    return [...this.#spans, { start: open.start, end: this.#text.length }];
  }

  #tagName(name: string): string {
    return this.#isHtml ? name.toLowerCase() : name;
  }

  #enter({ start, end }: Span, name: string, attributes: string): number {
    if (this.#isHtml && VOID.has(name)) return end;
    if (this.#open !== undefined) {
      if (this.#open.name === name) this.#open.depth++;
      return end;
    }
    const isRaw = this.#isHtml && RAW.has(name);
    if (!isRaw && !this.#ignored.has(name) && !(this.#isMarkup && isKept(attributes))) return end;
    this.#open = { start, name, depth: 1 };
    return isRaw ? this.#endOfRaw(name, end) : end;
  }

  /** The first end tag of a script or style. Everything before it is content. */
  #endOfRaw(name: string, from: number): number {
    const found = this.#text.slice(from).search(new RegExp(`</${name}[\\s/>]`, 'i'));
    return found < 0 ? this.#text.length : from + found;
  }

  #close(name: string, end: number): void {
    const open = this.#open;
    if (open?.name !== name) return;
    open.depth--;
    if (open.depth > 0) return;
    this.#spans.push({ start: open.start, end });
    this.#open = undefined;
  }

  #keepUntil(start: number, mark: string): number {
    const found = this.#text.indexOf(mark, start);
    const end = found < 0 ? this.#text.length : found + mark.length;
    this.#keep({ start, end });
    return end;
  }

  /** A comment in HTML. In XML only its marks stay, and tags in it are text. */
  #takeCdata(start: number): number {
    if (this.#isHtml) return this.#keepUntil(start, ']]>');
    const found = this.#text.indexOf(']]>', start);
    const end = found < 0 ? this.#text.length : found;
    this.#keep({ start, end: start + CDATA.length });
    this.#keep({ start: end, end: Math.min(end + ']]>'.length, this.#text.length) });
    return end;
  }

  #keep(span: Span): void {
    if (this.#open === undefined) this.#spans.push(span);
  }
}

const MEANING = /\s(translate|class)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;

/** `translate="no"` and `class="notranslate"`, as in documents. */
function isKept(attributes: string): boolean {
  for (const [, name = '', double, single, bare] of attributes.matchAll(MEANING)) {
    const value = (double ?? single ?? bare ?? '').toLowerCase();
    if (name.toLowerCase() === 'translate' && value === 'no') return true;
    if (name.toLowerCase() === 'class' && value.split(/\s+/).includes('notranslate')) return true;
  }
  return false;
}
