/** Finds the text in a part of an Office Open XML file: its paragraphs, with the spans of their runs (ECMA-376). Pure. */

import { JobFailure } from '../failure.ts';
import type { Span } from '../format.ts';
import { ATTRIBUTES } from '../parsing/markup.ts';
import { decodeXml, encodeXml } from './xml-characters.ts';
import { type XmlTag, type XmlToken, xmlTokens } from './xml-tokens.ts';
import { decodeXstring, encodeXstring } from './xstring.ts';

/**
 * Text with one formatting. Word splits a sentence into runs at every edit and spelling mark. `spans` has the spans of all runs, in the XML
 * of the part. `text` is their joined text.
 */
export interface TextRun {
  readonly spans: readonly Span[];
  readonly text: string;
  readonly spelling: Spelling;
}

/** A text to translate as a whole; it has several pieces when its formatting changes inside. */
export interface Paragraph {
  readonly pieces: readonly TextRun[];
}

export interface PieceEdit {
  readonly piece: TextRun;
  readonly text: string;
}

/** Finds the paragraphs of one part. @throws JobFailure `malformed` for XML that is not well-formed or has a DOCTYPE */
export function readParagraphs(xml: string, part: string): readonly Paragraph[] {
  const reader = new ParagraphReader(xml, part);
  for (const token of xmlTokens(xml, part)) reader.take(token);
  return reader.paragraphs;
}

/** Replaces the text of pieces: the first run gets the new text, the other runs become empty, nothing else changes. */
export function replacePieces(xml: string, edits: readonly PieceEdit[]): string {
  const splices = edits.flatMap(({ piece, text }) =>
    piece.spans.map((span, index) => ({
      ...span,
      text: index === 0 ? encodeText(text, piece.spelling) : '',
    })),
  );
  splices.sort((a, b) => a.start - b.start);
  const written: string[] = [];
  let at = 0;
  for (const splice of splices) {
    written.push(xml.slice(at, splice.start), splice.text);
    at = splice.end;
  }
  return written.join('') + xml.slice(at);
}

/** Marks of an application in a run that are not formatting. */
const NOTES = new RegExp(
  String.raw`\s(?:dirty|err|smtClean|noProof)="[^"]*"|<w:(?:noProof|lang)(?![\w:])${ATTRIBUTES}/>`,
  'g',
);

interface OpenPiece {
  spans: Span[];
  text: string;
  readonly spelling: Spelling;
  readonly formatting: string;
}

interface OpenParagraph {
  readonly pieces: OpenPiece[];
  /** True when only ends and beginnings of runs came since the last text. */
  joined: boolean;
  formatting: string;
}

class ParagraphReader {
  readonly paragraphs: Paragraph[] = [];
  readonly #xml: string;
  readonly #vocabularies: Vocabularies;
  readonly #open: OpenParagraph[] = [];
  #skipped = 0;
  #formattingDepth = 0;
  #formattingStart = 0;
  #textStart: number | undefined;

  constructor(xml: string, part: string) {
    this.#xml = xml;
    this.#vocabularies = new Vocabularies(part);
  }

  take(token: XmlToken): void {
    switch (token.kind) {
      case 'open':
      case 'empty':
        this.#vocabularies.declare(this.#xml.slice(token.start, token.end));
        this.#enter(token);
        if (token.kind === 'empty') this.#leave(token);
        return;
      case 'close':
        this.#leave(token);
        return;
      case 'text':
      case 'cdata':
      case 'other':
        return;
    }
  }

  #enter(tag: XmlTag): void {
    const paragraph = this.#open.at(-1);
    switch (this.#vocabularies.role(tag.name)) {
      case 'paragraph':
        this.#open.push({ pieces: [], joined: false, formatting: '' });
        return;
      case 'text':
        if (tag.kind === 'open' && this.#skipped === 0) this.#textStart = tag.end;
        return;
      case 'skipped':
        this.#skipped++;
        if (paragraph) paragraph.joined = false;
        return;
      case 'formatting':
        if (this.#formattingDepth++ === 0) this.#formattingStart = tag.start;
        return;
      case 'run':
        if (paragraph) paragraph.formatting = '';
        return;
      case 'transparent':
        return;
      case 'other':
        // A text must have no element inside: such a text is not translated.
        this.#textStart = undefined;
        if (paragraph && this.#formattingDepth === 0) paragraph.joined = false;
        return;
    }
  }

  #leave(tag: XmlTag): void {
    const paragraph = this.#open.at(-1);
    switch (this.#vocabularies.role(tag.name)) {
      case 'paragraph':
        this.#open.pop();
        if (paragraph && paragraph.pieces.length > 0) this.paragraphs.push(paragraph);
        return;
      case 'text':
        this.#addText(paragraph, tag);
        return;
      case 'skipped':
        this.#skipped--;
        return;
      case 'formatting':
        if (--this.#formattingDepth === 0 && paragraph) {
          paragraph.formatting = this.#xml.slice(this.#formattingStart, tag.end).replace(NOTES, '');
        }
        return;
      case 'run':
      case 'transparent':
        return;
      case 'other':
        if (paragraph && this.#formattingDepth === 0) paragraph.joined = false;
        return;
    }
  }

  #addText(paragraph: OpenParagraph | undefined, tag: XmlTag): void {
    const start = this.#textStart;
    this.#textStart = undefined;
    if (start === undefined || paragraph === undefined) return;
    const span = { start, end: tag.start };
    const spelling = this.#vocabularies.spelling(tag.name);
    const text = decodeText(this.#xml.slice(span.start, span.end), spelling);
    const last = paragraph.pieces.at(-1);
    if (last && paragraph.joined && last.formatting === paragraph.formatting) {
      last.spans.push(span);
      last.text += text;
    } else {
      paragraph.pieces.push({ spans: [span], text, spelling, formatting: paragraph.formatting });
    }
    paragraph.joined = true;
  }
}

function decodeText(raw: string, spelling: Spelling): string {
  const text = raw
    .split(/<!\[CDATA\[([\s\S]*?)\]\]>/)
    .map((part, index) => (index % 2 === 1 ? part : decodeXml(part)))
    .join('');
  return spelling === 'xstring' ? decodeXstring(text) : text;
}

function encodeText(text: string, spelling: Spelling): string {
  return encodeXml(spelling === 'xstring' ? encodeXstring(text) : text);
}

/** The meaning of an element for translation, by its vocabulary and local name (ECMA-376 part 1). */
type ElementRole =
  | 'paragraph'
  | 'run'
  | 'formatting'
  | 'text'
  | 'skipped'
  | 'transparent'
  | 'other';

/** How characters are written that XML does not allow: only spreadsheets have an escape for them (xstring.ts). */
type Spelling = 'plain' | 'xstring';

/** The namespace prefixes of one part, and what its elements mean. */
class Vocabularies {
  readonly #part: string;
  readonly #prefixes = new Map<string, string>();

  constructor(part: string) {
    this.#part = part;
  }

  /**
   * Reads the prefixes that a tag declares.
   * @throws JobFailure `unsupported` when a prefix of one of our vocabularies gets a second meaning
   */
  declare(tag: string): void {
    if (!tag.includes('xmlns')) return;
    for (const [, prefix = '', uri = ''] of tag.matchAll(DECLARATION)) {
      const known = VOCABULARY.exec(uri)?.[1];
      const vocabulary = known === undefined ? uri : `${known}/main`;
      const before = this.#prefixes.get(prefix) ?? vocabulary;
      if (before !== vocabulary && (OURS.has(before) || OURS.has(vocabulary)))
        throw this.#twoMeanings(prefix);
      this.#prefixes.set(prefix, vocabulary);
    }
  }

  role(name: string): ElementRole {
    const local = name.slice(name.indexOf(':') + 1);
    return ROLES.get(`${this.#vocabulary(name)} ${local}`) ?? 'other';
  }

  spelling(name: string): Spelling {
    return this.#vocabulary(name) === SHEET ? 'xstring' : 'plain';
  }

  #vocabulary(name: string): string | undefined {
    const colon = name.indexOf(':');
    return this.#prefixes.get(colon < 0 ? '' : name.slice(0, colon));
  }

  #twoMeanings(prefix: string): JobFailure {
    return new JobFailure({
      kind: 'unsupported',
      what: `${this.#part} gives the prefix "${prefix}" two meanings`,
      advice: 'Save the file again with its own application.',
    });
  }
}

const WORD_VOCABULARY = 'wordprocessingml/main';
const DRAWING = 'drawingml/main';
const SHEET = 'spreadsheetml/main';

/** By vocabulary and local name. Fields of slides (numbers, dates) and phonetic hints are skipped: the author did not write them. */
const ROLES: ReadonlyMap<string, ElementRole> = new Map(
  Object.entries<ElementRole>({
    [`${WORD_VOCABULARY} p`]: 'paragraph',
    [`${WORD_VOCABULARY} t`]: 'text',
    [`${WORD_VOCABULARY} r`]: 'run',
    [`${WORD_VOCABULARY} rPr`]: 'formatting',
    [`${WORD_VOCABULARY} proofErr`]: 'transparent',
    [`${WORD_VOCABULARY} lastRenderedPageBreak`]: 'transparent',
    [`${DRAWING} p`]: 'paragraph',
    [`${DRAWING} t`]: 'text',
    [`${DRAWING} r`]: 'run',
    [`${DRAWING} rPr`]: 'formatting',
    [`${DRAWING} fld`]: 'skipped',
    [`${SHEET} si`]: 'paragraph',
    [`${SHEET} is`]: 'paragraph',
    [`${SHEET} text`]: 'paragraph',
    [`${SHEET} t`]: 'text',
    [`${SHEET} r`]: 'run',
    [`${SHEET} rPr`]: 'formatting',
    [`${SHEET} rPh`]: 'skipped',
  }),
);

// Transitional and strict files name the same vocabularies differently (ECMA-376 part 1, annex A; part 4).
const VOCABULARY =
  /^http:\/\/(?:schemas\.openxmlformats\.org|purl\.oclc\.org\/ooxml)\/(wordprocessingml|drawingml|spreadsheetml)\/(?:2006\/)?main$/;

const OURS = new Set([WORD_VOCABULARY, DRAWING, SHEET]);
const DECLARATION = /\sxmlns(?::([^\s=]+))?\s*=\s*["']([^"']*)["']/g;
