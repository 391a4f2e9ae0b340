/**
 * The inline content of a Markdown block as parts. Text is decoded; a soft line break becomes a blank, since a sentence is sent whole.
 * Code, HTML and expressions are raw. Emphasis, links and images are pairs around their text.
 */

import { type Part, partsText } from '../../format.ts';
import { append } from '../../parsing/append.ts';
import { type HabitListener, readEscaped } from '../text/escapes.ts';
import { hasLetters, normalizeParts } from '../text/parts.ts';
import { isCharacterReference, MARKDOWN_NOTATION, REFERENCE } from './entities.ts';
import { MARKER, type MarkerSpan } from './markdown-markers.ts';
import { type Inline, type Nodes, nodeSpan } from './markdown-tree.ts';

export interface InlineSource {
  readonly text: string;
  readonly memory: HabitListener;
  /** Ranges that stay raw, even if Markdown reads markup in them: math. In order. */
  readonly opaque: readonly MarkerSpan[];
}

/** The parts between two offsets of a block. @param children its inline nodes */
export function inlineParts(
  source: InlineSource,
  children: readonly Inline[],
  span: MarkerSpan,
): Part[] {
  const reader = new InlineReader(source, span.start);
  for (const child of children) {
    const { start, end } = nodeSpan(child);
    if (end > span.start && start < span.end) reader.read(child, span.end);
  }
  reader.raw(span.end);
  return normalizeParts(reader.parts);
}

/** The parts of a range that is one text. */
export function plainParts(source: InlineSource, { start, end }: MarkerSpan): Part[] {
  return normalizeParts(textParts(source, start, end));
}

class InlineReader {
  readonly parts: Part[] = [];
  readonly #source: InlineSource;
  #position: number;
  #pairs = 0;

  constructor(source: InlineSource, position: number) {
    this.#source = source;
    this.#position = position;
  }

  /** Text between two nodes: syntax, or the indentation and quote marks of the next line. */
  gap(end: number): void {
    const raw = this.#source.text.slice(this.#position, end);
    const last = this.parts.at(-1);
    const isLinePrefix = /^[ \t>]+$/.test(raw) && typeof last === 'string';
    // Blanks before a line end are not text; the line break itself becomes a blank.
    const endsLine = /^[ \t]+$/.test(raw) && /[\r\n]/.test(this.#source.text.charAt(end));
    if (isLinePrefix || endsLine) this.#position = end;
    else this.raw(end);
  }

  raw(end: number): void {
    if (end <= this.#position) return;
    this.parts.push({ raw: this.#source.text.slice(this.#position, end) });
    this.#position = end;
  }

  /** @param limit end of the block */
  read(node: Inline, limit = Number.POSITIVE_INFINITY): void {
    const { start, end } = nodeSpan(node);
    if (end <= this.#position) return;
    this.gap(Math.max(start, this.#position));
    const opaque = this.#source.opaque.find((span) => span.start < end && span.end > start);
    if (node.type === 'text') {
      this.#text(Math.min(end, limit));
    } else if (opaque !== undefined && !(opaque.start >= start && opaque.end <= end)) {
      this.raw(Math.max(end, opaque.end));
    } else if (isPair(node, this.#source.text)) {
      this.#pair(node, { start, end });
    } else if (node.type === 'image' || node.type === 'imageReference') {
      this.#image(node, { start, end });
    } else if (isBareUrl(node, this.#source.text)) {
      this.parts.push({ raw: bareUrl(this.#source.text.slice(start, end)) });
      this.#position = end;
    } else {
      this.raw(end);
    }
  }

  #text(end: number): void {
    for (const span of this.#source.opaque) {
      if (span.end <= this.#position || span.start >= end) continue;
      this.#push(span.start);
      this.raw(span.end);
    }
    this.#push(end);
  }

  #push(end: number): void {
    if (end <= this.#position) return;
    append(this.parts, textParts(this.#source, this.#position, end));
    this.#position = end;
  }

  /** The description of an image is text, and the image is a pair around it. */
  #image(node: Image, { start, end }: { readonly start: number; readonly end: number }): void {
    const { text } = this.#source;
    const altEnd = start + (DESCRIBED.exec(text.slice(start, end))?.[0].length ?? 0);
    const alt = textParts(this.#source, start + DESCRIBES.length, altEnd);
    // Markup in a description is shown as plain text, so such an image stays raw.
    if (!hasLetters(alt) || partsText(alt) !== node.alt?.replace(/(?<!\s)\s*\n\s*/g, ' ')) {
      this.raw(end);
      return;
    }
    this.#pairs += 1;
    const id = this.#pairs;
    const raw = closing(node, text.slice(altEnd, end));
    this.parts.push({ raw: DESCRIBES, pair: { id, side: 'open' } }, ...alt);
    this.parts.push({ raw, pair: { id, side: 'close' } });
    this.#position = end;
  }

  #pair(node: Paired, { start, end }: { readonly start: number; readonly end: number }): void {
    const first = node.children[0];
    const last = node.children.at(-1);
    if (first === undefined || last === undefined) {
      this.raw(end);
      return;
    }
    this.#pairs += 1;
    const id = this.#pairs;
    const { text } = this.#source;
    const inside = nodeSpan(first).start;
    this.parts.push({ raw: text.slice(start, inside), pair: { id, side: 'open' } });
    this.#position = inside;
    for (const child of node.children) this.read(child);
    const raw = closing(node, text.slice(nodeSpan(last).end, end));
    this.parts.push({ raw, pair: { id, side: 'close' } });
    this.#position = end;
  }
}

const PAIRED = ['emphasis', 'strong', 'delete', 'link', 'linkReference', 'mdxJsxTextElement'];
type Paired = Extract<Inline, { children: Inline[] }>;

function isPair(node: Nodes, text: string): node is Paired {
  return PAIRED.includes(node.type) && 'children' in node && !isBareUrl(node, text);
}

// An address that is its own link: `https://x.y` (GFM) or `<https://x.y>`.
function isBareUrl(node: Nodes, text: string): boolean {
  return node.type === 'link' && text.charAt(nodeSpan(node).start) !== '[';
}

/** Both spellings of an address are the same part: the text beside it in the translation decides which spelling is safe. */
function bareUrl(raw: string): string {
  return /^<https?:/.test(raw) ? raw.slice(1, -1) : raw;
}

type Image = Extract<Inline, { type: 'image' | 'imageReference' }>;
/** The characters before the description of an image. */
export const DESCRIBES = '![';
const DESCRIBED = /^!\[(?:[^\]\\]|\\.)*/s;

/** `[text]` uses its text as label: after translation the label must be written behind it. */
function closing(node: Paired | Image, raw: string): string {
  if (node.type !== 'linkReference' && node.type !== 'imageReference') return raw;
  if (node.referenceType === 'full') return raw;
  return `][${node.label ?? node.identifier}]`;
}

/** Blanks are looked for from their first one alone: from each of them, the time would be quadratic. */
const BLANKS = String.raw`(?:(?<![ \t])[ \t]+)?`;
const SOFT_BREAK = String.raw`${BLANKS}(?:\r\n|\n|\r)[ \t>]*`;
/**
 * The opening of a `:::note` container (Docusaurus, VitePress) or a `!!! note` box (MkDocs) on its line. A title may follow, or a label in
 * brackets: `:::note[Label]`.
 */
const DIRECTIVE = String.raw`(?::{3,}[ \t]*[\w-]+\[|:{3,}[ \t]*[\w-]*[ \t]*(?:\{[^}\r\n]*\})?|(?:!!!|\?\?\?\+?)[ \t]+[\w-]+(?:[ \t]+(?:[\w-]+[ \t]+){0,5}"|[ \t]+)?|===[!+]?[ \t]+")`;
const DIRECTIVE_LINE = new RegExp(String.raw`^[ \t>]*${DIRECTIVE}`);
const OPENING = new RegExp(`^${SOFT_BREAK}${DIRECTIVE}|^${DIRECTIVE}`);
const UNTRANSLATED = new RegExp(
  [
    // With the line breaks around it; the one before it may belong to a template call or another directive
    `(?:^|${SOFT_BREAK}|(?=[:!?=])(?<=[\\r\\n][ \\t>]*))${DIRECTIVE}(?:${SOFT_BREAK})?`,
    // The end of a quoted title
    String.raw`"(?=[ \t]*(?:[\r\n]|$))`,
    // The end of a label in brackets
    String.raw`\](?=(?:\{[^}\r\n]{0,500}\})?[ \t]*(?:[\r\n]|$))`,
    // GitHub's `[!NOTE]`
    String.raw`^\[![A-Za-z]+\][ \t]*(?:${SOFT_BREAK})?`,
    // GitHub's `:smile:`
    String.raw`(?<![\w:]):[+\w-]*[A-Za-z][+\w-]*:(?![\w:])`,
    // Template calls and attributes on lines of their own, with the line breaks around them
    `${SOFT_BREAK}${MARKER}${SOFT_BREAK}`,
    // The mark of a definition below its term (kramdown, Goldmark, PHP Markdown Extra)
    String.raw`${SOFT_BREAK}:[ \t]+(?=\S)`,
    // `{#heading-id}`, `{ #heading-id .class }`, `{: #heading-id}` and other attribute lists behind a text
    String.raw`${BLANKS}\{:?[ \t]*[#.][^\s{}][^{}\r\n]*\}$`,
    // kramdown's `{: .lead}`, anywhere
    String.raw`\{:[^{}\r\n]*\}`,
    REFERENCE.source,
  ].join('|'),
  'g',
);

function textParts(source: InlineSource, start: number, end: number): Part[] {
  const raw = source.text.slice(start, end);
  const parts: Part[] = [];
  let position = 0;
  for (const found of untranslatedIn(raw)) {
    if (isCharacterReference(found[0]) || !isSyntaxAt(source, start + found.index, found[0]))
      continue;
    append(parts, runParts(source, start + position, start + found.index));
    parts.push({ raw: found[0] });
    position = found.index + found[0].length;
  }
  return [...parts, ...runParts(source, start + position, end)];
}

interface FoundSyntax {
  readonly index: number;
  readonly 0: string;
}

/** Syntax of `UNTRANSLATED`, and template calls of Hugo, Jekyll and others, in their order. */
function* untranslatedIn(raw: string): Generator<FoundSyntax> {
  const callFrom = templateCalls(raw);
  let other: RegExpExecArray | null | undefined;
  for (let at = 0; ; ) {
    if (other === undefined || (other !== null && other.index < at)) {
      UNTRANSLATED.lastIndex = at;
      other = UNTRANSLATED.exec(raw);
    }
    const call = callFrom(at);
    const isCall = call !== undefined && (other === null || call.index < other.index);
    const found = isCall ? call : other;
    if (found === null) return;
    at = found.index + found[0].length;
    yield found;
  }
}

const CALL_ENDS = { '{{': '}}', '{%': '%}' } as const;
// What `.` of an expression leaves out.
const BREAK = /[\r\n\u2028\u2029]/;

/**
 * A function that finds the next `{{…}}` or `{%…%}` of one line. A lazy expression would read the rest of the line for each opening that has
 * no end.
 */
function templateCalls(raw: string): (at: number) => FoundSyntax | undefined {
  /** The openings before these offsets have no end on their line. */
  const endless = { '{{': 0, '{%': 0 };
  const callAt = (index: number, sign: keyof typeof CALL_ENDS): FoundSyntax | undefined => {
    if (index < endless[sign]) return undefined;
    const end = raw.indexOf(CALL_ENDS[sign], index + 2);
    const inside = end < 0 ? '' : raw.slice(index, end);
    if (end >= 0 && !BREAK.test(inside)) return { index, 0: inside + CALL_ENDS[sign] };
    endless[sign] = end < 0 ? raw.length : end - lineBefore(raw, end).length;
    return undefined;
  };
  let [known, index]: [FoundSyntax | undefined, number] = [undefined, -1];
  return (at) => {
    if (index >= at) return known;
    for (index = raw.indexOf('{', at); index >= 0; index = raw.indexOf('{', index + 1)) {
      const sign = raw.slice(index, index + 2);
      known = sign === '{{' || sign === '{%' ? callAt(index, sign) : undefined;
      if (known !== undefined) return known;
    }
    [known, index] = [undefined, raw.length];
    return undefined;
  };
}

/** The opening of a directive counts only at the start of a line. The quote at the end of its title counts only at the end of that line. */
function isSyntaxAt({ text }: InlineSource, offset: number, found: string): boolean {
  if (found === '"') return endsDirective(text, offset);
  if (found === ']') return endsLabel(text, offset);
  if (!OPENING.test(found)) return true;
  return /[\r\n]/.test(found) || lineBefore(text, offset).trim().replaceAll('>', '') === '';
}

const LABELLED = /^[ \t>]*:{3,}[ \t]*[\w-]+\[/;
const BEHIND_LABEL = /\](?:\{[^}\r\n]{0,500}\})?[ \t]*(?:[\r\n]|$)/y;

/** Whether the bracket ends the label, and with it the line, of `:::note[Label]{.class}`. */
function endsLabel(text: string, offset: number): boolean {
  BEHIND_LABEL.lastIndex = offset;
  return BEHIND_LABEL.test(text) && LABELLED.test(lineBefore(text, offset));
}

/** A soft break becomes a blank, except at the end of a directive's line: the next line does not belong to its title. */
function runParts({ text, memory }: InlineSource, start: number, end: number): Part[] {
  const parts: Part[] = [];
  let run = '';
  let position = start;
  const push = (): void => {
    if (run !== '') parts.push(readEscaped(run, MARKDOWN_NOTATION, memory));
    run = '';
  };
  for (const found of text.slice(start, end).matchAll(new RegExp(SOFT_BREAK, 'g'))) {
    const at = start + found.index;
    run += text.slice(position, at);
    position = at + found[0].length;
    if (endsDirective(text, at)) {
      push();
      parts.push({ raw: found[0] });
    } else {
      run += ' ';
    }
  }
  run += text.slice(position, end);
  push();
  return parts;
}

function endsDirective(text: string, offset: number): boolean {
  return DIRECTIVE_LINE.test(lineBefore(text, offset));
}

/**
 * The part of the line that is before the offset. It goes back letter by letter: a search for a CR would read the file back to its start.
 */
export function lineBefore(text: string, offset: number): string {
  let start = offset;
  while (start > 0 && text.charAt(start - 1) !== '\n' && text.charAt(start - 1) !== '\r')
    start -= 1;
  return text.slice(start, offset);
}
